import { isMap, isScalar, isSeq, type Node } from 'yaml';
import { dialectFormOf } from '@/lib/cards/dialects/find-dialect';
import { type OpenText, openText } from '@/lib/cards/dialects/open-text';
import type { Folder } from '@/lib/cards/folder';
import { LineIndex } from '@/lib/cards/line-index';
import { type CardSource, isCardFile, splitSource } from '@/lib/cards/source';
import { keyText } from '@/lib/cards/yaml/yaml-keys';
import { keySpan, type Path, parseYaml, valueSpan } from '@/lib/cards/yaml/yaml-source';

/** A range in a file. Lines and columns count from 1, columns in UTF-16 units. The end is after the last character. */
export interface FieldLocation {
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
}

/**
 * Finds the position of a field's value in front matter, a YAML card, or any other YAML file. The path `['instruction']`
 * also finds the body of a Markdown card. For an empty value it returns the position of its key, and for a missing field
 * `undefined`.
 */
export function locateField(folder: Folder, file: string, path: Path): FieldLocation | undefined {
  const entry = folder.get(file);
  const open = entry?.kind === 'text' ? openText(file, entry.text) : undefined;
  if (entry?.kind !== 'text' || open === undefined) return undefined;
  return locationOf(entry.text, fieldSpan(open, path) ?? bodySpan(open.source, path));
}

/** Finds the position of a field's key, with its value after it or on the lines below. */
export function locateKey(folder: Folder, file: string, path: Path): FieldLocation | undefined {
  const entry = folder.get(file);
  if (entry?.kind !== 'text') return undefined;
  const yaml = openText(file, entry.text)?.yaml;
  return yaml === undefined ? undefined : locationOf(entry.text, keySpan(yaml, path));
}

/** The lines of one entry of a mapping, from its key to the end of its value. */
export interface EntryLines {
  readonly key: string;
  readonly from: number;
  readonly to: number;
}

/** Finds the lines of entries of the mapping at `path`, reading the file once. Keys that it does not have are left out. */
export function locateEntries(
  folder: Folder,
  file: string,
  path: Path,
  keys: readonly string[],
): readonly EntryLines[] {
  const entry = folder.get(file);
  const yaml = entry?.kind === 'text' ? openText(file, entry.text)?.yaml : undefined;
  if (entry?.kind !== 'text' || yaml === undefined) return [];
  const lines = new LineIndex(entry.text);
  return keys.flatMap((key) => {
    const name = keySpan(yaml, [...path, key]);
    if (name === undefined) return [];
    const value = valueSpan(yaml, [...path, key]);
    // The span of a block mapping ends at the start of the line below it.
    const to = lines.positionOf(Math.max(name.start, (value ?? name).end - 1)).line;
    return [{ key, from: lines.positionOf(name.start).line, to }];
  });
}

function locationOf(text: string, span: { start: number; end: number } | undefined): FieldLocation | undefined {
  if (span === undefined) return undefined;
  const index = new LineIndex(text);
  const [from, to] = [index.positionOf(span.start), index.positionOf(span.end)];
  return { line: from.line, column: from.column, endLine: to.line, endColumn: to.column };
}

function fieldSpan({ yaml }: OpenText, path: Path): { start: number; end: number } | undefined {
  if (yaml === undefined) return undefined;
  const span = valueSpan(yaml, path);
  return span === undefined || span.start === span.end ? keySpan(yaml, path) : span;
}

function bodySpan(source: CardSource, path: Path): { start: number; end: number } | undefined {
  if (path.length !== 1 || path[0] !== 'instruction' || source.body === undefined) return undefined;
  const { text, offset } = source.body;
  if (text.trim() === '') return { start: offset, end: offset };
  return { start: offset + text.length - text.trimStart().length, end: offset + text.trimEnd().length };
}

/**
 * Finds the path of the deepest key or value that contains a place, the inverse of `locateField` and `locateKey`. Returns
 * `undefined` where there is no YAML, YAML that cannot be parsed, or a file of another program.
 */
export function pathAt(
  folder: Folder,
  file: string,
  place: { readonly line: number; readonly column: number },
): Path | undefined {
  const entry = folder.get(file);
  if (entry?.kind !== 'text' || !isCardFile(file) || dialectFormOf(file) !== undefined) return undefined;
  const { yaml } = splitSource(file, entry.text);
  if (yaml === undefined) return undefined;
  const offset = offsetOf(entry.text, place) - yaml.offset;
  const contents = parseYaml(yaml).doc?.contents;
  return contents && contains(contents, offset) ? pathIn(contents, offset) : undefined;
}

function pathIn(node: Node | null, offset: number): Path {
  if (isMap<Node, Node | null>(node)) {
    const pair = node.items.find(({ key, value }) => contains(key, offset) || contains(value, offset));
    if (pair !== undefined)
      return [keyOf(pair.key), ...(contains(pair.value, offset) ? pathIn(pair.value, offset) : [])];
  }
  if (isSeq<Node>(node)) {
    const index = node.items.findIndex((item) => contains(item, offset));
    if (index !== -1) return [index, ...pathIn(node.items[index] ?? null, offset)];
  }
  return [];
}

/** True if the node has the offset, or ends at it. */
function contains(node: Node | null, offset: number): boolean {
  const range = node?.range;
  return range ? offset >= range[0] && offset <= range[1] : false;
}

function keyOf(node: Node): string {
  return isScalar(node) ? keyText(node) : '';
}

function offsetOf(text: string, { line, column }: { readonly line: number; readonly column: number }): number {
  let start = 0;
  for (let n = 1; n < line; n++) {
    const end = text.indexOf('\n', start);
    if (end === -1) break;
    start = end + 1;
  }
  return start + column - 1 + (start === 0 && text.startsWith('\uFEFF') ? 1 : 0);
}
