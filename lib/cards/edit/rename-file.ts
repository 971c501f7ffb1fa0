import type { Issue } from '@/lib/base/issue';
import { isRecord } from '@/lib/base/json';
import { err, ok, type Result } from '@/lib/base/result';
import type { Folder, FolderFile } from '@/lib/cards/folder';
import type { ParsedFolder } from '@/lib/cards/parsed-folder';
import { readFolder } from '@/lib/cards/project/read-folder';
import { joinPath, relativePath } from '@/lib/cards/references';
import type { Path } from '@/lib/cards/yaml/yaml-source';
import { FolderDraft } from './draft';
import { followImports } from './follow-imports';
import { followName } from './rename-agent';
import { cannotRead, unreadMentions } from './unreadable';

/**
 * Moves a file and updates the references to it: code that cards and callboard.yaml name (`file.py:function`), imports of code,
 * history files, directories of skills, `{{file:…}}` in instructions, places of functions on the canvas, and arguments of MCP
 * servers that equal its path. References in a moved card are updated too. A card without a name is named by its file, so its
 * agent gets a new name, and references to the agent follow.
 *
 * Returns the changed files, with `undefined` for the old path. The error is an Issue when a text cannot be edited safely, or when a file
 * that may name a moved one cannot be read.
 */
export function renameFile(folder: Folder, from: string, to: string): Renamed {
  return renameFiles(folder, new Map([[from, to]]));
}

type Renamed = Result<ReadonlyMap<string, FolderFile | undefined>, Issue>;

/** Does the same for several files at once, such as those of a folder. `moves` has the new path of each old one. */
export function renameFiles(folder: Folder, moves: ReadonlyMap<string, string>): Renamed {
  const real = new Map([...moves].filter(([from, to]) => from !== to && folder.has(from)));
  if (real.size === 0) return ok(new Map());
  const parsed = readFolder(folder);
  const mentionOf = unreadMentions(folder, parsed, ['card', 'config', 'settings']);
  for (const [from, to] of real) {
    const unread = mentionOf(namesOf(from, to));
    if (unread !== undefined && !real.has(unread.file))
      return err(cannotRead(unread, `and may name '${from}'. Correct it before renaming.`));
  }
  const move = new Move(folder, real);
  for (const { file: card } of parsed.cards) move.followInCard(card);
  move.followInSettings(parsed);
  move.followInServers(parsed);
  move.followInCode();
  const changes = move.draft.changes();
  if (!changes.ok) return err(changes.error);
  const after = new Map(folder);
  for (const [path, text] of changes.value) if (text !== null) after.set(path, { kind: 'text', text });
  for (const from of real.keys()) after.delete(from);
  for (const [from, to] of real) {
    const text = changes.value.get(from);
    const file = folder.get(from);
    if (typeof text === 'string') after.set(to, { kind: 'text', text });
    else if (file !== undefined) after.set(to, file);
  }
  const followed = followNames(after, parsed, real);
  if (!followed.ok) return followed;
  const all = new Map<string, FolderFile | undefined>();
  for (const path of [...folder.keys(), ...followed.value.keys()]) {
    const now = followed.value.get(path);
    if (now !== folder.get(path)) all.set(path, now);
  }
  return ok(all);
}

/** Returns what a text that names the file has: its name, or the name of a folder that changes. */
function namesOf(from: string, to: string): string[] {
  const [parts, next] = [from.split('/'), to.split('/')];
  const folders = parts.slice(0, -1).filter((part, index) => part !== next[index] || index >= next.length - 1);
  return [...parts.slice(-1), ...folders];
}

/** Lets references follow agents whose names came from the names of their files. */
function followNames(after: Folder, parsed: ParsedFolder, moves: ReadonlyMap<string, string>): Result<Folder, Issue> {
  let now = after;
  for (const card of parsed.cards) {
    const to = moves.get(card.file);
    if (to === undefined) continue;
    const followed = followName(now, to, card.name);
    if (!followed.ok) return followed;
    if (followed.value.size === 0) continue;
    const next = new Map(now);
    for (const [path, text] of followed.value) next.set(path, { kind: 'text', text });
    now = next;
  }
  return ok(now);
}

