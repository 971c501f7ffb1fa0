import { withCommandDatabase } from '@/lib/server/backup/command-database';
import { readAppEnv } from '@/lib/server/command-env';
import { knownSecretKeys, replaceSecretKey } from '@/lib/server/secret-key';
import { appendAudit } from '@/lib/store/audit';
import { openStore } from '@/lib/store/database';
import { transaction } from '@/lib/store/transaction';
import { faultOf } from './fault-of';
import { printNote, printResult } from './print';

/**
 * `secret-key --new`: makes a new key for secrets in the data folder, keeps the old one beside it, and records it in the audit log.
 * Workers seal the secrets anew at their next start. Exit code 2 when that is not possible; then the key stays.
 */
export async function secretKey(args: readonly string[]): Promise<number> {
  try {
    if (args.length !== 1 || args[0] !== '--new') throw new Error('Usage: callboard secret-key --new');
    const env = readAppEnv();
    const old = await withCommandDatabase(env, { alone: false }, (url) => replaceAndRecord(env.dataFolder, url));
    printResult(`Start Callboard again: it seals the secrets with the new key. Then remove ${old}\n`);
    return 0;
  } catch (error) {
    printNote(`${faultOf(error)}\n`);
    return 2;
  }
}

/** Replaces the key between the entry and its commit: a database that cannot be written to leaves the key as it is. */
async function replaceAndRecord(dataFolder: string, databaseUrl: string): Promise<string> {
  const actor = { by: 'local', via: 'cli' };
  const [current] = knownSecretKeys({ dataFolder, secretKey: undefined, oldSecretKey: undefined });
  const store = openStore(databaseUrl);
  try {
    return await transaction(store, async (connection) => {
      await appendAudit(connection, { actor, action: 'secret_key.replaced', object: current?.id ?? 'secret-key' });
      return replaceSecretKey(dataFolder);
    });
  } finally {
    await store.close();
  }
}
