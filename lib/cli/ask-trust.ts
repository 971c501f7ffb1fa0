import { createInterface } from 'node:readline/promises';
import type { Readable, Writable } from 'node:stream';
import { type CapabilityList, isConfirmed } from '@/lib/cards/trust/capability';
import { faultOf } from './fault-of';
import { printCapabilities } from './print-capabilities';
import type { TrustFile } from './trust-file';

/** The terminal in which to ask. */
export interface Terminal {
  readonly input: Readable & { readonly isTTY?: boolean };
  readonly output: Writable & { readonly isTTY?: boolean };
}

/**
 * True if a run of `folder` may start and call what is in the list. In a terminal, the user is asked once per list. Without
 * a terminal the answer is yes, because the folder is on the user's own disk and a script must not wait for an answer. A card from an
 * address is not the user's own: without a terminal the answer is no, unless the list was confirmed before.
 */
export async function askTrust(
  folder: string,
  list: CapabilityList,
  {
    terminal,
    file,
    now,
    isFromAddress = false,
  }: {
    readonly terminal: Terminal;
    readonly file: TrustFile;
    readonly now: Date;
    readonly isFromAddress?: boolean;
  },
): Promise<boolean> {
  const { input, output } = terminal;
  const hasTerminal = input.isTTY === true && output.isTTY === true;
  if (list.items.length === 0 || (!hasTerminal && !isFromAddress)) return true;
  const confirmed = file.listsOf(folder);
  if (isConfirmed(list, confirmed)) return true;
  if (!hasTerminal) {
    output.write(`A run of this card from an address would start or call:\n\n${printCapabilities(list)}\n`);
    output.write('Nothing was started. Look at the card, then confirm it once in a terminal or add --trust.\n');
    return false;
  }
  const [last] = confirmed;
  const since = last === undefined ? '' : ' Since your last confirmation: + new, ~ changed.';
  output.write(`A run of this folder would start or call, with your rights on this machine.${since}\n\n`);
  output.write(`${printCapabilities(list, last)}\n`);
  if (!(await saysYes(terminal))) {
    output.write('Nothing was started.\n');
    return false;
  }
  try {
    file.remember(folder, list, now);
  } catch (error) {
    output.write(`The answer cannot be kept: ${faultOf(error)}\n`);
  }
  return true;
}

/** True for "y" or "yes". Ctrl+C, Ctrl+D and any other answer mean no. */
async function saysYes({ input, output }: Terminal): Promise<boolean> {
  const reader = createInterface({ input, output, terminal: false });
  const closed = new Promise<string>((resolve) => reader.once('close', () => resolve('')));
  try {
    const answer = await Promise.race([reader.question('Start and call these? [y/N] '), closed]);
    return /^y(?:es)?$/i.test(answer.trim());
  } finally {
    reader.close();
  }
}
