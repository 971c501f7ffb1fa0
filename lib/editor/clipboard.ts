import { z } from 'zod';
import { parseJson } from '@/lib/base/json';
import { checkPath } from '@/lib/cards/files';
import type { FolderFile } from '@/lib/cards/folder';
import type { ReadProject } from '@/lib/graph/changes/project-side';
import type { Graph, NodeId } from '@/lib/graph/graph';
import { type Slice, sliceProject } from '@/lib/graph/transfer/slice-project';
import { textFile } from './document';

const mark = 'callboard/agents';

/** Copied agents as text: the files by path, and what could not come along. The first form had files alone. */
const copied = z.object({
  [mark]: z.record(z.string(), z.string()),
  beside: z.object({ files: z.array(z.string()), secrets: z.array(z.string()) }).optional(),
});

/**
 * Returns the chosen agents, with all that belongs to them, as text for the clipboard. Chosen notes and groups come along. Returns
 * `undefined` when no agent is chosen.
 */
export function copyAgents(project: ReadProject, graph: Graph, ids: readonly NodeId[]): string | undefined {
  const chosen = new Set(ids);
  const cards = graph.nodes.flatMap((node) =>
    node.kind === 'agent' && !node.missing && chosen.has(node.id) ? [node.file] : [],
  );
  if (cards.length === 0) return undefined;
  const { folder, beside } = sliceProject(project, new Set(cards), chosen);
  const texts = [...folder].flatMap(([path, file]) => (file.kind === 'text' ? [[path, file.text] as const] : []));
  return JSON.stringify({ [mark]: Object.fromEntries(texts), beside }, null, 2);
}

/** Reads copied agents. Returns `undefined` for any other text. */
export function readCopied(text: string): Slice | undefined {
  const read = copied.safeParse(parseJson(text));
  if (!read.success) return undefined;
  const files = new Map<string, FolderFile>();
  for (const [path, content] of Object.entries(read.data[mark])) {
    if (checkPath(path) !== undefined) return undefined;
    files.set(path, textFile(content));
  }
  return { folder: files, beside: read.data.beside ?? { files: [], secrets: [] } };
}
