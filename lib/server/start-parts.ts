import { knownSecretKeys } from './secret-key';
import type { Env } from './settings/env';

/** What `callboard start` starts. */
export type Part = 'web' | 'worker';

export const allParts: readonly Part[] = ['web', 'worker'];

const usage = 'Usage: callboard start [--only web|worker]';

/** Reads the arguments of `callboard start`. Returns a sentence if they are wrong. */
export function readParts(args: readonly string[]): readonly Part[] | string {
  if (args.length === 0) return allParts;
  const [first = '', ...rest] = args;
  const [option, value, ...more] = first.startsWith('--only=')
    ? ['--only', first.slice('--only='.length), ...rest]
    : args;
  if (option !== '--only') return `Unknown option '${option}'. ${usage}`;
  const part = allParts.find((each) => each === value);
  return part === undefined || more.length > 0 ? `--only names one part. ${usage}` : [part];
}

/** Says why a part cannot be started alone with these settings; `undefined` if it can. */
export function problemOfPart(
  parts: readonly Part[],
  env: Pick<Env, 'databaseUrl' | 'dataFolder' | 'secretKey' | 'oldSecretKey'>,
): string | undefined {
  if (parts.length > 1) return undefined;
  const [part] = parts;
  if (env.databaseUrl === undefined) {
    return (
      `--only ${part} needs DATABASE_URL: the built-in database ends with the Callboard that started it, and no other machine reaches it. ` +
      'Set DATABASE_URL to one Postgres for all machines (docs/deploy.md).'
    );
  }
  if (part === 'worker' && knownSecretKeys(env).length === 0) {
    return (
      'This machine has no secret key, so its workers could open no secret. Set CALLBOARD_SECRET_KEY or CALLBOARD_SECRET_KEY_FILE, or ' +
      `copy the file secret-key from the data folder of the web process to ${env.dataFolder} (docs/deploy.md).`
    );
  }
  return undefined;
}
