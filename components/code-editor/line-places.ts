import type { Text } from '@codemirror/state';
import { LineIndex, type Position } from '@/lib/cards/line-index';

/*
 * Lines as code counts them. CodeMirror must keep a lone carriage return or a separator of Unicode as a character, so that a text
 * stays what it was. In code these end a line.
 */

const indexes = new WeakMap<Text, LineIndex>();

function indexOf(doc: Text): LineIndex {
  const known = indexes.get(doc) ?? new LineIndex(doc.toString());
  indexes.set(doc, known);
  return known;
}

/** Returns the number that code gives to the line of the editor. */
export function numberOfLine(doc: Text, line: number): number {
  return line > doc.lines ? line : indexOf(doc).positionOf(doc.line(line).from).line;
}

/** Returns the offset of a place, and where its line begins and ends. A place outside means its nearest line or end. */
export function offsetsOf(doc: Text, { line, column }: Position): { at: number; from: number; to: number } {
  const index = indexOf(doc);
  const known = Math.min(Math.max(line, 1), index.positionOf(doc.length).line);
  const from = index.offsetOf({ line: known, column: 1 });
  const to = Math.min(doc.lineAt(from).to, index.offsetOf({ line: known + 1, column: 1 }));
  return { at: Math.min(index.offsetOf({ line: known, column }), to), from, to };
}
