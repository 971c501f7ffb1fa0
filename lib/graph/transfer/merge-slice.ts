import type { Issue } from '@/lib/base/issue';
import { isJson } from '@/lib/base/json';
import { err, ok, type Result } from '@/lib/base/result';
import { generalFile } from '@/lib/cards/config-files';
import { dialects } from '@/lib/cards/dialects/list';
import { FolderDraft } from '@/lib/cards/edit/draft';
import { renameAgents } from '@/lib/cards/edit/rename-agent';
import { renameServer } from '@/lib/cards/edit/rename-server';
import { cannotRead, unreadableSettings, unreadableYaml } from '@/lib/cards/edit/unreadable';
import { roleByName } from '@/lib/cards/file-role';
import type { Folder, FolderFile } from '@/lib/cards/folder';
import type { ParsedFolder } from '@/lib/cards/parsed-folder';
import { membersOf } from '@/lib/cards/read/members';
import { sameFile } from '@/lib/cards/same-file';
import { sameOnDisk } from '@/lib/cards/same-on-disk';
import type { YamlEdit } from '@/lib/cards/yaml/yaml-edit';
import type { ReadProject } from '@/lib/graph/changes/project-side';
import { firstFree, plainFiles, twinsIn, withFreeFiles } from './free-files';
import { mergeSettings } from './merge-settings';
import { lostConfig, strangers } from './relied-on';
import { isSame } from './settings-values';
import { readSlice, serversFileOf, sliceConfig } from './slice-config';
import { type Slice, serverInSecrets } from './slice-project';

/** A server or a file that is in both projects, and differs. */
export interface Clash {
  readonly kind: 'server' | 'file';
  readonly name: string;
}

/** `both` adds it under a free name, and what came with it uses that. `here` lets what came use the one of this project. */
export type ClashAnswer = 'both' | 'here';

export interface Merged {
  /** New files by path. */
  readonly files: ReadonlyMap<string, FolderFile>;
  /** The names of the agents that were added. */
  readonly agents: readonly string[];
  /** The names of the servers that were added. */
  readonly servers: readonly string[];
  /** Sentences that say what did not come along. */
  readonly missing: readonly string[];
}

