/**
 * Checks the nesting of YAML before parsing. The parser is recursive, and a stack overflow inside a regular expression kills the
 * process instead of throwing. The scan may overestimate the depth (brackets in text count), but never underestimates it.
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

/** Returns the width of the spaces and the `- `, `? `, `: ` indicators at the start of a line: at least one per level. */
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
