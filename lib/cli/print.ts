import { terminalJson, terminalText } from '@/lib/base/terminal-text';

/** Characters of one text that a terminal is given. */
const mostShown = 200_000;

/**
 * A result, to stdout. What a model or a tool wrote must not drive the terminal, so controls are written out there; a file
 * or a pipe gets the text as it is.
 */
export function printResult(text: string): void {
  if (!process.stdout.isTTY) {
    process.stdout.write(text);
    return;
  }
  process.stdout.write(terminalText(text.slice(0, mostShown)));
  if (text.length <= mostShown) return;
  const sizes = `${mostShown.toLocaleString('en-US')} of ${text.length.toLocaleString('en-US')}`;
  printNote(`\n[first ${sizes} characters. Add "> answer.txt" to the command to have all of it.]\n`);
}

/** JSON, to stdout. Controls are escapes wherever it goes, and its value is the same. */
export function printJson(value: object, indent?: number): void {
  process.stdout.write(`${terminalJson(JSON.stringify(value, null, indent))}\n`);
}

/** Progress and faults, to stderr, which people read. */
export function printNote(text: string): void {
  process.stderr.write(terminalText(text));
}
