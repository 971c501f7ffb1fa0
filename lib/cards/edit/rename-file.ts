import type { Issue } from '@/lib/base/issue';
import { isRecord } from '@/lib/base/json';
import { err, ok, type Result } from '@/lib/base/result';
import type { Folder, FolderFile } from '@/lib/cards/folder';
import type { ParsedFolder } from '@/lib/cards/parsed-folder';
import { readFolder } from '@/lib/cards/project/read-folder';
import { joinPath, relativePath } from '@/lib/cards/references';
import type { Path } from '@/lib/cards/yaml/yaml-source';
import { FolderDraft } from './draft';

/**
 * Moves a file and updates the references to it: code that cards and callboard.yaml name (`file.py:function`), history files,
 * `{{file:…}}` in instructions, and arguments of MCP servers that equal its path. References in a moved card are updated too.
 * Imports in code files stay unchanged; the checker reports broken ones.
 *
 * Returns the changed files, with `undefined` for the old path. The error is an Issue when a text cannot be edited safely.
 */
export function renameFile(
  folder: Folder,
  from: string,
  to: string,
): Result<ReadonlyMap<string, FolderFile | undefined>, Issue> {
  const file = folder.get(from);
  if (file === undefined || from === to) return ok(new Map());
  const parsed = readFolder(folder);
  const move = new Move(folder, from, to);
  for (const { file: card } of parsed.cards) move.followInCard(card);
  move.followInSettings(parsed);
  move.followInServers(parsed);
  const changes = move.draft.changes();
  if (!changes.ok) return err(changes.error);
  const texts = new Map<string, FolderFile | undefined>();
  for (const [path, text] of changes.value) if (text !== null) texts.set(path, { kind: 'text', text });
  const moved = texts.get(from) ?? file;
  return ok(new Map([...texts, [from, undefined], [to, moved]]));
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
    readonly from: string,
    readonly to: string,
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
    const before = this.draft.text(card) ?? '';
    const after = before.replace(include, (whole, head: string, path: string, tail: string) => {
      const next = this.#included(card, path);
      return next === undefined ? whole : head + next + tail;
    });
    if (after !== before) this.draft.write(card, after);
  }

  followInSettings({ settingsFile }: ParsedFolder): void {
    if (settingsFile === undefined) return;
    for (const chain of ['run_hooks', 'agent_hooks']) {
      for (const { path, text } of textsIn(this.draft.read(settingsFile, [chain]), [chain])) {
        // Deeper texts are parameters of declarative hooks and not names of code.
        if (path.length > (chain === 'run_hooks' ? 2 : 3)) continue;
        const spec = this.#spec('', text);
        if (spec !== undefined) this.draft.yaml(settingsFile, { op: 'set', path, value: spec });
      }
    }
    const policies = this.draft.read(settingsFile, ['hooks']);
    for (const key of isRecord(policies) ? Object.keys(policies) : []) {
      // The key has the path in the folder, otherwise the path as in a card.
      const isPath = this.folder.has(key.slice(0, Math.max(0, key.lastIndexOf(':'))));
      const next = isPath ? this.#spec('', key) : this.#specs.get(key);
      if (next !== undefined) this.draft.yaml(settingsFile, { op: 'rename', path: ['hooks', key], key: next });
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
          if (text !== this.from && text !== `./${this.from}`) continue;
          const next = text.startsWith('./') ? `./${this.to}` : this.to;
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

  /** Returns the new text of the path `relative` in `fromFile`. Returns `undefined` when it stays the same. */
  #relative(fromFile: string, relative: string): string | undefined {
    const target = joinPath(fromFile, relative);
    if (target === undefined || !this.folder.has(target)) return undefined;
    if (target !== this.from && fromFile !== this.from) return undefined;
    const next = relativePath(fromFile === this.from ? this.to : fromFile, target === this.from ? this.to : target);
    return next === relativePath(fromFile, target) ? undefined : next;
  }

  /** Returns the new path in `{{file:…}}`, which is relative to the project's root, or otherwise to the card. */
  #included(card: string, path: string): string | undefined {
    const atRoot = joinPath('', path);
    if (atRoot !== undefined && this.folder.has(atRoot)) return atRoot === this.from ? this.to : undefined;
    return this.#relative(card, path);
  }
}

function textsIn(value: unknown, path: Path): { readonly path: Path; readonly text: string }[] {
  if (typeof value === 'string') return [{ path, text: value }];
  if (Array.isArray(value)) return value.flatMap((item, index) => textsIn(item, [...path, index]));
  return isRecord(value) ? Object.entries(value).flatMap(([key, item]) => textsIn(item, [...path, key])) : [];
}
