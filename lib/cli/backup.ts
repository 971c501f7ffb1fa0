import { existsSync } from 'node:fs';
import { withCommandDatabase } from '@/lib/server/backup/command-database';
import { makeBackup } from '@/lib/server/backup/make-backup';
import { readAppEnv } from '@/lib/server/command-env';
import { megabytes } from '@/lib/server/disk-space';
import { faultOf } from './fault-of';
import { printNote } from './print';

/**
 * `backup FILE|-`: writes the whole database to a file or to stdout, while the app runs or not. Exit code 2 when that is not
 * possible; then there is no file.
 */
export async function backup(args: readonly string[]): Promise<number> {
  const [file, ...more] = args;
  if (file === undefined || more.length > 0 || (file.startsWith('-') && file !== '-')) {
    printNote('Usage: callboard backup FILE, or callboard backup - for stdout\n');
    return 2;
  }
  if (file === '-' && process.stdout.isTTY) {
    printNote('A backup is no text. Name a file, or send the output to a program.\n');
    return 2;
  }
  if (file !== '-' && existsSync(file)) {
    printNote(`${file} exists. Name another file.\n`);
    return 2;
  }
  try {
    const options = { now: new Date(), by: { by: 'local', via: 'cli' } };
    const { bytes } = await withCommandDatabase(readAppEnv(), { alone: false }, (url) =>
      makeBackup(url, file === '-' ? process.stdout : file, options),
    );
    const where = file === '-' ? 'stdout' : file;
    printNote(
      `The backup is in ${where} (${megabytes(bytes)}). Secrets in it are sealed. Keep the secret key apart from it, and a copy of both ` +
        'on another machine.\n',
    );
    return 0;
  } catch (error) {
    printNote(`There is no backup: ${faultOf(error)}\n`);
    return 2;
  }
}
