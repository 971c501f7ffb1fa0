import type { Issue } from '@/lib/base/issue';
import { err, ok, type Result } from '@/lib/base/result';
import { dialectFormOf } from '@/lib/cards/dialects/find-dialect';
import type { Folder } from '@/lib/cards/folder';
import { fieldOf, readDocument } from '@/lib/cards/read/read-field';
import { editYamlAll } from '@/lib/cards/yaml/edit-yaml';
import type { YamlEdit } from '@/lib/cards/yaml/yaml-edit';
import type { Path } from '@/lib/cards/yaml/yaml-source';
import { type CardEdit, editCard } from './edit';

/**
 * Several edits of a folder as one atomic change. Each edit sees the result of the earlier ones. After the first failure the
 * other edits do nothing, and `changes` returns the Issue.
 */
export class FolderDraft {
  readonly #folder: Folder;
  readonly #texts = new Map<string, string | null>();
  #failure: Issue | undefined;
  #lowerCase: ReadonlySet<string> | undefined;
  /** Parsed documents, so that reading many fields parses a text once. */
  readonly #documents = new Map<string, { readonly text: string; readonly value: unknown }>();

  constructor(folder: Folder) {
    this.#folder = folder;
  }

  /** Returns the new texts by path, `null` for a removed file. It contains only files that differ from the folder. */
  changes(): Result<ReadonlyMap<string, string | null>, Issue> {
    if (this.#failure !== undefined) return err(this.#failure);
    const changed = [...this.#texts].filter(([path, text]) => text !== (this.#original(path) ?? null));
    return ok(new Map(changed));
  }

  /** True if a file has this path, ignoring case. */
  hasAnyCase(file: string): boolean {
    const wanted = file.toLowerCase();
    this.#lowerCase ??= new Set([...this.#folder.keys()].map((path) => path.toLowerCase()));
    return this.#lowerCase.has(wanted) || [...this.#texts.keys()].some((path) => path.toLowerCase() === wanted);
  }

  text(file: string): string | undefined {
    return this.#texts.has(file) ? (this.#texts.get(file) ?? undefined) : this.#original(file);
  }

  read(file: string, path: Path): unknown {
    const text = this.text(file);
    if (text === undefined) return undefined;
    const known = this.#documents.get(file);
    const document = known?.text === text ? known : { text, value: readDocument(text, file) };
    this.#documents.set(file, document);
    return fieldOf(document.value, path);
  }

  write(file: string, text: string): void {
    this.#texts.set(file, text);
  }

  remove(file: string): void {
    this.#texts.set(file, null);
  }

  /** Edits a card that exists. */
  card(file: string, edit: CardEdit): void {
    const text = this.text(file);
    if (text !== undefined) this.#apply(file, editCard(text, file, edit));
    else if (this.#mayBeMissing(file)) this.#create(file, editCard('', file, edit));
    else this.fail('no-such-card', file, `There is no card ${file}. Open the folder again.`);
  }

  /** Edits a YAML file. A missing file is created with the text `whenNew`. */
  yaml(file: string, edit: YamlEdit, whenNew = ''): void {
    this.yamlAll(file, [edit], whenNew);
  }

  /** Makes several edits of a YAML file, which is much faster than one by one. Without edits nothing is created. */
  yamlAll(file: string, edits: readonly YamlEdit[], whenNew = ''): void {
    if (edits.length === 0) return;
    const text = this.text(file);
    if (text === undefined && this.#folder.has(file) && !this.#texts.has(file)) {
      this.fail('not-text', file, `${file} is not text. Replace it with a text file first.`);
    } else if (dialectFormOf(file) === undefined) this.#apply(file, editYamlAll(text ?? whenNew, edits, file));
    else for (const edit of edits) this.card(file, edit);
  }

  /** Removes a key of a card or YAML file, and the mappings around it that become empty. */
  prune(file: string, path: Path): void {
    for (let at = path; at.length > 0; at = at.slice(0, -1)) {
      if (this.read(file, at) === undefined) return;
      this.card(file, { op: 'remove', path: at });
      if (this.#failure !== undefined) return;
      const around = this.read(file, at.slice(0, -1));
      if (typeof around !== 'object' || around === null || Object.keys(around).length > 0) return;
    }
  }

  fail(code: string, file: string, message: string): void {
    this.#failure ??= { code, severity: 'error', stage: 'callboard', file, line: 1, column: 1, message };
  }

  /** The main agent and the servers of another program stand in files that the first change creates. */
  #mayBeMissing(file: string): boolean {
    return dialectFormOf(file)?.withoutFile === true && !this.#folder.has(file);
  }

  /** An edit that says nothing creates no file. */
  #create(file: string, edited: Result<string, Issue>): void {
    if (!edited.ok || edited.value !== '') this.#apply(file, edited);
  }

  #apply(file: string, edited: Result<string, Issue>): void {
    if (edited.ok) this.#texts.set(file, edited.value);
    else this.#failure ??= edited.error;
  }

  #original(path: string): string | undefined {
    const file = this.#folder.get(path);
    return file?.kind === 'text' ? file.text : undefined;
  }
}
