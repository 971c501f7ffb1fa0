import type { Issue } from '@/lib/base/issue';
import type { Result } from '@/lib/base/result';
import type { CodeRef } from '@/lib/cards/card';
import { languageOf, scanCode } from '@/lib/cards/code/code-scan';
import { renameAgent } from '@/lib/cards/edit/rename-agent';
import { renameFiles } from '@/lib/cards/edit/rename-file';
import { renameServer } from '@/lib/cards/edit/rename-server';
import type { Folder, FolderFile } from '@/lib/cards/folder';
import type { ParsedFolder } from '@/lib/cards/parsed-folder';
import { readFolder } from '@/lib/cards/project/read-folder';
import { membersOf } from '@/lib/cards/read/members';
import { codeRefsOf } from './code-refs';
import type { ReadProject } from './project-side';
import { isSimilar, pairSimilar } from './similar';

/*
 * Finds what was only renamed, and repeats the renaming in the folder before. So the two folders can be compared by name, and what still
 * differs is a real change.
 *
 *   before ──files──▶ ──agents──▶ ──servers──▶ before, with the names of after
 *   functions: by a table, because texts of code are not edited
 */

export interface Renames {
  /** Old path → new path. */
  readonly files: ReadonlyMap<string, string>;
  readonly agents: ReadonlyMap<string, string>;
  readonly servers: ReadonlyMap<string, string>;
  /** Old function → new function, as `file:function` with the new path. */
  readonly functions: ReadonlyMap<string, string>;
}

export interface Aligned extends Renames {
  readonly before: ReadProject;
  /** The folder as it was, without the renaming. */
  readonly original: Folder;
}

type Edits = ReadonlyMap<string, FolderFile | string | null | undefined>;

export function alignBefore(before: ReadProject, after: ReadProject): Aligned {
  const files = movedFiles(before, after);
  let now = edited(before, files.size === 0 ? undefined : renameFiles(before.folder, files));
  for (const [from, { to, file }] of renamedAgents(now, after)) {
    now = edited(now, renameAgent(now.folder, from, to, file));
  }
  const servers = renamedServers(now.parsed, after.parsed);
  for (const [from, to] of servers) now = edited(now, renameServer(now.folder, from, to));
  return {
    before: now,
    original: before.folder,
    files,
    agents: agentsOf(before.parsed, now.parsed, after.parsed, files),
    servers: new Map([...servers].filter(([, to]) => Object.hasOwn(now.parsed.config.servers, to))),
    functions: renamedFunctions(now, after),
  };
}

/** A folder that cannot be edited stays as it was, so that its names count as removed and added. */
function edited(project: ReadProject, change: Result<Edits, Issue> | undefined): ReadProject {
  if (!change?.ok || change.value.size === 0) return project;
  const folder = new Map<string, FolderFile>(project.folder);
  for (const [path, file] of change.value) {
    if (file === null || file === undefined) folder.delete(path);
    else folder.set(path, typeof file === 'string' ? { kind: 'text', text: file } : file);
  }
  return { folder, parsed: readFolder(folder) };
}

/** A card moved if its name is the same; any other file if most of its lines are. */
function movedFiles(before: ReadProject, after: ReadProject): ReadonlyMap<string, string> {
  const isGone = (path: string) => !after.folder.has(path);
  const isNew = (path: string) => !before.folder.has(path);
  if (![...before.folder.keys()].some(isGone) || ![...after.folder.keys()].some(isNew)) return new Map();
  const byName = new Map(after.parsed.cards.map((card) => [card.name, card.file]));
  const cards = before.parsed.cards.flatMap(({ name, file }): [string, string][] => {
    const to = byName.get(name);
    return to !== undefined && isGone(file) && isNew(to) && isYaml(file) === isYaml(to) ? [[file, to]] : [];
  });
  const found = new Map(cards);
  const taken = new Set(found.values());
  for (const role of ['card', 'code', 'document', 'skill'] as const) {
    const gone = textsOf(before, (path) => isGone(path) && !found.has(path) && before.parsed.roles.get(path) === role);
    const fresh = textsOf(after, (path) => isNew(path) && !taken.has(path) && after.parsed.roles.get(path) === role);
    for (const [from, to] of pairSimilar(gone, fresh)) if (isYaml(from) === isYaml(to)) found.set(from, to);
  }
  return found;
}

/** A card in Markdown cannot be read at a path of YAML, and the other way about. */
const isYaml = (path: string) => /\.ya?ml$/i.test(path);

function textsOf({ folder }: ReadProject, isWanted: (path: string) => boolean): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  for (const [path, file] of folder) if (file.kind === 'text' && isWanted(path)) texts.set(path, file.text);
  return texts;
}

