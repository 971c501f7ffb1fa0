/** Matches controls, line ends, and format characters such as bidirectional controls. */
const hidden = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Surrogate}]/gu;

/**
 * Escapes each invisible character, such as `\u{202e}`. It is used for text that a person has to judge, in a terminal or on
 * a page.
 */
export function visibleText(text: string): string {
  return text.replace(hidden, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}
