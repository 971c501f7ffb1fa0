/** Controls, line ends, and format characters such as those that turn the direction of writing. */
const hidden = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Surrogate}]/gu;

/**
 * The text with each character that shows nothing, or moves what stands beside it, written as `\u{202e}`: for what a person
 * has to judge, in a terminal or on a page. A text without such characters stays as it is.
 */
export function visibleText(text: string): string {
  return text.replace(hidden, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}
