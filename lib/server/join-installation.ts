import { setTimeout as sleep } from 'node:timers/promises';
import { openStore } from '@/lib/store/database';
import { isOutage } from '@/lib/store/outage';
import { newerSentence, readDatabaseVersion } from './database-version';
import { withoutPasswords } from './log';
import { knownSecretKeys } from './secret-key';
import { appVersion } from './settings/app-version';
import type { Env } from './settings/env';
import { readWebFacts, type WebFacts } from './web-facts';

const pauseMs = 1_000;

/**
 * Waits until a web process of this version has prepared the database, and returns what it wrote there. `say` gets each reason to wait
 * once. Throws an Error for users if these workers can never fit. Resolves to `undefined` once the start is cancelled.
 */
export async function joinInstallation(
  env: Pick<Env, 'databaseUrl' | 'dataFolder' | 'secretKey' | 'oldSecretKey'>,
  { say, signal }: { readonly say: (line: string) => void; readonly signal: AbortSignal },
): Promise<WebFacts | undefined> {
  const keys = knownSecretKeys(env).map(({ id }) => id);
  let said: string | undefined;
  while (!signal.aborted) {
    const found = await look(env.databaseUrl ?? '', keys);
    if (typeof found !== 'string') return found;
    if (found !== said) say(found);
    said = found;
    await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
  }
  return undefined;
}

/** Returns the facts, or a sentence why workers wait. Throws an Error for users. */
async function look(databaseUrl: string, keys: readonly string[]): Promise<WebFacts | string> {
  try {
    const found = await readDatabaseVersion(databaseUrl);
    if (found.unknown.length > 0) throw new Error(newerSentence(found));
    const waits = 'Waiting for a web process of this version (npm start -- --only web), which prepares the database.';
    if (found.missing.length > 0) return waits;
    const store = openStore(databaseUrl, { maxConnections: 1 });
    const facts = await readWebFacts(store).finally(() => store.close());
    if (facts === undefined) return waits;
    const own = appVersion();
    if (facts.version !== own) {
      return `The web process is Callboard ${facts.version}, and this is ${own}. Waiting until both are the same version.`;
    }
    if (keys[0] === facts.key) return facts;
    throw new Error(
      `The secret key of this machine (${keys[0]}) is not that of the web process (${facts.key}), so secrets would not open. Set ` +
        'CALLBOARD_SECRET_KEY or CALLBOARD_SECRET_KEY_FILE to the key of the web process, or copy its file secret-key here.',
    );
  } catch (error) {
    const reason = withoutPasswords(error instanceof Error ? error.message : String(error));
    if (!isOutage(error)) throw new Error(`These workers cannot start. ${reason}`);
    return 'The database does not answer. Waiting for it; DATABASE_URL says where it is looked for.';
  }
}
