import { terminalJson, terminalText } from '@/lib/base/terminal-text';

/** A terminal shows at most this many characters of one text. */
const mostShown = 200_000;

/**
 * Prints a result to stdout. In a terminal, control characters from models and tools are escaped; a file or a pipe gets the
 * unchanged text.
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

/** Prints JSON to stdout. Always escapes control characters, which does not change the value. */
export function printJson(value: object, indent?: number): void {
  process.stdout.write(`${terminalJson(JSON.stringify(value, null, indent))}\n`);
}

/** Prints progress and faults for users to stderr. */
export function printNote(text: string): void {
  process.stderr.write(terminalText(text));
}
