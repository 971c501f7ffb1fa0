import { parseArgs } from 'node:util';
import { withCommandDatabase } from '@/lib/server/backup/command-database';
import { checkBackupFile, restoreFile } from '@/lib/server/backup/restore-file';
import { readAppEnv } from '@/lib/server/command-env';
import { knownSecretKeys } from '@/lib/server/secret-key';
import type { Env } from '@/lib/server/settings/env';
import { faultOf } from './fault-of';
import { printNote } from './print';

const usage = 'callboard restore FILE [--replace]';

/**
 * `restore FILE [--replace]`: fills the database with a backup, in one transaction. `--replace` removes what is in it. Exit code 0:
 * restored, 1: restored, and secrets do not open, 2: refused or failed; then the database is as it was.
 */
export async function restore(args: readonly string[]): Promise<number> {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { replace: { type: 'boolean', default: false } },
    });
    const [file] = positionals;
    if (file === undefined || positionals.length > 1) throw new Error(`Usage: ${usage}`);
    const env = readAppEnv();
    const header = await checkBackupFile(file);
    printNote(`A backup of Callboard ${header.callboard}, made ${header.createdAt}.\n`);
    const options = { replace: values.replace, by: { by: 'local', via: 'cli' } };
    const { tables, rows, secretKeys } = await withCommandDatabase(env, { alone: true }, (url) =>
      restoreFile(url, file, options),
    );
    printNote(`Restored: ${rows.toLocaleString('en-US')} rows in ${tables} tables. People sign in again.\n`);
    const fits = reportKeys(env, secretKeys);
    printNote('Start Callboard. Then check it: npx callboard doctor\n');
    return fits ? 0 : 1;
  } catch (error) {
    printNote(`Nothing was restored: ${faultOf(error)}\n`);
    return 2;
  }
}

function reportKeys(env: Env, needed: readonly string[]): boolean {
  const known = knownSecretKeys(env).map(({ id }) => id);
  const missing = needed.filter((id) => !known.includes(id));
  if (missing.length === 0) {
    printNote(needed.length === 0 ? 'It has no secrets.\n' : 'The secret key fits: secrets open.\n');
    return true;
  }
  printNote(
    `The secret key does not fit: secrets are sealed to ${missing.join(', ')}, and ` +
      `${known.length === 0 ? 'there is none here' : `here is ${known.join(', ')}`}. Put the file secret-key of that installation into ` +
      `${env.dataFolder}, or set CALLBOARD_SECRET_KEY, before you start Callboard. Without it, set the secrets anew.\n`,
  );
  return false;
}
