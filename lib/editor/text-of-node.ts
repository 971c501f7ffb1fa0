import { definitionLine } from '@/lib/cards/edit/new-function';
import type { Folder } from '@/lib/cards/folder';
import type { ParsedFolder } from '@/lib/cards/parsed-folder';
import { locateKey } from '@/lib/cards/read/locate';
import type { GraphNode } from '@/lib/graph/graph';
import { textAt } from './document';

/** A file, and where in it something begins. Lines and columns count from 1. */
export interface TextOfNode {
  readonly file: string;
  /** Absent if the whole file is about the node. */
  readonly line?: number;
  readonly column?: number;
}

/**
 * Returns the text that defines a node: the card of an agent, the entry of a server in the config or in the card that
 * connects to it, the code of a function tool. Returns `undefined` if the folder has no such text.
 */
export function textOfNode(folder: Folder, parsed: ParsedFolder, node: GraphNode): TextOfNode | undefined {
  switch (node.kind) {
    case 'agent':
      return node.missing ? undefined : { file: node.file };
    case 'server':
      return textOfServer(folder, parsed, node.name);
    case 'function':
      return textOfFunction(folder, node.file, node.name);
    case 'builtin':
      return undefined;
  }
}

function textOfServer(folder: Folder, { config, cards }: ParsedFolder, name: string): TextOfNode | undefined {
  if (config.file !== undefined && Object.hasOwn(config.servers, name)) {
    return { file: config.file, ...placeOfKey(folder, config.file, ['mcp', 'servers', name]) };
  }
  for (const card of cards) {
    const entries = card.type === 'agent' ? card.mcpConnect : [];
    const index = entries.findIndex((entry) => entry.name === name);
    if (index === -1) continue;
    return { file: card.file, ...placeOfKey(folder, card.file, ['mcp_connect', name], ['mcp_connect']) };
  }
  return undefined;
}

/** Returns where the first of the keys is that the file has. */
function placeOfKey(folder: Folder, file: string, ...paths: readonly (readonly string[])[]) {
  const at = paths.map((path) => locateKey(folder, file, path)).find((found) => found !== undefined);
  return { line: at?.line ?? 1, column: at?.column ?? 1 };
}

function textOfFunction(folder: Folder, file: string, name: string): TextOfNode | undefined {
  if (textAt(folder, file) === undefined) return undefined;
  return { file, line: definitionLine(folder, file, name) ?? 1, column: 1 };
}
