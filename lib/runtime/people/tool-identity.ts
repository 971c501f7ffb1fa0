import { type Json, parseJson } from '@/lib/base/json';
import { oncePer } from '@/lib/base/once-per';
import { own } from '@/lib/base/own';
import type { PendingTool } from '@/lib/base/pending';
import type { Card } from '@/lib/cards/card';
import type { Folder } from '@/lib/cards/folder';
import type { ParsedFolder } from '@/lib/cards/parsed-folder';
import type { ToolDescriptor } from '@/lib/runtime/ports';
import { argumentsHashOf } from './arguments-hash';

/**
 * Returns what an approval is bound to beside the arguments. The hash covers the tool's description and schema, and what
 * answers a call of it: the server's entry in the config, the card of the child, or the code of the project. Another server behind
 * a name, a child with other tools, or a function with other code, is another tool.
 */
export function pendingToolOf(tool: ToolDescriptor, { parsed, folder }: ToolHome, child?: Card): PendingTool {
  const { name, source, serverName, remoteName, description, inputSchema } = tool;
  const server = serverName === undefined ? undefined : own(parsed.config.servers, serverName);
  const code = source === 'function' ? codeHashOf(folder) : null;
  const behind: Json = child ? cardHashOf(child) : (server?.raw ?? code);
  return {
    name,
    source,
    ...(serverName !== undefined && { serverName }),
    ...(remoteName !== undefined && { remoteName }),
    schemaHash: argumentsHashOf([description, inputSchema, behind]),
  };
}

/** Where a tool comes from. */
interface ToolHome {
  readonly parsed: Pick<ParsedFolder, 'config'>;
  readonly folder: Folder;
}

/**
 * Returns a hash over all code of the folder. Which of the files a function reaches is not known before it runs: imports may be
 * computed, and Python finds modules by name.
 */
const codeHashOf = oncePer((folder: Folder): string =>
  argumentsHashOf(
    [...folder]
      .flatMap(([path, file]) => (file.kind === 'text' && codeFile.test(path) ? [[path, file.text]] : []))
      .sort(([a = ''], [b = '']) => (a < b ? -1 : 1)),
  ),
);
const codeFile = /\.(?:py|[cm]?[jt]s)$/i;

/** Returns a hash over all that a card says. */
export const cardHashOf = oncePer((card: Card): string => argumentsHashOf(parseJson(JSON.stringify(card)) ?? null));