/** The fields of cards with paths relative to the card, which may end in a colon and the name of a function. */
const codeFields = ['function_tools', 'tool_hooks', 'lifecycle_hooks'];
const include = /(\{\{(?:file|file_silent):)([^}]*)(\}\})/g;

class Move {
  readonly draft: FolderDraft;
  /** Maps the old to the new text of each `file.py:function` in cards. */
  readonly #specs = new Map<string, string>();

  constructor(
    readonly folder: Folder,
    readonly moves: ReadonlyMap<string, string>,
  ) {
    this.draft = new FolderDraft(folder);
  }

  followInCard(card: string): void {
    for (const field of codeFields) {
      for (const { path, text } of textsIn(this.draft.read(card, [field]), [field])) {
        if (typeof path.at(-1) === 'string' && path.length > 2 && path.at(-1) !== 'entrypoint') continue;
        const spec = this.#spec(card, text);
        if (spec === undefined) continue;
        this.#specs.set(text, spec);
        this.draft.card(card, { op: 'set', path, value: spec });
      }
    }
    for (const { path, text } of textsIn(this.draft.read(card, ['messages']), ['messages'])) {
      const next = this.#relative(card, text);
      if (next !== undefined) this.draft.card(card, { op: 'set', path, value: next });
    }
    const skills = this.draft.read(card, ['skills']);
    for (const { path, text } of textsIn(skills, ['skills'])) {
      const next = this.#directory(card, text);
      if (next !== undefined) this.draft.card(card, { op: 'set', path, value: next });
    }
    const before = this.draft.text(card) ?? '';
    const after = before.replace(include, (whole, head: string, path: string, tail: string) => {
      const next = this.#included(card, path);
      return next === undefined ? whole : head + next + tail;
    });
    if (after !== before) this.draft.write(card, after);
  }

  followInSettings({ settingsFile, cards }: ParsedFolder): void {
    if (settingsFile === undefined) return;
    for (const chain of ['run_hooks', 'agent_hooks']) {
      for (const { path, text } of textsIn(this.draft.read(settingsFile, [chain]), [chain])) {
        // Deeper texts are parameters of declarative hooks and not names of code.
        const place = chain === 'run_hooks' ? 2 : 3;
        if (path.length > place && !(path.length === place + 1 && path.at(-1) === 'code')) continue;
        const spec = this.#spec('', text);
        if (spec !== undefined) this.draft.yaml(settingsFile, { op: 'set', path, value: spec });
      }
    }
    for (const { name, file } of cards) {
      const off = ['hooks_off', name];
      for (const { path, text } of textsIn(this.draft.read(settingsFile, off), off)) {
        const spec = this.#spec(file, text);
        if (spec !== undefined) this.draft.yaml(settingsFile, { op: 'set', path, value: spec });
      }
    }
    const places = this.draft.read(settingsFile, ['canvas', 'positions']);
    for (const key of isRecord(places) ? Object.keys(places) : []) {
      const [, file, name] = /^function:(.+):([^:]+)$/.exec(key) ?? [];
      const to = file === undefined ? undefined : this.moves.get(file);
      if (to === undefined) continue;
      this.draft.yaml(settingsFile, {
        op: 'rename',
        path: ['canvas', 'positions', key],
        key: `function:${to}:${name}`,
      });
    }
    const policies = this.draft.read(settingsFile, ['hooks']);
    for (const key of isRecord(policies) ? Object.keys(policies) : []) {
      // The key has the path in the folder, otherwise the path as in a card.
      const isPath = this.folder.has(key.slice(0, Math.max(0, key.lastIndexOf(':'))));
      const next = isPath ? this.#spec('', key) : this.#specs.get(key);
      if (next !== undefined) this.draft.yaml(settingsFile, { op: 'rename', path: ['hooks', key], key: next });
    }
  }

