import { z } from 'zod';
import type { Issue } from '@/lib/base/issue';
import { isRecord, parseJson } from '@/lib/base/json';
import { ok, type Result } from '@/lib/base/result';
import { mayLackItsFile } from '@/lib/cards/dialects/find-dialect';
import { FolderDraft } from '@/lib/cards/edit/draft';
import { readPastedServers } from '@/lib/cards/edit/pasted-servers';
import { settingsName } from '@/lib/cards/file-role';
import { checkPath } from '@/lib/cards/files';
import type { FolderFile } from '@/lib/cards/folder';
import { pastedCardPath } from '@/lib/cards/pasted-card';
import { readFolder } from '@/lib/cards/project/read-folder';
import { isAnnotation } from '@/lib/graph/annotation-lists';
import type { ReadProject } from '@/lib/graph/changes/project-side';
import type { Graph, NodeId } from '@/lib/graph/graph';
import { readSlice, sliceConfig } from '@/lib/graph/transfer/slice-config';
import { type Slice, sliceFolder, sliceProject, staysBehind } from '@/lib/graph/transfer/slice-project';
import { textFile } from './document';

const mark = 'callboard/agents';

/** Copied agents and servers as text: the files by path, and what could not come along. The first form had files alone. */
const copied = z.object({
  [mark]: z.record(z.string(), z.string()),
  beside: z
    .object({
      files: z.array(z.string()),
      secrets: z.array(z.string()),
      reliedOn: z.record(z.string(), z.string()).optional(),
    })
    .optional(),
});

export interface CopiedNodes {
  readonly text: string;
  /** The chosen nodes that the text brings back. */
  readonly ids: readonly NodeId[];
}

/**
 * Returns the chosen agents and servers, with all that belongs to them, as text for the clipboard. Chosen notes and groups come along.
 * Returns `undefined` when neither an agent nor a configured server is chosen. The error names a file that belongs to them and cannot
 * be read.
 */
export function copyNodes(
  project: ReadProject,
  graph: Graph,
  ids: readonly NodeId[],
): Result<CopiedNodes | undefined, Issue> {
  const chosen = new Set(ids);
  const agents = graph.nodes
    .filter((node) => node.kind === 'agent')
    .filter(({ id, missing }) => !missing && chosen.has(id));
  const own = agents.filter(({ file }) => !mayLackItsFile(file));
  const cards = own.map(({ file }) => file);
  const isAgent = new Set(own.map(({ id }) => id));
  const isConcerned = cards.length > 0 || ids.some((id) => id.startsWith('server:'));
  if (!isConcerned) return ok(undefined);
  const slice = sliceProject(project, new Set(cards), chosen);
  if (!slice.ok) return slice;
  const { folder, beside } = slice.value;
  const servers = new FolderDraft(folder).read(readSlice(folder).config.file ?? sliceConfig, ['mcp', 'servers']);
  // A server with values in a secrets file would not come back whole.
  const whole = new Set(Object.keys(isRecord(servers) ? servers : {}).filter((name) => !beside.secrets.includes(name)));
  const isServer = (id: NodeId) => id.startsWith('server:') && whole.has(id.slice('server:'.length));
  if (cards.length === 0 && !ids.some(isServer)) return ok(undefined);
  const texts = [...folder].flatMap(([path, file]) => (file.kind === 'text' ? [[path, file.text] as const] : []));
  return ok({
    text: JSON.stringify({ [mark]: Object.fromEntries(texts), beside }, null, 2),
    ids: ids.filter((id) => isAgent.has(id) || isAnnotation(id) || isServer(id)),
  });
}

/** Reads copied agents and servers. Returns `undefined` for any other text. */
export function readCopied(text: string): Slice | undefined {
  const read = copied.safeParse(parseJson(text));
  if (!read.success) return undefined;
  const files = new Map<string, FolderFile>();
  for (const [path, content] of Object.entries(read.data[mark])) {
    if (checkPath(path) !== undefined) return undefined;
    // The text may come from anywhere. A second config would take the place of the project's own.
    if (path === sliceConfig || path === settingsName || !staysBehind(path)) files.set(path, textFile(content));
  }
  return { folder: files, beside: read.data.beside ?? { files: [], secrets: [] } };
}

/** Reads a card that was copied as text. It begins with its front matter. `directory` is where the cards of the project are. */
function readCard(text: string, directory: string): Slice | undefined {
  if (!/^---\r?\n/.test(text)) return undefined;
  const folder = new Map([[pastedCardPath(text, directory), textFile(text)]]);
  const slice = sliceFolder({ folder, parsed: readFolder(folder) });
  return slice.ok && readSlice(folder).cards.length > 0 ? slice.value : undefined;
}

/** What a text from the clipboard, or files, bring. */
export interface Pasted {
  readonly slice: Slice;
  /** What a person has to do. */
  readonly next: readonly string[];
  /** True for what was copied in this window. */
  readonly isOwn?: boolean;
}

/**
 * Reads copied agents and servers, a card, or servers in the form of another program. A card gets a path in `directory`. Returns
 * `undefined` for any other text.
 */
export function readPasted(text: string, directory: string): Pasted | undefined {
  const slice = readCopied(text) ?? readCard(text, directory);
  if (slice !== undefined) return { slice, next: [] };
  const pasted = readPastedServers(text);
  if (pasted === undefined) return undefined;
  const draft = new FolderDraft(new Map());
  for (const [name, value] of Object.entries(pasted.servers)) {
    draft.yaml(sliceConfig, { op: 'set', path: ['mcp', 'servers', name], value });
  }
  const folder = new Map([[sliceConfig, textFile(draft.text(sliceConfig) ?? '')]]);
  return {
    slice: { folder, beside: { files: [], secrets: [] } },
    next: [...secretsToSet(pasted.secrets), ...pasted.remarks],
  };
}

/** Says which secrets have no value yet, because values of secrets are never written into a file of the project. */
export function secretsToSet(names: readonly string[]): string[] {
  if (names.length === 0) return [];
  const listed = names.map((name) => `'${name}'`).join(', ');
  return [
    `Set the ${names.length === 1 ? 'secret' : 'secrets'} ${listed} at the server or in Settings. No value was written into the project.`,
  ];
}
