import { randomUUID } from 'node:crypto';
import { parseArgs } from 'node:util';
import { brandAs, type CorrelationId } from '@/lib/base/ids';
import { terminalText } from '@/lib/base/terminal-text';
import { cutText, wellFormed } from '@/lib/base/well-formed';
import { systemClock } from '@/lib/jobs/system-clock';
import { runnable } from '@/lib/runtime/request/validate';
import { type ChatScreen, turnOutput } from './chat-output';
import { faultOf } from './fault-of';
import { type FileConversation, fileConversations } from './file-conversations';
import { type LineReader, openLines } from './line-reader';
import { openProject } from './open-project';
import { printNote, printResult } from './print';
import {
  asksHere,
  closeHere,
  type Here,
  hereOptions,
  numberedEvents,
  openHere,
  type ReadyFolder,
  readHereOptions,
  readyFolder,
  runHere,
  sessionFolderOfProject,
  withPythonValue,
} from './run-here';
import { terminalPeople } from './terminal-people';

/**
 * `chat FOLDER [--conversation ID] [--agent NAME] [--model M] [--python[=PATH]] [--env NAME]… [--trust] [--approve all|none|ask]`:
 * talks with a folder, message by message, without the app or a database. Each line of stdin is a message; each message is a run
 * that knows what was said before. Answers go to stdout, in a terminal while they are made; everything else goes to stderr.
 * Ctrl-C stops an answer and keeps the conversation, Ctrl-D ends. `--conversation` goes on with an earlier one, and
 * `chat FOLDER --list` lists them.
 * Exit code 0: the input has ended, 1: a message of a script was not answered, 2: the conversation could not begin (usage, folder,
 * cards), 130: Ctrl-C twice.
 */
export async function chat(args: readonly string[]): Promise<number> {
  let options: Options;
  try {
    options = await readOptions(args);
  } catch (error) {
    printNote(`${faultOf(error)}\n`);
    return 2;
  }
  if (options.list) return await listConversations(options);
  const ready = await readyFolder(options);
  if (ready === undefined) return 2;
  const begun = await beginOrContinue(ready, options);
  if (typeof begun === 'string') {
    printNote(`${begun}\n`);
    return 2;
  }
  const here = await openHere(ready, options.env);
  const lines = openLines(process.stdin);
  try {
    return await converse(here, begun, lines, options);
  } finally {
    lines.close();
    await closeHere(here);
  }
}

type Options = Awaited<ReturnType<typeof readOptions>>;

async function readOptions(args: readonly string[]) {
  const { values, positionals } = parseArgs({
    args: withPythonValue(args),
    allowPositionals: true,
    options: { ...hereOptions, conversation: { type: 'string' }, list: { type: 'boolean', default: false } },
  });
  const here = await readHereOptions(values, positionals, 'callboard chat FOLDER');
  const { conversation, list } = values;
  return { ...here, conversation, list };
}

async function listConversations({ folder, env }: Options): Promise<number> {
  const { root } = await openProject(folder);
  const found = await fileConversations(await sessionFolderOfProject(env, root)).list();
  if (found.length === 0) printNote('No conversation with this folder yet.\n');
  for (const { id, agent, title, messages, updatedAt } of found) {
    const count = `${messages} message${messages === 1 ? '' : 's'}`;
    printResult(`${id}  ${new Date(updatedAt).toISOString()}  ${agent}  ${count}  ${title}\n`);
  }
  return 0;
}

/** Returns the conversation, or the sentence that says why there is none. */
async function beginOrContinue(
  { parsed, sessionFolder }: ReadyFolder,
  { conversation, agent }: Options,
): Promise<FileConversation | string> {
  const found = conversation === undefined ? undefined : await fileConversations(sessionFolder).read(conversation);
  if (conversation !== undefined && found === undefined) {
    return `There is no conversation ${conversation} with this folder. callboard chat FOLDER --list shows them.`;
  }
  if (found !== undefined && agent !== undefined && agent !== found.agent) {
    return `The conversation is with '${found.agent}'. Leave out --agent, or begin a new conversation with '${agent}'.`;
  }
  const entry = runnable(parsed, { agent: found?.agent ?? agent });
  if (!entry.ok) return entry.error.message;
  return found ?? { id: randomUUID(), agent: entry.value.entry.name, title: '', messages: 0, updatedAt: 0 };
}

