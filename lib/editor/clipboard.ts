import type { Issue } from '@/lib/base/issue';
import { isRecord, parseJson } from '@/lib/base/json';
import { ok, type Result } from '@/lib/base/result';
import { editCard } from '@/lib/cards/edit/edit';
import { renameAgent } from '@/lib/cards/edit/rename-agent';
import { checkPath } from '@/lib/cards/files';
import type { Folder } from '@/lib/cards/folder';
import { readFolder } from '@/lib/cards/project/read-folder';
import type { Graph, NodeId } from '@/lib/graph/graph';
import { fileChanges } from './compose';
import { type FileChanges, textAt, textFile, withChanges } from './document';

const mark = 'callboard/agents';

/** Returns the cards of the chosen agents as text for the clipboard, or `undefined` when no agent is chosen. */
export function copyAgents(folder: Folder, graph: Graph, ids: readonly NodeId[]): string | undefined {
  const files: Record<string, string> = {};
  for (const node of graph.nodes) {
    if (node.kind !== 'agent' || node.missing || !ids.includes(node.id)) continue;
    const text = textAt(folder, node.file);
    if (text !== undefined) files[node.file] = text;
  }
  return Object.keys(files).length === 0 ? undefined : JSON.stringify({ [mark]: files }, null, 2);
}

export interface Pasted {
  readonly changes: FileChanges;
  readonly ids: readonly NodeId[];
}

/**
 * Adds copied cards as new agents. A copy whose name is taken gets a free name, and the other copies refer to it by that
 * name. References to other agents stay. No copy is the default agent. Returns `undefined` if the text was not written by
 * `copyAgents`.
 */
export function pasteAgents(folder: Folder, text: string): Result<Pasted, Issue> | undefined {
  const cards = readCopied(text);
  if (cards === undefined) return undefined;
  const taken = new Set(readFolder(folder).cards.map((card) => card.name));
  let copies: Folder = cards;
  for (const { name, file } of readFolder(cards).cards) {
    if (taken.has(name)) {
      const free = freeName(name, taken);
      const renamed = renameAgent(copies, name, free, file);
      if (!renamed.ok) return renamed;
      copies = withChanges(copies, fileChanges(renamed.value));
      taken.add(free);
    } else taken.add(name);
  }
  const changes = new Map<string, ReturnType<typeof textFile>>();
  const ids: NodeId[] = [];
  for (const card of readFolder(copies).cards) {
    const edited = editCard(textAt(copies, card.file) ?? '', card.file, { op: 'remove', path: ['default'] });
    if (!edited.ok) return edited;
    changes.set(freePath(card.file, card.name, folder, changes), textFile(edited.value));
    ids.push(`agent:${card.name}`);
  }
  return ok({ changes, ids });
}

function readCopied(text: string): Folder | undefined {
  const value = parseJson(text);
  const files = isRecord(value) ? value[mark] : undefined;
  if (!isRecord(files)) return undefined;
  const cards = new Map<string, ReturnType<typeof textFile>>();
  for (const [path, content] of Object.entries(files)) {
    if (typeof content !== 'string' || checkPath(path) !== undefined) return undefined;
    cards.set(path, textFile(content));
  }
  return cards;
}

function freeName(name: string, taken: ReadonlySet<string>): string {
  const stem = name.replace(/-\d+$/, '');
  for (let n = 2; ; n++) if (!taken.has(`${stem}-${n}`)) return `${stem}-${n}`;
}

function freePath(file: string, name: string, folder: Folder, more: ReadonlyMap<string, unknown>): string {
  const free = (path: string) => !folder.has(path) && !more.has(path);
  if (free(file)) return file;
  const directory = file.slice(0, file.lastIndexOf('/') + 1);
  const extension = file.slice(file.lastIndexOf('.'));
  const stem = name.replace(/[^\p{L}\p{N}._-]+/gu, '-');
  for (let n = 1; ; n++) {
    const path = `${directory}${stem}${n === 1 ? '' : `-${n}`}${extension}`;
    if (free(path)) return path;
  }
}
