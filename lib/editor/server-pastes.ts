import { isRecord, type Json, type JsonObject } from '@/lib/base/json';
import { originOf } from '@/lib/base/server-form';
import { inDoubleQuotes, splitCommand } from '@/lib/base/split-command';
import type { ServerConfig } from '@/lib/cards/config';
import { PastedSecrets } from '@/lib/cards/edit/pasted-secrets';
import { readPastedServers } from '@/lib/cards/edit/pasted-servers';
import { replaceServer, setServerArguments } from '@/lib/cards/edit/server-transport';
import { secretsToSet } from './clipboard';
import type { Editing } from './editing';
import type { ProjectStore } from './project-store';

/** Commands for texts that are pasted into the form of a server. Each returns false for a text that the field takes as it is. */
export function serverPastes({ folder, drawn, applyOne }: Editing, actions: ProjectStore['actions']) {
  const say = (sentences: readonly string[]) => {
    if (sentences.length > 0) actions.notify({ tone: 'info', text: sentences.join(' ') });
  };

  /**
   * Takes a command line, an address, or the entry of one server in the form of another program. Says why not for several servers
   * and for other JSON.
   */
  function pasteIntoServer(name: string, text: string): boolean {
    const pasted = readPastedServers(text);
    const [entry, ...others] = Object.values(pasted?.servers ?? {});
    if (pasted === undefined || entry === undefined) {
      if (!/^\s*(?:\{|```)/.test(text)) return false;
      actions.notify({ tone: 'bad', text: 'The pasted text has no settings of an MCP server.' });
      return true;
    }
    if (others.length > 0) {
      const problem = `The pasted text has ${others.length + 1} servers. Paste it on the canvas to add them.`;
      actions.notify({ tone: 'bad', text: problem });
      return true;
    }
    const server = drawn().config.servers[name];
    // Another address of the same place without secrets is text that the field takes as it is.
    const isPlain = pasted.kind === 'address' && server?.url !== undefined && entry.url === text.trim();
    if (isPlain && originOf(String(entry.url)) === originOf(server.url ?? '')) return false;
    // Variables before a command are added to those of the server.
    const isAdding = pasted.kind === 'command' && entry.env !== undefined;
    const taken: JsonObject = isAdding ? { ...entry, env: withEnv(server, entry.env ?? {}) } : entry;
    const change = replaceServer(folder(), drawn(), name, taken);
    if (applyOne(change, { label: `Paste into ${name}`, brought: true }))
      say([...secretsToSet(pasted.secrets), ...pasted.remarks]);
    return true;
  }

  /** Takes a text of several words in place of an argument, or a whole command line. Secrets become names of secrets. */
  function pasteArguments(name: string, index: number, text: string): boolean {
    if (readPastedServers(text) !== undefined && splitCommand(text.trim(), inDoubleQuotes).words.length > 1)
      return pasteIntoServer(name, text);
    const { words, open } = splitCommand(text.replace(/[\\^`]\r?\n\s*/g, ' ').trim(), inDoubleQuotes);
    if (open !== '' || words.length === 0) return false;
    const { args } = drawn().config.servers[name] ?? { args: [] };
    const secrets = new PastedSecrets();
    // With the argument before, which may be an option such as `--token`.
    const read = secrets.inArguments([...args.slice(0, index), ...words], name).slice(index);
    if (words.length === 1 && read[0] === words[0]) return false;
    const next = [...args.slice(0, index), ...read, ...args.slice(index + 1)];
    if (applyOne(setServerArguments(folder(), drawn(), name, next), { label: `Arguments of ${name}`, brought: true }))
      say(secretsToSet(secrets.names));
    return true;
  }

  return { pasteIntoServer, pasteArguments };
}

function withEnv(server: ServerConfig | undefined, env: Json): JsonObject {
  return { ...server?.env, ...(isRecord(env) ? env : {}) };
}