  /** Updates imports in the code of the project. */
  followInCode(): void {
    for (const [path, file] of this.folder) {
      if (file.kind !== 'text') continue;
      const before = this.draft.text(path) ?? '';
      const after = followImports(this.folder, before, path, this.#to(path), (one) => this.#to(one));
      if (after !== before) this.draft.write(path, after);
    }
  }

  followInServers({ config }: ParsedFolder): void {
    if (config.file === undefined) return;
    const servers = this.draft.read(config.file, ['mcp', 'servers']);
    for (const name of isRecord(servers) ? Object.keys(servers) : []) {
      const server = ['mcp', 'servers', name];
      // With another working folder, the path means another file.
      if (this.draft.read(config.file, [...server, 'cwd']) !== undefined) continue;
      for (const key of ['command', 'args']) {
        for (const { path, text } of textsIn(this.draft.read(config.file, [...server, key]), [...server, key])) {
          const dot = text.startsWith('./') ? './' : '';
          const to = this.moves.get(text.slice(dot.length));
          if (to === undefined) continue;
          const next = dot + to;
          this.draft.yaml(config.file, { op: 'set', path, value: next });
        }
      }
    }
  }

  #spec(fromFile: string, spec: string): string | undefined {
    const colon = spec.lastIndexOf(':');
    const next = colon < 1 ? undefined : this.#relative(fromFile, spec.slice(0, colon));
    return next === undefined ? undefined : next + spec.slice(colon);
  }

  #to(path: string): string {
    return this.moves.get(path) ?? path;
  }

  /** Returns the new text of the path `relative` in `fromFile`. Returns `undefined` when it stays the same. */
  #relative(fromFile: string, relative: string): string | undefined {
    const target = joinPath(fromFile, relative);
    if (target === undefined || !this.folder.has(target)) return undefined;
    if (!this.moves.has(target) && !this.moves.has(fromFile)) return undefined;
    const next = relativePath(this.#to(fromFile), this.#to(target));
    if (next === relativePath(fromFile, target)) return undefined;
    return relative.startsWith('./') && !next.startsWith('../') ? `./${next}` : next;
  }

  /** Returns the new path in `{{file:…}}`, which is relative to the project's root, or otherwise to the card. */
  #included(card: string, path: string): string | undefined {
    const atRoot = joinPath('', path);
    if (atRoot !== undefined && this.folder.has(atRoot)) return this.moves.get(atRoot);
    return this.#relative(card, path);
  }

  /** Returns the new text of a directory that moves as a whole. It is relative to the root, or otherwise to the card. */
  #directory(card: string, written: string): string | undefined {
    const slash = written.endsWith('/') ? '/' : '';
    const name = written.slice(0, written.length - slash.length);
    const atRoot = joinPath('', name);
    const isAtRoot = atRoot !== undefined && this.#below(atRoot).length > 0;
    const directory = isAtRoot ? atRoot : joinPath(card, name);
    const files = directory === undefined ? [] : this.#below(directory);
    if (directory === undefined || files.length === 0) return undefined;
    const ends = new Set(files.map((file) => directoryAfter(directory, file, this.#to(file))));
    const [next, ...others] = ends;
    if (next === undefined || others.length > 0) return undefined;
    const text = isAtRoot ? next : relativePath(this.#to(card), next);
    return text === (isAtRoot ? directory : relativePath(card, directory)) ? undefined : text + slash;
  }

  #below(directory: string): string[] {
    return [...this.folder.keys()].filter((path) => path.startsWith(`${directory}/`));
  }
}

/** Returns where the directory is after a file in it has moved, or `undefined` when the file left it. */
function directoryAfter(directory: string, from: string, to: string): string | undefined {
  const rest = from.slice(directory.length);
  return to.endsWith(rest) && to.length > rest.length ? to.slice(0, -rest.length) : undefined;
}

function textsIn(value: unknown, path: Path): { readonly path: Path; readonly text: string }[] {
  if (typeof value === 'string') return [{ path, text: value }];
  if (Array.isArray(value)) return value.flatMap((item, index) => textsIn(item, [...path, index]));
  return isRecord(value) ? Object.entries(value).flatMap(([key, item]) => textsIn(item, [...path, key])) : [];
}
