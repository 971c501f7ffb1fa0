/** A line without its end. The last line of a text has the end ''. */
export interface TextLine {
  readonly text: string;
  readonly end: '' | '\n' | '\r\n' | '\r' | '\u2028' | '\u2029';
}

/**
 * Matches each line end that JavaScript (ECMAScript, section 12.3) or Python (reference, section 2.1.2) knows. A comment ends
 * there, so a person has to see a new line there.
 */
const lineEnds = /\r\n|[\n\r\u2028\u2029]/g;

/** Returns the lines of a text, at least one. Joined with their ends they are the text. */
export function textLines(text: string): readonly TextLine[] {
  const lines: TextLine[] = [];
  let from = 0;
  for (const { 0: end, index } of text.matchAll(lineEnds)) {
    lines.push({ text: text.slice(from, index), end: end as TextLine['end'] });
    from = index + end.length;
  }
  lines.push({ text: text.slice(from), end: '' });
  return lines;
}

/** Returns the offset at which each line begins. */
export function lineStarts(text: string): readonly number[] {
  return [0, ...Array.from(text.matchAll(lineEnds), ({ 0: end, index }) => index + end.length)];
}

/** True for a line end that most editors and diffs show as nothing, or as a space. */
export function isUnusualEnd(end: string): boolean {
  return end === '\r' || end === '\u2028' || end === '\u2029';
}
