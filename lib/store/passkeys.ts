import { z } from 'zod';
import type { Actor } from '@/lib/base/actor';
import { brandAs, type EpochMs } from '@/lib/base/ids';
import { appendAudit } from './audit';
import type { Store } from './database';
import { transaction } from './transaction';

/** A passkey, as its person sees it. */
export interface PasskeyRow {
  readonly id: string;
  readonly name: string;
  readonly createdAt: EpochMs;
  readonly usedAt: EpochMs | null;
}

/** What is needed to check a signature of a passkey. */
export interface StoredPasskey {
  readonly id: string;
  readonly userId: string;
  /** In base64url. */
  readonly credentialId: string;
  readonly publicKey: Uint8Array<ArrayBuffer>;
  readonly counter: number;
  readonly transports: readonly string[];
}

const epoch = z.number().transform((at) => brandAs<EpochMs>(at));
const listed = z.object({ id: z.string(), name: z.string(), createdAt: epoch, usedAt: epoch.nullable() });
const stored = z.object({
  id: z.string(),
  userId: z.string(),
  credentialId: z.string(),
  publicKey: z.instanceof(Uint8Array).transform((bytes) => new Uint8Array(bytes)),
  counter: z.coerce.number(),
  transports: z.array(z.string()),
});
const columns = 'id, "userId", "credentialId", "publicKey", counter, transports';

export async function listPasskeys(store: Store, user: string): Promise<readonly PasskeyRow[]> {
  const { rows } = await store.pool.query(
    `SELECT id, name, (extract(epoch FROM "createdAt") * 1000)::float8 AS "createdAt",
       (extract(epoch FROM "usedAt") * 1000)::float8 AS "usedAt"
     FROM auth_passkey WHERE "userId" = $1 ORDER BY "createdAt", id`,
    [user],
  );
  return z.array(listed).parse(rows);
}

/** Returns the passkeys of a person, or the one with a credential's id. */
export async function findPasskeys(
  store: Store,
  by: { readonly user: string } | { readonly credential: string },
): Promise<readonly StoredPasskey[]> {
  const [column, value] = 'user' in by ? ['"userId"', by.user] : ['"credentialId"', by.credential];
  const { rows } = await store.pool.query(`SELECT ${columns} FROM auth_passkey WHERE ${column} = $1`, [value]);
  return z.array(stored).parse(rows);
}

/** Stores a passkey. Returns false if some person has it already. */
export async function insertPasskey(
  store: Store,
  passkey: StoredPasskey & { readonly name: string },
  actor: Pick<Actor, 'by' | 'via'>,
): Promise<boolean> {
  const { id, userId, credentialId, publicKey, counter, transports, name } = passkey;
  return await transaction(store, async (connection) => {
    const { rowCount } = await connection.query(
      `INSERT INTO auth_passkey (id, "userId", "credentialId", "publicKey", counter, transports, name)
       VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT ("credentialId") DO NOTHING`,
      [id, userId, credentialId, Buffer.from(publicKey), counter, [...transports], name],
    );
    if (rowCount !== 1) return false;
    await appendAudit(connection, { actor, action: 'person.passkey_added', object: actor.by, body: { name } });
    return true;
  });
}

/** Removes a passkey of a person. Returns false if there is none. */
export async function deletePasskey(
  store: Store,
  user: string,
  id: string,
  actor: Pick<Actor, 'by' | 'via'>,
): Promise<boolean> {
  return await transaction(store, async (connection) => {
    const { rows } = await connection.query<{ name: string }>(
      'DELETE FROM auth_passkey WHERE "userId" = $1 AND id = $2 RETURNING name',
      [user, id],
    );
    const [gone] = rows;
    if (gone === undefined) return false;
    const body = { name: gone.name };
    await appendAudit(connection, { actor, action: 'person.passkey_removed', object: actor.by, body });
    return true;
  });
}

/** Notes the use of a passkey, with the counter that it sent. */
export async function notePasskeyUse(store: Store, id: string, counter: number): Promise<void> {
  await store.pool.query('UPDATE auth_passkey SET counter = $2, "usedAt" = now() WHERE id = $1', [id, counter]);
}

/** True for the first use of a challenge. The row stays until the challenge has expired. */
export async function claimChallenge(store: Store, challenge: string, minutes: number): Promise<boolean> {
  const { rowCount } = await store.pool.query(
    `INSERT INTO auth_verification (id, identifier, value, "expiresAt")
     VALUES ($1, $1, '', now() + make_interval(mins => $2)) ON CONFLICT (id) DO NOTHING`,
    [`challenge-${challenge}`, minutes],
  );
  return rowCount === 1;
}
