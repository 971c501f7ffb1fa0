import { err, ok, type Result } from '@/lib/base/result';
import { splitCommand } from '@/lib/base/split-command';
import { trimEndOf } from '@/lib/base/trim';

/** A parsed one-line `target`, as in fast-agent. */
export type Target =
  | { readonly transport: 'http' | 'sse'; readonly url: string }
  | { readonly transport: 'stdio'; readonly command: string; readonly args: readonly string[] };

/**
 * Parses `http(s)://…` (SSE if it ends in `/sse`; otherwise HTTP, with `/mcp` appended unless it ends in it or has a query),
 * `@scope/pkg …` (run by npx), or a command line. The error is a sentence.
 */
export function parseTarget(text: string): Result<Target, string> {
  const target = text.trim();
  if (target === '') return err('The target is blank. Write a URL, a package or a command.');
  if (/^https?:\/\//i.test(target)) {
    return /\s/.test(target) ? err(`'${target}' has text after the URL. Remove it.`) : parseUrl(target);
  }
  const words = splitWords(target);
  if (!words.ok) return words;
  const [command = '', ...args] = words.value;
  if (command.startsWith('@') && command !== '@')
    return ok({ transport: 'stdio', command: 'npx', args: [command, ...args] });
  if (command === '@' || (/^(?:npx|uvx)$/.test(command) && args.length === 0)) {
    return err(`'${target}' names no package. Write one after it.`);
  }
  return ok({ transport: 'stdio', command, args });
}

/** Returns the default name of a server: the host, or the last part of the package or command. */
export function targetName(target: Target): string {
  if (target.transport !== 'stdio') return new URL(target.url).hostname.replaceAll(/[^\w-]/g, '_');
  const isRunner = /^(npx|uvx)$/.test(target.command);
  const name = isRunner ? (target.args.find((word) => !word.startsWith('-')) ?? target.command) : target.command;
  const last = name.slice(name.lastIndexOf('/') + 1);
  const version = last.indexOf('@', 1);
  return version === -1 ? last : last.slice(0, version);
}

function parseUrl(target: string): Result<Target, string> {
  if (!URL.canParse(target)) return err(`'${target}' is not a URL. Correct it.`);
  const url = new URL(target);
  const path = trimEndOf(url.pathname, '/');
  if (path.endsWith('/sse')) return ok({ transport: 'sse', url: target });
  if (path.endsWith('/mcp') || url.search !== '') return ok({ transport: 'http', url: target });
  return ok({ transport: 'http', url: `${trimEndOf(target, '/')}/mcp` });
}

/** Splits a command line as a POSIX shell does, with quotes and backslashes but without expansion. */
function splitWords(line: string): Result<string[], string> {
  const { words, open } = splitCommand(line, (quote) => quote !== "'");
  return open === '' ? ok(words) : err(`A ${open} is not closed in '${line}'. Close it.`);
}
