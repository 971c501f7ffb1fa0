import { visibleText } from './visible-text';

/**
 * Puts text on one line and escapes each character that a reader would not see, such as `\u{202e}`. It is used for text that a
 * person has to judge, in a terminal or in a sentence.
 */
export function escapeHidden(text: string): string {
  return escapeHiddenLines(text).replace(/[\t\n\r]/g, escaped);
}

/** Escapes as `escapeHidden` does, and keeps the line ends and tabs that everybody uses. */
export function escapeHiddenLines(text: string): string {
  return visibleText(text)
    .map((part) => (part.hidden === undefined ? part.text : [...part.text].map(escaped).join('')))
    .join('');
}

function escaped(character: string): string {
  return `\\u{${character.codePointAt(0)?.toString(16)}}`;
}
