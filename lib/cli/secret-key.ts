import { readAppEnv } from '@/lib/server/command-env';
import { replaceSecretKey } from '@/lib/server/secret-key';
import { printNote, printResult } from './print';

/**
 * `secret-key --new`: makes a new key for secrets in the data folder and keeps the old one beside it. Workers seal the secrets anew at
 * their next start. Exit code 2 when that is not possible.
 */
export function secretKey(args: readonly string[]): number {
  try {
    if (args.length !== 1 || args[0] !== '--new') throw new Error('Usage: callboard secret-key --new');
    const { dataFolder } = readAppEnv();
    const old = replaceSecretKey(dataFolder);
    printResult(`Start Callboard again: it seals the secrets with the new key. Then remove ${old}\n`);
    return 0;
  } catch (error) {
    printNote(`${error instanceof Error ? error.message : error}\n`);
    return 2;
  }
}
