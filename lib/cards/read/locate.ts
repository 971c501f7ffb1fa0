import type { Folder } from '@/lib/cards/folder';
import { LineIndex } from '@/lib/cards/line-index';
import { isCardFile, splitSource } from '@/lib/cards/source';
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
  if (entry === undefined || entry.kind !== 'text' || !isCardFile(file)) return undefined;
  const source = splitSource(file, entry.text);
  return locationOf(entry.text, fieldSpan(source, path) ?? bodySpan(source, path));
}

/** Finds the position of a field's key, with its value after it or on the lines below. */
export function locateKey(folder: Folder, file: string, path: Path): FieldLocation | undefined {
  const entry = folder.get(file);
  if (entry === undefined || entry.kind !== 'text' || !isCardFile(file)) return undefined;
  const { yaml } = splitSource(file, entry.text);
  return yaml === undefined ? undefined : locationOf(entry.text, keySpan(parseYaml(yaml), path));
}

function locationOf(text: string, span: { start: number; end: number } | undefined): FieldLocation | undefined {
  if (span === undefined) return undefined;
  const index = new LineIndex(text);
  const [from, to] = [index.positionOf(span.start), index.positionOf(span.end)];
  return { line: from.line, column: from.column, endLine: to.line, endColumn: to.column };
}

function fieldSpan(source: ReturnType<typeof splitSource>, path: Path): { start: number; end: number } | undefined {
  if (source.yaml === undefined) return undefined;
  const yaml = parseYaml(source.yaml);
  const span = valueSpan(yaml, path);
  return span === undefined || span.start === span.end ? keySpan(yaml, path) : span;
}

function bodySpan(source: ReturnType<typeof splitSource>, path: Path): { start: number; end: number } | undefined {
  if (path.length !== 1 || path[0] !== 'instruction' || source.body === undefined) return undefined;
  const { text, offset } = source.body;
  if (text.trim() === '') return { start: offset, end: offset };
  return { start: offset + text.length - text.trimStart().length, end: offset + text.trimEnd().length };
}
