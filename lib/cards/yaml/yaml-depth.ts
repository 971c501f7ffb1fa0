/**
 * Whether YAML may be handed to the parser. It recurses, and a stack that runs out inside a regular expression kills the
 * whole process instead of throwing, so nesting is bounded by a scan beforehand. The scan sees more depth than there is
 * (brackets in text count), never less.
 */

const maxBrackets = 100;
const maxIndent = 300;

export function isTooDeep(text: string): boolean {
  let brackets = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === openSquare || code === openCurly) brackets++;
    else if ((code === closeSquare || code === closeCurly) && brackets > 0) brackets--;
    else if (code === newline || at === 0) {
      if (indentAfter(text, code === newline ? at + 1 : at) > maxIndent) return true;
    }
    if (brackets > maxBrackets) return true;
  }
  return false;
}

/** Width of spaces and of `- `, `? `, `: ` indicators a line begins with: each level takes at least one. */
function indentAfter(text: string, start: number): number {
  let at = start;
  for (; at - start <= maxIndent; at++) {
    const code = text.charCodeAt(at);
    if (code === space || code === tab) continue;
    const indicator = code === dash || code === question || code === colon;
    const next = text.charCodeAt(at + 1);
    if (!indicator || (next !== space && next !== tab)) break;
  }
  return at - start;
}

const [newline, tab, space, dash, question, colon] = [10, 9, 32, 45, 63, 58];
const [openSquare, closeSquare, openCurly, closeCurly] = [91, 93, 123, 125];
