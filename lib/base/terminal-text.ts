/**
 * What a terminal would obey rather than show: C0 and C1 controls with escape sequences, and Unicode's marks that turn the
 * direction of text. A new line and a tab stay, and so does the carriage return before a new line.
 */
const controls = /(?![\n\t])(?!\r\n)[\p{Cc}\p{Bidi_Control}]/gu;

/** Text for a terminal, with each control written out as `\u001b`, so that it is seen and does nothing. */
export function terminalText(text: string): string {
  return text.replace(controls, escaped);
}

/** JSON text for a terminal: the same value, with the controls that `JSON.stringify` leaves as they are. */
export function terminalJson(json: string): string {
  return json.replace(controls, escaped);
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
