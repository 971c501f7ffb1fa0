import { canonicalJson } from '@/lib/base/canonical-json';
import type { Issue } from '@/lib/base/issue';
import { isJson } from '@/lib/base/json';
import { ok, type Result } from '@/lib/base/result';
import { FolderDraft } from '@/lib/cards/edit/draft';
import { renameAgent } from '@/lib/cards/edit/rename-agent';
import { renameFiles } from '@/lib/cards/edit/rename-file';
import { renameServer } from '@/lib/cards/edit/rename-server';
import { settingsName } from '@/lib/cards/file-role';
import type { Folder, FolderFile } from '@/lib/cards/folder';
import { readFolder } from '@/lib/cards/project/read-folder';
import { membersOf } from '@/lib/cards/read/members';
import type { ReadProject } from '@/lib/graph/changes/project-side';
import { mergeSettings } from './merge-settings';
import { type Slice, sliceConfig } from './slice-project';

/** A server or a file that is in both projects, and differs. */
export interface Clash {
  readonly kind: 'server' | 'file';
  readonly name: string;
}

/** `both` adds it under a free name, and what came with it uses that. `here` lets what came use the one of this project. */
export type ClashAnswer = 'both' | 'here';

export interface Merged {
  /** New texts by path. */
  readonly texts: ReadonlyMap<string, string>;
  /** The names of the agents that were added. */
  readonly agents: readonly string[];
  /** The names of the servers that were added. */
  readonly servers: readonly string[];
  /** Sentences that say what did not come along. */
  readonly missing: readonly string[];
}

/** Returns what a person has to decide before the slice can come into the project. */
export function findClashes({ folder, parsed }: ReadProject, slice: Slice): Clash[] {
  const cards = cardFiles(slice.folder);
  const files = [...slice.folder].filter(([path, file]) => {
    const here = folder.get(path);
    const isPart = path === sliceConfig || path === settingsName || cards.has(path);
    return !isPart && here !== undefined && !isSameText(here, file);
  });
  const servers = Object.entries(readFolder(slice.folder).config.servers).filter(([name, { raw }]) => {
    const here = Object.hasOwn(parsed.config.servers, name) ? parsed.config.servers[name]?.raw : undefined;
    return here !== undefined && canonicalJson(here) !== canonicalJson(raw);
  });
  return [
    ...servers.map(([name]) => ({ kind: 'server' as const, name })),
    ...files.map(([name]) => ({ kind: 'file' as const, name })),
  ];
}

/**
 * Brings agents into a project as new ones. An agent whose name is taken gets a free name, and all that came with it follows. No
 * agent that came is the default. What is the same in both projects is shared. `answers` decides about the rest by `kind name`;
 * without an answer both are kept. The error is an Issue when a file here cannot be edited.
 */
export function mergeSlice(
  project: ReadProject,
  slice: Slice,
  answers: ReadonlyMap<string, ClashAnswer> = new Map(),
): Result<Merged, Issue> {
  const named = withFreeNames(project, slice.folder);
  if (!named.ok) return named;
  const filed = withFreeFiles(project, named.value.folder, answers);
  if (!filed.ok) return filed;
  const served = withFreeServers(project, filed.value, answers);
  if (!served.ok) return served;
  const arrived = served.value.folder;
  const came = { folder: arrived, parsed: readFolder(arrived) };
  const draft = new FolderDraft(project.folder);
  const paths = freePaths(project.folder, came.parsed.cards);
  for (const card of came.parsed.cards) {
    const own = new FolderDraft(arrived);
    own.card(card.file, { op: 'remove', path: ['default'] });
    const text = own.changes();
    if (!text.ok) return text;
    draft.write(paths.get(card.file) ?? card.file, own.text(card.file) ?? '');
  }
  const cards = new Set(came.parsed.cards.map(({ file }) => file));
  for (const [path, file] of arrived) {
    const isPart = path === sliceConfig || path === settingsName || cards.has(path);
    if (!isPart && file.kind === 'text' && !project.folder.has(path)) draft.write(path, file.text);
  }
  const added = addServers(draft, project, came);
  const unset = mergeSettings(draft, project, { came, renamed: named.value.renamed });
  const changes = draft.changes();
  if (!changes.ok) return changes;
  const texts = new Map([...changes.value].flatMap(([path, text]) => (text === null ? [] : [[path, text] as const])));
  return ok({
    texts,
    agents: came.parsed.cards.map(({ name }) => name),
    servers: added,
    missing: [
      ...missingParts(project, slice, { added, renamed: served.value.renamed }),
      ...unset,
      ...missingAgents(project, came),
    ],
  });
}