/** Pairs agents whose name is only on one side, by their file. Files were paired by similarity before. */
function renamedAgents(
  { parsed: before }: ReadProject,
  { parsed: after }: ReadProject,
): ReadonlyMap<string, { readonly to: string; readonly file: string }> {
  const [old, now] = [before, after].map(({ cards }) => new Set(cards.map(({ name }) => name)));
  const byFile = new Map(after.cards.map((card) => [card.file, card.name]));
  const found = new Map<string, { to: string; file: string }>();
  for (const { name, file } of before.cards) {
    const to = byFile.get(file);
    if (to === undefined || to === name || now?.has(name) || old?.has(to) || isMentioned(before, to)) continue;
    found.set(name, { to, file });
  }
  return found;
}

/** Compares the names of the cards, because a card without a name is renamed with its file. */
function agentsOf(
  before: ParsedFolder,
  aligned: ParsedFolder,
  after: ParsedFolder,
  files: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  const names = new Map(aligned.cards.map((card) => [card.file, card.name]));
  const kept = new Set(after.cards.map(({ name }) => name));
  return new Map(
    before.cards.flatMap(({ name, file }): [string, string][] => {
      const to = names.get(files.get(file) ?? file);
      return to === undefined || to === name || !kept.has(to) ? [] : [[name, to]];
    }),
  );
}

/**
 * True if a card or callboard.yaml names something that does not exist yet. What is written for that name begins to count when
 * something gets it, so that is no renaming.
 */
function isMentioned({ cards, settings }: ParsedFolder, name: string): boolean {
  const { canvas: _, ...rest } = settings;
  const text = JSON.stringify(rest);
  return (
    [`"${name}"`, `"${name}__`, `__${name}"`].some((mention) => text.includes(mention)) ||
    cards.some((card) => membersOf(card).includes(name) || ('servers' in card && card.servers.includes(name)))
  );
}

/** A server was renamed if it starts the same command or has the same address. */
function renamedServers(parsed: ParsedFolder, { config: after }: ParsedFolder): ReadonlyMap<string, string> {
  const { config: before } = parsed;
  const launch = (name: string, { servers }: typeof before) => {
    const server = servers[name];
    return JSON.stringify([server?.transport, server?.command, server?.args, server?.url]);
  };
  const fresh = Object.keys(after.servers).filter(
    (name) => !Object.hasOwn(before.servers, name) && !isMentioned(parsed, name),
  );
  const found = new Map<string, string>();
  for (const from of Object.keys(before.servers)) {
    if (Object.hasOwn(after.servers, from)) continue;
    const at = fresh.findIndex((to) => launch(from, before) === launch(to, after));
    const [to] = at === -1 ? [] : fresh.splice(at, 1);
    if (to !== undefined) found.set(from, to);
  }
  return found;
}

/** Pairs functions of the same file that are used on one side only and whose text is alike. */
function renamedFunctions(before: ReadProject, after: ReadProject): ReadonlyMap<string, string> {
  const [old, now] = [before, after].map(({ parsed }) => codeRefsOf(parsed).map(({ code }) => code));
  const found = new Map<string, string>();
  for (const from of onlyIn(old ?? [], now ?? [])) {
    const text = bodyOf(before.folder, from);
    if (text === undefined || bodyOf(after.folder, from) !== undefined) continue;
    for (const to of onlyIn(now ?? [], old ?? [])) {
      if (to.file !== from.file || bodyOf(before.folder, to) !== undefined) continue;
      const other = bodyOf(after.folder, to);
      if (other === undefined || !isSimilar(text.replaceAll(from.functionName, to.functionName), other)) continue;
      if (![...found.values()].includes(codeKey(to))) found.set(codeKey(from), codeKey(to));
      break;
    }
  }
  return found;
}

function onlyIn(list: readonly CodeRef[], other: readonly CodeRef[]): CodeRef[] {
  const others = new Set(other.map(codeKey));
  const known = new Map(list.map((code) => [codeKey(code), code]));
  return [...known].flatMap(([key, code]) => (others.has(key) ? [] : [code]));
}

export function codeKey({ file, functionName }: Pick<CodeRef, 'file' | 'functionName'>): string {
  return `${file}:${functionName}`;
}

/** Returns the lines from the definition of a function to the next one. */
function bodyOf(folder: Folder, { file: path, functionName }: CodeRef): string | undefined {
  const [file, language] = [folder.get(path), languageOf(path)];
  if (file?.kind !== 'text' || language === undefined) return undefined;
  const { known } = scanCode(language, file.text);
  const line = known.get(functionName)?.line;
  if (line === undefined) return undefined;
  const next = Math.min(...[...known.values()].map((one) => one.line).filter((one) => one > line));
  return file.text
    .split('\n')
    .slice(line - 1, next === Infinity ? undefined : next - 1)
    .join('\n');
}
