import { z } from 'zod';
import type { Store } from '@/lib/store/database';
import { readSetting, writeSetting } from '@/lib/store/settings';

/**
 * What the machine of the web process writes into the database at its start. Workers of other machines compare it with their own
 * settings, and `callboard doctor` does too.
 */
const facts = z.object({
  version: z.string(),
  /** The id of the key to which secrets are sealed. It opens nothing. */
  key: z.string(),
  accounts: z.boolean(),
  publicUrl: z.string().optional(),
});
export type WebFacts = z.infer<typeof facts>;

const name = 'web-facts';

export async function writeWebFacts(store: Store, value: WebFacts): Promise<void> {
  await writeSetting(store.pool, name, JSON.stringify(value));
}

/** Returns `undefined` before the first start of a web process. */
export async function readWebFacts(store: Store): Promise<WebFacts | undefined> {
  const text = await readSetting(store, name);
  if (text === undefined) return undefined;
  return facts.safeParse(JSON.parse(text)).data;
}
