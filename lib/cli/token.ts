import { existsSync } from 'node:fs';
import { ensureAccessToken, replaceAccessToken } from '@/lib/server/access-token';
import { readAppEnv } from '@/lib/server/command-env';
import { EnvError } from '@/lib/server/settings/env';
import { surviveOutputErrors } from '@/lib/server/steady-output';
import { faultOf } from './fault-of';
import { printNote } from './print';

/**
 * `token [--new]`: prints only the token of the data folder (CALLBOARD_DATA), for `export TOKEN=$(npx callboard token)`.
 * `--new` first creates another token, which signs everybody out. Exit code 2 when there is no token.
 */
export function token(args: readonly string[]): number {
  const unknown = args.find((arg) => arg !== '--new');
  if (unknown !== undefined) return refuse(`Unknown option '${unknown}'. Usage: callboard token [--new]`);
  // A reader that closes the pipe early (`| true`) is not an error.
  surviveOutputErrors();
  try {
    const { dataFolder, open } = readAppEnv();
    if (!existsSync(dataFolder)) {
      return refuse(
        `There is no data folder ${dataFolder} yet. Start Callboard first, or set CALLBOARD_DATA as for that start.`,
      );
    }
    const printed = args.includes('--new') ? replaceAccessToken(dataFolder) : ensureAccessToken(dataFolder);
    process.stdout.write(`${printed}\n`);
    if (open) process.stderr.write('CALLBOARD_OPEN=1: the token is not needed.\n');
    return 0;
  } catch (error) {
    if (error instanceof EnvError) return refuse(error.message);
    return refuse(`The token cannot be read: ${faultOf(error)}`);
  }
}

function refuse(message: string): number {
  printNote(`${message}\n`);
  return 2;
}
