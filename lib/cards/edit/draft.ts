import type { Issue } from '@/lib/base/issue';
import { isRecord } from '@/lib/base/json';
import { err, ok, type Result } from '@/lib/base/result';
import { normaliseName } from '@/lib/cards/agent-name';
import { dialectFileOf, dialectFormOf } from '@/lib/cards/dialects/find-dialect';
import type { DialectContext, DialectForm } from '@/lib/cards/dialects/form/dialect';
import { openDialectText } from '@/lib/cards/dialects/open-text';
import { configNames } from '@/lib/cards/file-role';
import type { Folder } from '@/lib/cards/folder';
import { fieldOf, readDocument } from '@/lib/cards/read/read-field';
import { editYamlAll } from '@/lib/cards/yaml/edit-yaml';
import type { YamlEdit } from '@/lib/cards/yaml/yaml-edit';
import type { Path } from '@/lib/cards/yaml/yaml-source';
import { type CardEdit, editCard } from './edit';
import { editDialectFields, isFieldEdit, renameServerIn, wantedFields } from './edit-dialect';

/**
 * Several edits of a folder as one atomic change. Each edit sees the result of the earlier ones. After the first failure the
 * other edits do nothing, and `changes` returns the Issue.
 *
 * Edits of a file of another program wait until its text is needed, and are then written at once: such a file can often not say what
 * stands between two edits, for example a filter of a server that the agent no longer has.
 */
export class FolderDraft {
  readonly #folder: Folder;
  readonly #texts = new Map<string, string | null>();
  /** Edits that are not yet written. Their files have the texts of before. */
  readonly #waiting = new Map<string, readonly YamlEdit[]>();
  #failure: Issue | undefined;
  #lowerCase: ReadonlySet<string> | undefined;
  /** The names of the folder's servers, once a file of another program needs them. */
  #servers: readonly string[] | undefined;
  /** Parsed documents, so that reading many fields parses a text once. */
  readonly #documents = new Map<string, { readonly text: string; readonly value: unknown }>();

  constructor(folder: Folder) {
    this.#folder = folder;
  }

  /** Returns the new texts by path, `null` for a removed file. It contains only files that differ from the folder. */
  changes(): Result<ReadonlyMap<string, string | null>, Issue> {
    for (const file of [...this.#waiting.keys()]) this.#settle(file);
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
    this.#settle(file);
    return this.#textNow(file);
  }

  #textNow(file: string): string | undefined {
    return this.#texts.has(file) ? (this.#texts.get(file) ?? undefined) : this.#original(file);
  }

  read(file: string, path: Path): unknown {
    const edits = this.#waiting.get(file);
    const form = edits === undefined ? undefined : dialectFormOf(file);
    if (edits !== undefined && form !== undefined) {
      const wanted = wantedFields(this.#open(form, file), file, edits);
      return wanted.ok ? fieldOf(wanted.value, path) : undefined;
    }
    const text = this.#textNow(file);
    if (text === undefined) return undefined;
    const known = this.#documents.get(file);
    const value = known?.text === text ? known.value : readDocument(text, file, this.#contextOf(file));
    const document = { text, value };
    this.#documents.set(file, document);
    return fieldOf(document.value, path);
  }

  write(file: string, text: string): void {
    this.#waiting.delete(file);
    this.#texts.set(file, text);
  }

  remove(file: string): void {
    this.#waiting.delete(file);
    this.#texts.set(file, null);
  }

  /** Edits a card that exists. */
  card(file: string, edit: CardEdit): void {
    const exists = this.#textNow(file) !== undefined;
    if (!exists && !this.#mayBeMissing(file)) this.#failMissing(file);
    else if (dialectFormOf(file) !== undefined && isFieldEdit(edit)) {
      this.#waiting.set(file, [...(this.#waiting.get(file) ?? []), edit]);
    } else this.#write(file, editCard(this.text(file) ?? '', file, edit));
  }

  #failMissing(file: string): void {
    this.fail('no-such-card', file, `There is no card ${file}. Open the folder again.`);
  }

  /** Gives a server another name in a file whose program has its own way to name servers. Returns false for other files. */
  renameServer(file: string, from: string, to: string): boolean {
    const form = dialectFormOf(file);
    const text = this.text(file);
    if (form === undefined || text === undefined) return false;
    const edited = renameServerIn(form, file, text, { from, to, context: this.#contextOf(file) });
    if (edited !== undefined) this.#apply(file, edited);
    return edited !== undefined;
  }

  /** Edits a YAML file. A missing file is created with the text `whenNew`. */
  yaml(file: string, edit: YamlEdit, whenNew = ''): void {
    this.yamlAll(file, [edit], whenNew);
  }

  /** Makes several edits of a YAML file, which is much faster than one by one. Without edits nothing is created. */
  yamlAll(file: string, edits: readonly YamlEdit[], whenNew = ''): void {
    if (edits.length === 0) return;
    const text = this.#textNow(file);
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

  /** Writes the edits of a file that wait. */
  #settle(file: string): void {
    const edits = this.#waiting.get(file);
    const form = dialectFormOf(file);
    if (edits === undefined || form === undefined) return;
    this.#waiting.delete(file);
    this.#write(file, editDialectFields(form, file, this.#textNow(file) ?? '', edits, this.#contextOf(file)));
  }

  #open(form: DialectForm, file: string) {
    return openDialectText(form, file, this.#textNow(file) ?? '', this.#contextOf(file));
  }

  /** The servers of the folder, as they were before the edits: the texts of agents name them so. */
  #contextOf(file: string): DialectContext {
    const own = dialectFileOf(file)?.dialect.configFile;
    if (own === undefined || own === file) return { servers: [] };
    this.#servers ??= [own, ...configNames].flatMap((path) => {
      const text = this.#original(path);
      const servers = text === undefined ? undefined : fieldOf(readDocument(text, path), ['mcp', 'servers']);
      return isRecord(servers) ? Object.keys(servers) : [];
    });
    return { servers: this.#servers, spelled: (name) => this.#spelledName(file, name) };
  }

  /** Looks in the files of the same program, as they were before the edits. */
  #spelledName(file: string, name: string): string {
    const dialect = dialectFileOf(file)?.dialect;
    for (const path of this.#folder.keys()) {
      const form = dialectFormOf(path);
      const text = form?.role === 'card' ? this.#original(path) : undefined;
      if (form === undefined || text === undefined || dialectFileOf(path)?.dialect !== dialect) continue;
      const fields = openDialectText(form, path, text).yaml.value;
      const written = isRecord(fields) ? fields.name : undefined;
      if (typeof written === 'string' && normaliseName(written) === name) return written;
    }
    return name;
  }

  /** An edit that says nothing creates no file. */
  #write(file: string, edited: Result<string, Issue>): void {
    if (!edited.ok || edited.value !== '' || this.#textNow(file) !== undefined) this.#apply(file, edited);
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