export const clashKey = ({ kind, name }: Clash): string => `${kind} ${name}`;

interface Named {
  readonly folder: Folder;
  /** The new names by the old ones, of those that were renamed. */
  readonly renamed: ReadonlyMap<string, string>;
}

function withFreeNames({ parsed }: ReadProject, slice: Folder): Result<Named, Issue> {
  const taken = new Set([...parsed.cards, ...parsed.unread.values()].map(({ name }) => name));
  const renamed = new Map<string, string>();
  const cards = readFolder(slice).cards;
  const coming = new Set(cards.map(({ name }) => name));
  let folder = slice;
  for (const { name, file } of cards) {
    if (!taken.has(name)) {
      taken.add(name);
      continue;
    }
    const stem = name.replace(/-\d+$/, '');
    const free = firstFree(
      (n) => `${stem}-${n}`,
      (one) => taken.has(one) || coming.has(one),
    );
    const edited = renameAgent(folder, name, free, file);
    if (!edited.ok) return edited;
    folder = withTexts(folder, edited.value);
    taken.add(free);
    renamed.set(name, free);
  }
  return ok({ folder, renamed });
}

/** Gives files that differ from those of the project a free path, and drops those that the project's own ones replace. */
function withFreeFiles(
  { folder: here }: ReadProject,
  slice: Folder,
  answers: ReadonlyMap<string, ClashAnswer>,
): Result<Folder, Issue> {
  const cards = cardFiles(slice);
  const moves = new Map<string, string>();
  for (const [path, file] of slice) {
    const own = here.get(path);
    if (own === undefined || path === sliceConfig || path === settingsName || cards.has(path)) continue;
    if (isSameText(own, file) || answers.get(clashKey({ kind: 'file', name: path })) === 'here') continue;
    const taken = new Set([...here.keys(), ...slice.keys(), ...moves.values()].map((one) => one.toLowerCase()));
    const dot = path.lastIndexOf('.') > path.lastIndexOf('/') + 1 ? path.lastIndexOf('.') : path.length;
    const free = (n: number) => `${path.slice(0, dot)}-${n}${path.slice(dot)}`;
    moves.set(
      path,
      firstFree(free, (one) => taken.has(one.toLowerCase())),
    );
  }
  const moved = renameFiles(slice, moves);
  if (!moved.ok) return moved;
  const next = new Map(slice);
  for (const [path, file] of moved.value) {
    if (file === undefined) next.delete(path);
    else next.set(path, file);
  }
  return ok(next);
}

function withFreeServers(
  { parsed }: ReadProject,
  slice: Folder,
  answers: ReadonlyMap<string, ClashAnswer>,
): Result<Named, Issue> {
  let folder = slice;
  const renamed = new Map<string, string>();
  for (const [name, { raw }] of Object.entries(readFolder(slice).config.servers)) {
    const own = Object.hasOwn(parsed.config.servers, name) ? parsed.config.servers[name] : undefined;
    if (own === undefined || canonicalJson(own.raw) === canonicalJson(raw)) continue;
    if (answers.get(clashKey({ kind: 'server', name })) === 'here') continue;
    const coming = readFolder(folder).config.servers;
    const isTaken = (one: string) => Object.hasOwn(parsed.config.servers, one) || Object.hasOwn(coming, one);
    const free = firstFree((n) => `${name}-${n}`, isTaken);
    const edited = renameServer(folder, name, free);
    if (!edited.ok) return edited;
    folder = withTexts(folder, edited.value);
    renamed.set(name, free);
  }
  return ok({ folder, renamed });
}

