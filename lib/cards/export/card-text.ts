import type { JsonObject } from '@/lib/base/json';
import { editCard } from '@/lib/cards/edit/edit';
import type { Folder } from '@/lib/cards/folder';
import { locateField } from '@/lib/cards/read/locate';
import { splitSource } from '@/lib/cards/source';
import { isMapping } from '@/lib/cards/yaml/pyyaml';
import { type Path, parseYaml } from '@/lib/cards/yaml/yaml-source';
import type { ExportNote } from './export-report';

/** The text of a card during an export, with a note for each change. Only the lines of changed values change. */
export class CardText {
  readonly #folder: Folder;
  readonly #file: string;
  readonly #before: string;
  readonly notes: ExportNote[] = [];
  text: string;

  constructor(folder: Folder, file: string, text: string) {
    this.#folder = folder;
    this.#file = file;
    this.#before = text;
    this.text = text;
  }

  get isChanged(): boolean {
    return this.text !== this.#before;
  }

  /**
   * Returns the current index of a function tool in its list. Returns `undefined` for a card with a single tool and no
   * list.
   */
  toolIndex(entrypoint: string): number | undefined {
    const { yaml } = splitSource(this.#file, this.text);
    const value = yaml === undefined ? undefined : parseYaml(yaml).value;
    const tools: unknown = isMapping(value) ? value.function_tools : undefined;
    if (!Array.isArray(tools)) return undefined;
    const index = tools.findIndex((tool: unknown) => (isMapping(tool) ? tool.entrypoint : tool) === entrypoint);
    return index === -1 ? undefined : index;
  }

  set(path: Path, value: JsonObject | readonly string[], note: Pick<ExportNote, 'kind' | 'message'>): void {
    this.#apply({ op: 'set', path, value }, path, note);
  }

  remove(path: Path): void {
    this.#apply({ op: 'remove', path }, path);
  }

  /** `path` is the path in the original card. */
  note(path: Path, note: Pick<ExportNote, 'kind' | 'message'>): void {
    const line = locateField(this.#folder, this.#file, path)?.line ?? 1;
    this.notes.push({ ...note, file: this.#file, line });
  }

  #apply(edit: Parameters<typeof editCard>[2], path: Path, note?: Pick<ExportNote, 'kind' | 'message'>): void {
    const edited = editCard(this.text, this.#file, edit);
    if (edited.ok) this.text = edited.value;
    if (!edited.ok) this.note(path, { kind: 'lost', message: edited.error.message });
    else if (note !== undefined) this.note(path, note);
  }
}