/** Returns what a person has to decide before the slice can come into the project. */
export function findClashes(project: ReadProject, slice: Slice): Clash[] {
  const isPlain = plainFiles(slice.folder);
  const twin = twinsIn(project.folder);
  const files = [...slice.folder].filter(([path, file]) => {
    const own = twin(path);
    return isPlain(path) && own !== undefined && !sameFile(project.folder.get(own), file);
  });
  const coming = readSlice(slice.folder);
  const servers = Object.keys(coming.config.servers).filter(
    clashingServer(project, { folder: slice.folder, parsed: coming }),
  );
  return [
    ...servers.map((name) => ({ kind: 'server' as const, name })),
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
  const refused = otherFormat(project, readSlice(slice.folder));
  if (refused !== undefined) return err(refused);
  const unread = unreadableParts(project, slice);
  if (unread !== undefined) return err(unread);
  const named = withFreeNames(project, slice.folder);
  if (!named.ok) return named;
  const isReplaced = (kind: Clash['kind']) => (name: string) => answers.get(clashKey({ kind, name })) === 'here';
  const filed = withFreeFiles(project.folder, named.value.folder, isReplaced('file'));
  if (!filed.ok) return filed;
  const served = withFreeServers(project, filed.value.folder, isReplaced('server'));
  if (!served.ok) return served;
  const arrived = served.value.folder;
  const came = { folder: arrived, parsed: readSlice(arrived) };
  const draft = new FolderDraft(project.folder);
  const written = writeCards(draft, project.folder, came);
  if (!written.ok) return written;
  const isPlain = plainFiles(arrived);
  const files = new Map([...arrived].filter(([path]) => isPlain(path) && !project.folder.has(path)));
  const added = addServers(draft, project, came);
  const unset = mergeSettings(draft, project, {
    came,
    copied: slice.folder,
    renamed: named.value.renamed,
    servers: added.names,
  });
  const changes = draft.changes();
  if (!changes.ok) return changes;
  for (const [path, text] of changes.value) if (text !== null) files.set(path, { kind: 'text', text });
  return ok({
    files,
    agents: came.parsed.cards.map(({ name }) => name),
    servers: added.names,
    missing: [
      ...missingParts(project, slice, { added: added.names, renamed: served.value.renamed }),
      ...filed.value.notes,
      ...added.notes,
      ...unset,
      ...lostConfig(project, slice.beside.reliedOn ?? {}),
      ...strangers(project, came.parsed.cards, slice.beside.reliedOn ?? {}),
      ...missingAgents(project, came),
    ],
  });
}

/** Agents of another format would be files that nobody reads, or would take the place of those that are here. */
function otherFormat({ parsed }: ReadProject, coming: ParsedFolder): Issue | undefined {
  const [card] = coming.cards;
  const isEmpty = parsed.dialect === undefined && parsed.cards.length === 0 && parsed.unread.size === 0;
  if (card === undefined || isEmpty || coming.dialect === parsed.dialect) return undefined;
  const formatOf = ({ dialect }: ParsedFolder) => {
    const name = dialects.find(({ id }) => id === dialect)?.name;
    return name === undefined ? 'AgentCards' : `agents of ${name}`;
  };
  const message = `What comes has ${formatOf(coming)}, and this project has ${formatOf(parsed)}. The agents of a project have one format. Import them as a project of their own.`;
  return { code: 'cannot-edit', severity: 'error', stage: 'callboard', file: card.file, line: 1, column: 1, message };
}

/** What `callboard.yaml` says of agents cannot come, and what it has under the names of those that come cannot be seen. */
function unreadableParts({ folder, parsed }: ReadProject, slice: Slice): Issue | undefined {
  const coming = readSlice(slice.folder);
  const [torn] = unreadableSettings(slice.folder, coming);
  if (torn !== undefined) return cannotRead(torn, 'in what was copied. Correct it there first, and copy again.');
  const own = coming.cards.length === 0 ? undefined : unreadableYaml(folder, parsed.settingsFile);
  return own && cannotRead(own, 'and may name the agents that come. Correct it before pasting.');
}

/** Writes the cards at free paths. The error is an Issue of a card that cannot be edited. */
function writeCards(draft: FolderDraft, here: Folder, { folder, parsed }: ReadProject): Result<undefined, Issue> {
  const paths = freePaths(here, folder, parsed.cards);
  for (const card of parsed.cards) {
    const own = new FolderDraft(folder);
    if (own.read(card.file, ['default']) !== undefined) own.card(card.file, { op: 'remove', path: ['default'] });
    const to = paths.get(card.file) ?? card.file;
    // A card without a name is named by its file.
    if (to !== card.file) own.card(card.file, { op: 'set', path: ['name'], value: card.name });
    const text = own.changes();
    if (!text.ok) return text;
    draft.write(to, own.text(card.file) ?? '');
  }
  return ok(undefined);
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
  const names = new Map<string, string>();
  const { cards } = readSlice(slice);
  const coming = new Set(cards.map(({ name }) => name));
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
    taken.add(free);
    names.set(file, free);
    renamed.set(name, free);
  }
  const edited = renameAgents(slice, names);
  return edited.ok ? ok({ folder: withTexts(slice, edited.value), renamed }) : edited;
}

/** True for a server that the project has too, with other settings. It may be in a secrets file, or be faulty. */
function clashingServer({ folder, parsed }: ReadProject, slice: ReadProject): (name: string) => boolean {
  const [own, theirs] = [new FolderDraft(folder), new FolderDraft(slice.folder)];
  const from = slice.parsed.config.file ?? sliceConfig;
  const isSecret = serverInSecrets({ folder, parsed });
  return (name) => {
    const path = ['mcp', 'servers', name];
    const here = own.read(parsed.config.file ?? sliceConfig, path);
    return here === undefined ? isSecret(name) : !isSame(here, theirs.read(from, path));
  };
}

function withFreeServers(
  project: ReadProject,
  slice: Folder,
  isReplaced: (name: string) => boolean,
): Result<Named, Issue> {
  let folder = slice;
  const renamed = new Map<string, string>();
  const parsed = readSlice(slice);
  const isClash = clashingServer(project, { folder: slice, parsed });
  const own = new FolderDraft(project.folder);
  const file = project.parsed.config.file ?? sliceConfig;
  const isSecret = serverInSecrets(project);
  for (const name of Object.keys(parsed.config.servers)) {
    if (!isClash(name) || isReplaced(name)) continue;
    const coming = readSlice(folder).config.servers;
    const isTaken = (one: string) =>
      own.read(file, ['mcp', 'servers', one]) !== undefined || isSecret(one) || Object.hasOwn(coming, one);
    const free = firstFree((n) => `${name}-${n}`, isTaken);
    const edited = renameServer(folder, name, free);
    if (!edited.ok) return edited;
    folder = withTexts(folder, edited.value);
    renamed.set(name, free);
  }
  return ok({ folder, renamed });
}