/** Answers one message after another until the input ends. Returns the exit code. */
async function converse(here: Here, begun: FileConversation, lines: LineReader, options: Options): Promise<number> {
  const isTerminal = process.stdin.isTTY === true && process.stderr.isTTY === true;
  const kept = fileConversations(here.ready.sessionFolder);
  const interrupts = watchInterrupts();
  const screen: ChatScreen = {
    answer: (text) => (process.stdout.isTTY ? process.stdout.write(terminalText(text)) : printResult(text)),
    note: printNote,
    streams: process.stdout.isTTY === true,
  };
  let conversation = begun;
  let unanswered = 0;
  printNote(
    `Conversation ${begun.id} with ${begun.agent}.${isTerminal ? ' Ctrl-C stops an answer, Ctrl-D ends.' : ''}\n`,
  );
  try {
    for (;;) {
      if (isTerminal) printNote('> ');
      const message = await lines.next(interrupts.ended);
      if (message === undefined) break;
      if (message.trim() === '') continue;
      conversation = {
        ...conversation,
        title: conversation.title || cutText(wellFormed(message).trim(), 80),
        messages: conversation.messages + 1,
        updatedAt: systemClock.now(),
      };
      await kept.save(conversation);
      if (!(await answer(here, { conversation, message, lines, interrupts, screen, options }))) unanswered += 1;
    }
    if (isTerminal) printNote('\n');
    if (interrupts.ended.aborted) return 130;
    return unanswered > 0 && !isTerminal ? 1 : 0;
  } finally {
    interrupts.close();
  }
}

interface Asked {
  readonly conversation: FileConversation;
  readonly message: string;
  readonly lines: LineReader;
  readonly interrupts: Interrupts;
  readonly screen: ChatScreen;
  readonly options: Options;
}

/** Runs one turn. Returns true if it was answered. */
async function answer(
  here: Here,
  { conversation, message, lines, interrupts, screen, options }: Asked,
): Promise<boolean> {
  const output = turnOutput(screen);
  // In a terminal, what was typed before a question is a further message and not its answer.
  const from = process.stdin.isTTY ? 'now' : undefined;
  const people = asksHere(options)
    ? terminalPeople({ input: process.stdin, output: process.stderr }, { next: (signal) => lines.next(signal, from) })
    : undefined;
  const events = numberedEvents(
    (event) => {
      people?.note(event);
      output.event(event);
    },
    (delta) => output.delta(delta),
  );
  const { id, agent } = conversation;
  const request = {
    correlationId: brandAs<CorrelationId>(id),
    agent,
    message,
    model: options.model,
    conversation: id,
  };
  const outcome = await runHere(here, request, { events, people, signal: interrupts.beginTurn() });
  interrupts.endTurn();
  output.end(outcome);
  return outcome.status === 'completed';
}

/** The first Ctrl-C of a turn stops it. A second one, or SIGTERM, ends the chat. */
interface Interrupts {
  /** Aborts when the chat shall end. */
  readonly ended: AbortSignal;
  /** Returns the signal that stops the turn. */
  beginTurn(): AbortSignal;
  endTurn(): void;
  close(): void;
}

function watchInterrupts(): Interrupts {
  const end = new AbortController();
  let turn: AbortController | undefined;
  const onInterrupt = () => {
    if (turn !== undefined && !turn.signal.aborted) turn.abort();
    else if (turn !== undefined || !process.stdin.isTTY) onEnd();
    else printNote('\n(Ctrl-D ends the conversation.)\n> ');
  };
  const onEnd = () => {
    turn?.abort();
    end.abort();
  };
  process.on('SIGINT', onInterrupt);
  process.on('SIGTERM', onEnd);
  return {
    ended: end.signal,
    beginTurn() {
      turn = new AbortController();
      if (end.signal.aborted) turn.abort();
      return turn.signal;
    },
    endTurn() {
      turn = undefined;
    },
    close() {
      process.off('SIGINT', onInterrupt);
      process.off('SIGTERM', onEnd);
    },
  };
}
