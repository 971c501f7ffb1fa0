import type { LivePart } from './live-texts';

/** The end of what a model says now, in one line. */
export interface SaidLine {
  readonly how: 'says' | 'thinks' | 'calls';
  readonly text: string;
}

/** The length of a line, in UTF-16 units. */
const lineUnits = 160;

/** Returns the end of the part that began last. Spaces and line breaks become one space. */
export function saidLine(parts: readonly LivePart[]): SaidLine {
  const last = parts.at(-1);
  if (last === undefined) return { how: 'says', text: '' };
  const { said, part, toolName = '' } = last;
  // Spaces are joined before the cut, so twice the length is enough for ordinary text.
  const joined = said
    .text()
    .slice(-2 * lineUnits)
    .replace(/\s+/g, ' ')
    .trim();
  const isCut = said.start > 0 || said.end > 2 * lineUnits || joined.length > lineUnits;
  const tail = isCut ? `…${joined.slice(-lineUnits).replace(/^[\uDC00-\uDFFF]/, '')}` : joined;
  if (part === 'arguments') return { how: 'calls', text: `${toolName} ${tail}`.trim() };
  return { how: part === 'reasoning' ? 'thinks' : 'says', text: tail };
}