/** Adds the servers and model references that the project does not have. Says which references mean another model here. */
function addServers(draft: FolderDraft, { parsed, folder }: ReadProject, came: ReadProject) {
  // The first agents of another program make the project one of theirs.
  const isFirst = came.parsed.dialect !== undefined && parsed.dialect === undefined && came.parsed.cards.length > 0;
  const file = isFirst ? serversFileOf(came.parsed.dialect) : (parsed.config.file ?? sliceConfig);
  const from = came.parsed.config.file ?? sliceConfig;
  const written = new FolderDraft(came.folder);
  const isSecret = serverInSecrets({ parsed, folder });
  const names = Object.keys(came.parsed.config.servers).filter(
    (name) => draft.read(file, ['mcp', 'servers', name]) === undefined && !isSecret(name),
  );
  const edits: YamlEdit[] = names.flatMap((name) => {
    const path = ['mcp', 'servers', name];
    const value = written.read(from, path);
    return isJson(value) ? [{ op: 'set', path, value }] : [];
  });
  const models: YamlEdit[] = [];
  const modelsFile = generalFile(parsed.config) ?? sliceConfig;
  const notes: string[] = [];
  for (const [namespace, keys] of Object.entries(came.parsed.config.modelReferences)) {
    for (const [key, value] of Object.entries(keys)) {
      const path = ['model_references', namespace, key];
      const own = draft.read(modelsFile, path);
      if (own === undefined) models.push({ op: 'set', path, value });
      else if (own !== value)
        notes.push(`The model '$${namespace}.${key}' is '${String(own)}' here, and was '${value}'.`);
    }
  }
  draft.yamlAll(file, edits);
  draft.yamlAll(modelsFile, models);
  return { names, notes };
}

/** Cards keep their paths. Where one is taken, the file gets the name of its agent. */
function freePaths(here: Folder, slice: Folder, cards: readonly { readonly file: string; readonly name: string }[]) {
  const paths = new Map<string, string>();
  const own = new Set(cards.map(({ file }) => file));
  const coming = [...slice.keys()].filter((path) => !own.has(path));
  const taken = new Set([...here.keys(), ...coming].map(sameOnDisk));
  for (const { file, name } of cards) {
    const directory = file.slice(0, file.lastIndexOf('/') + 1);
    const extension = file.slice(file.lastIndexOf('.'));
    const stem = name.replace(/[^\p{L}\p{N}._-]+/gu, '-');
    const candidates = (n: number) => (n === 1 ? file : `${directory}${stem}${n === 2 ? '' : `-${n - 1}`}${extension}`);
    const isTaken = (path: string) => taken.has(sameOnDisk(path)) || (path !== file && roleByName(path) !== undefined);
    const free = firstFree(candidates, isTaken, 1);
    taken.add(sameOnDisk(free));
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
  const rules = (beside.rules ?? []).map(
    (path) =>
      `'${path}' did not come along: it is the instruction of the main agent there. Copy from it what is needed here.`,
  );
  return [
    ...rules,
    ...files.map((path) => `The file '${path}' is not text, or holds secrets, and did not come along. Add it here.`),
    ...secrets.map((server) => `The secrets of server '${server}' did not come along. Set them here.`),
  ];
}

function missingAgents({ parsed }: ReadProject, came: ReadProject): string[] {
  const known = new Set([...parsed.cards, ...came.parsed.cards].map(({ name }) => name));
  const named = came.parsed.cards.flatMap((card) => membersOf(card));
  const gone = [...new Set(named)].filter((name) => !known.has(name));
  return gone.map((name) => `Agent '${name}' was not copied and is not here. Copy it too, or make a new one.`);
}

function withTexts(folder: Folder, texts: ReadonlyMap<string, string | null>): Folder {
  const next = new Map(folder);
  for (const [path, text] of texts) {
    if (text === null) next.delete(path);
    else next.set(path, { kind: 'text', text });
  }
  return next;
}
