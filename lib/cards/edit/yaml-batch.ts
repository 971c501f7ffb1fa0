import { fieldOf, readDocument } from '@/lib/cards/read/read-field';
import { expectedAfter } from '@/lib/cards/yaml/edit-value';
import type { YamlEdit } from '@/lib/cards/yaml/yaml-edit';
import type { Path } from '@/lib/cards/yaml/yaml-source';

/** Edits of YAML files by path, which are read as they are made. */
export type YamlEdits = Pick<YamlBatch, 'read' | 'yaml'>;

/**
 * Collects many edits of one YAML file. The text is parsed once, and each edit is made on its value, so that later ones can read what
 * earlier ones wrote. `FolderDraft.yamlAll` then writes them at once. It reads and edits as `FolderDraft` does.
 */
export class YamlBatch {
  readonly #edits: YamlEdit[] = [];
  #value: unknown;

  constructor(
    private readonly file: string,
    text: string,
  ) {
    this.#value = readDocument(text, file);
  }

  get edits(): readonly YamlEdit[] {
    return this.#edits;
  }

  /** `file` must be the one of the batch. */
  read(file: string, path: Path): unknown {
    this.#check(file);
    return fieldOf(this.#value, path);
  }

  /** An edit that cannot be made changes nothing here. Writing the edits returns its Issue. */
  yaml(file: string, edit: YamlEdit): void {
    this.#check(file);
    this.#edits.push(edit);
    const next = expectedAfter(this.#value, edit);
    if (next.ok) this.#value = next.value;
  }

  #check(file: string): void {
    if (file !== this.file) throw new Error(`Bug: the batch is of ${this.file}, and not of ${file}.`);
  }
}
