import { escapeHidden } from '@/lib/base/escape-hidden';
import type { ServerQuestion } from '@/lib/base/pending';
import { hostOf } from '@/lib/base/server-form';

/** The sentences in which people are asked. A sentence says what will happen, in one line. */

const shownCharacters = 50;
const shownFiles = 3;
const questionCharacters = 300;

export interface CallWords {
  /** The agent, for a call that runs one. */
  readonly agent?: string;
  /** The tool, for any other call. */
  readonly tool?: string;
  /** The input as it may be shown. */
  readonly input: string;
  readonly attachments?: readonly string[];
}

/** `Call agent 'x' with input: …, attachments: a, b, c, +2 more`. */
export function callSentence({ agent, tool = '', input, attachments = [] }: CallWords): string {
  const what = agent === undefined ? `Call tool '${oneLine(tool)}'` : `Call agent '${oneLine(agent)}'`;
  const shown = oneLine(cut(input.replaceAll(/\s+/gu, ' ').trim()));
  const files = attachments.length === 0 ? '' : `attachments: ${listed(attachments)}`;
  const parts = [...(shown === '' ? [] : [`with input: ${shown}`]), ...(files === '' ? [] : [files])];
  if (parts.length === 0) return what;
  return shown === '' ? `${what} with ${parts.join(', ')}` : `${what} ${parts.join(', ')}`;
}

/** `Give file 'a.pdf' (120 bytes) to agent 'x'`. */
export function attachmentSentence(path: string, bytes: number, agent: string): string {
  return `Give file '${oneLine(path)}' (${bytes} bytes) to agent '${oneLine(agent)}'`;
}

/** `Create agent 'x' with tools a, b, on model m`. All tools are named, because they are what is approved. */
export function creationSentence(name: string, tools: readonly string[], model: string): string {
  const given = tools.length === 0 ? 'without tools' : `with tools ${tools.map(oneLine).join(', ')}`;
  return `Create agent '${oneLine(name)}' ${given}, on model ${oneLine(model)}`;
}

/** `Clerk asks: Which city?` */
export function questionSentence(agent: string, message: string): string {
  return `${oneLine(agent)} asks: ${oneLine(cut(message.replaceAll(/\s+/gu, ' ').trim(), questionCharacters))}`;
}

/** `Clerk stops before it calls send, book: Is this right?` `says` are the words of the hook. */
export function stopSentence(agent: string, before: string, says: string): string {
  const own = oneLine(cut(says.replaceAll(/\s+/gu, ' ').trim(), questionCharacters));
  return `${oneLine(agent)} stops ${before}${own === '' ? '' : `: ${own}`}`;
}

/** `before it calls send, book, list, +1 more`. */
export function callsWords(tools: readonly string[]): string {
  return `before it calls ${listed(tools)}`;
}

/** `Server 'mail' asks: Which account?` */
export function serverSentence({ serverName, message = '', url, shows }: ServerQuestion): string {
  const server = `Server '${oneLine(serverName)}'`;
  const said = oneLine(cut(message.replaceAll(/\s+/gu, ' ').trim(), questionCharacters));
  if (shows === 'retry') return `Approved, waiting for the server: ${server} cannot be reached`;
  if (shows === 'prompt') return `${server} asks a model`;
  if (shows === 'result') return `Give the answer of the model to server '${oneLine(serverName)}'`;
  if (url !== undefined) return `${server} asks to open ${oneLine(hostOf(url))}${said === '' ? '' : `: ${said}`}`;
  return `${server} asks: ${said}`;
}

/** `Remote agent 'rooms (far.example)' asks: For which day?` */
export function remoteSentence(agent: string, message: string, isSignIn: boolean): string {
  const said = oneLine(cut(message.replaceAll(/\s+/gu, ' ').trim(), questionCharacters));
  return `Remote agent '${oneLine(agent)}' asks${isSignIn ? ' for a sign-in' : ''}${said === '' ? '' : `: ${said}`}`;
}

function listed(names: readonly string[]): string {
  const rest = names.length - shownFiles;
  return [...names.slice(0, shownFiles).map(oneLine), ...(rest > 0 ? [`+${rest} more`] : [])].join(', ');
}

/** Cuts between whole characters, not inside a surrogate pair. */
function cut(text: string, most = shownCharacters): string {
  const characters = [...text.slice(0, 2 * most + 2)];
  return characters.length > most ? `${characters.slice(0, most).join('')}…` : text;
}

/** Puts a text on one line. Characters that would hide or reorder what is asked are shown as codes. */
function oneLine(text: string): string {
  return escapeHidden(text.replaceAll(/\s+/gu, ' ').trim());
}