/** Adds the servers and model references that the project does not have. Returns the names of the servers. */
function addServers(draft: FolderDraft, { parsed }: ReadProject, came: ReadProject): string[] {
  const file = parsed.config.file ?? sliceConfig;
  const written = new FolderDraft(came.folder);
  const added = Object.keys(came.parsed.config.servers).filter((name) => !Object.hasOwn(parsed.config.servers, name));
  for (const name of added) {
    const path = ['mcp', 'servers', name];
    const value = written.read(sliceConfig, path);
    if (isJson(value)) draft.yaml(file, { op: 'set', path, value });
  }
  for (const [namespace, keys] of Object.entries(came.parsed.config.modelReferences)) {
    for (const [key, value] of Object.entries(keys)) {
      const path = ['model_references', namespace, key];
      if (draft.read(file, path) === undefined) draft.yaml(file, { op: 'set', path, value });
    }
  }
  return added;
}

/** Cards keep their paths. Where one is taken, the file gets the name of its agent. */
function freePaths(here: Folder, cards: readonly { readonly file: string; readonly name: string }[]) {
  const paths = new Map<string, string>();
  const taken = new Set([...here.keys()].map((path) => path.toLowerCase()));
  for (const { file, name } of cards) {
    const directory = file.slice(0, file.lastIndexOf('/') + 1);
    const extension = file.slice(file.lastIndexOf('.'));
    const stem = name.replace(/[^\p{L}\p{N}._-]+/gu, '-');
    const candidates = (n: number) => (n === 1 ? file : `${directory}${stem}${n === 2 ? '' : `-${n - 1}`}${extension}`);
    const free = firstFree(candidates, (path) => taken.has(path.toLowerCase()), 1);
    taken.add(free.toLowerCase());
    paths.set(file, free);
  }
  return paths;
}

function missingParts(
  { folder }: ReadProject,
  { beside }: Slice,
  { added, renamed }: { readonly added: readonly string[]; readonly renamed: ReadonlyMap<string, string> },
): string[] {
  const files = beside.files.filter((path) => !folder.has(path));
  const secrets = beside.secrets.map((server) => renamed.get(server) ?? server).filter((name) => added.includes(name));
  return [
    ...files.map((path) => `The file '${path}' is not text and did not come along. Add it here.`),
    ...secrets.map((server) => `The secrets of server '${server}' did not come along. Set them here.`),
  ];
}

function missingAgents({ parsed }: ReadProject, came: ReadProject): string[] {
  const known = new Set([...parsed.cards, ...came.parsed.cards].map(({ name }) => name));
  const named = came.parsed.cards.flatMap((card) => membersOf(card));
  const gone = [...new Set(named)].filter((name) => !known.has(name));
  return gone.map((name) => `Agent '${name}' was not copied and is not here. Copy it too, or make a new one.`);
}

function cardFiles(folder: Folder): ReadonlySet<string> {
  return new Set(readFolder(folder).cards.map(({ file }) => file));
}

function isSameText(a: FolderFile, b: FolderFile): boolean {
  return a.kind === 'text' && b.kind === 'text' && a.text === b.text;
}

function withTexts(folder: Folder, texts: ReadonlyMap<string, string | null>): Folder {
  const next = new Map(folder);
  for (const [path, text] of texts) {
    if (text === null) next.delete(path);
    else next.set(path, { kind: 'text', text });
  }
  return next;
}

function firstFree(make: (n: number) => string, isTaken: (one: string) => boolean, from = 2): string {
  for (let n = from; ; n++) {
    const one = make(n);
    if (!isTaken(one)) return one;
  }
}
