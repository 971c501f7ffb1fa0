/**
 * Matches the characters that a terminal interprets: C0 and C1 controls, which start escape sequences, and Unicode's
 * bidirectional controls. A newline, a tab, and a carriage return before a newline are allowed.
 */
const controls = /(?![\n\t])(?!\r\n)[\p{Cc}\p{Bidi_Control}]/gu;

/** Escapes text for a terminal. Each control becomes visible text such as `\u001b`. */
export function terminalText(text: string): string {
  return text.replace(controls, escaped);
}

/** Escapes the controls in JSON text that `JSON.stringify` does not escape. The value stays the same. */
export function terminalJson(json: string): string {
  return json.replace(controls, escaped);
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
