import { createInterface } from 'node:readline/promises';
import type { Readable, Writable } from 'node:stream';
import { type CapabilityList, isConfirmed } from '@/lib/cards/trust/capability';
import { printCapabilities } from './print-capabilities';
import type { TrustFile } from './trust-file';

/** Where a person may be asked. */
export interface Terminal {
  readonly input: Readable & { readonly isTTY?: boolean };
  readonly output: Writable & { readonly isTTY?: boolean };
}

/**
 * Whether a run of `folder` may start and call what the list has. In a terminal a person is asked once for each list.
 * Without one nobody is asked: the folder lies on the caller's own disk, and a script must not hang.
 */
export async function askTrust(
  folder: string,
  list: CapabilityList,
  { terminal, file, now }: { readonly terminal: Terminal; readonly file: TrustFile; readonly now: Date },
): Promise<boolean> {
  const { input, output } = terminal;
  if (list.items.length === 0 || input.isTTY !== true || output.isTTY !== true) return true;
  const confirmed = file.listsOf(folder);
  if (isConfirmed(list, confirmed)) return true;
  const [last] = confirmed;
  const since = last === undefined ? '' : ' Since you last said yes: + new, ~ changed.';
  output.write(`A run of this folder would start or call, with your rights on this machine.${since}\n\n`);
  output.write(`${printCapabilities(list, last)}\n`);
  if (!(await saysYes(terminal))) {
    output.write('Nothing was started.\n');
    return false;
  }
  try {
    file.remember(folder, list, now);
  } catch (error) {
    output.write(`The answer cannot be kept: ${error instanceof Error ? error.message : error}\n`);
  }
  return true;
}

/** Ctrl+C, Ctrl+D and anything but yes are a no. */
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
