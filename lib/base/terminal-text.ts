import { hiddenCharacter, hiddenPattern } from './visible-text';

/**
 * Matches the characters that a terminal interprets, such as controls, which start escape sequences, and those that nobody sees
 * or that reorder what stands beside them. A newline, a tab, and a carriage return before a newline are allowed.
 */
const hidden = hiddenPattern('prose');

/** Escapes text for a terminal. Each such character becomes visible text such as `\u001b`. */
export function terminalText(text: string): string {
  return text.replace(hidden, escaped);
}

/** Escapes the characters in JSON text that `JSON.stringify` does not escape. The value stays the same. */
export function terminalJson(json: string): string {
  return json.replace(hidden, escaped);
}

/** Spaces of other widths stay, because they do no more than a space. */
function escaped(character: string): string {
  if (hiddenCharacter(character).kind === 'space') return character;
  return Array.from({ length: character.length }, (_, index) => unitOf(character, index)).join('');
}

function unitOf(character: string, index: number): string {
  return `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`;
}
