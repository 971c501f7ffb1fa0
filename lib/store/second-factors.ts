import type { PoolClient } from 'pg';
import { z } from 'zod';
import type { Store } from './database';
import { claimChallenge } from './passkeys';
import { readSetting, writeSetting } from './settings';

/* Second factors, in the table of better-auth, which checks codes at sign-in. Both texts are encrypted by it. */

export interface SecondFactor {
  readonly secret: string;
  readonly backupCodes: string;
  /** False until the person has shown a code of it. No sign-in asks for one before. */
  readonly isOn: boolean;
}

const row = z.object({ secret: z.string(), backupCodes: z.string(), isOn: z.boolean() });

export async function readSecondFactor(store: Store, user: string): Promise<SecondFactor | undefined> {
  const { rows } = await store.pool.query(
    `SELECT f.secret, f."backupCodes", COALESCE(u."twoFactorEnabled", false) AS "isOn"
     FROM auth_two_factor f JOIN auth_user u ON u.id = f."userId" WHERE f."userId" = $1`,
    [user],
  );
  return z.array(row).parse(rows)[0];
}

type Connection = Pick<PoolClient, 'query'>;

/** Keeps a second factor that the person has not confirmed yet, in place of an earlier one. Returns false if one is on. */
export async function putUnconfirmed(
  connection: Connection,
  user: string,
  { secret, backupCodes }: Omit<SecondFactor, 'isOn'>,
): Promise<boolean> {
  const { rows } = await connection.query<{ isOn: boolean }>(
    'SELECT COALESCE("twoFactorEnabled", false) AS "isOn" FROM auth_user WHERE id = $1 FOR UPDATE',
    [user],
  );
  if (rows[0]?.isOn !== false) return false;
  await connection.query('DELETE FROM auth_two_factor WHERE "userId" = $1', [user]);
  await connection.query(
    'INSERT INTO auth_two_factor (id, secret, "backupCodes", "userId", verified) VALUES ($1, $2, $3, $4, false)',
    [`factor-${user}`, secret, backupCodes, user],
  );
  return true;
}

/** Switches on the factor with this secret. Returns false if it is on already, or another took its place. */
export async function confirmSecondFactor(connection: Connection, user: string, secret: string): Promise<boolean> {
  const { rowCount } = await connection.query(
    'UPDATE auth_two_factor SET verified = true WHERE "userId" = $1 AND secret = $2 AND verified = false',
    [user, secret],
  );
  if (rowCount !== 1) return false;
  await connection.query('UPDATE auth_user SET "twoFactorEnabled" = true WHERE id = $1', [user]);
  return true;
}

/** Replaces the backup codes. Returns false if no factor is on. */
export async function replaceBackupCodes(connection: Connection, user: string, backupCodes: string): Promise<boolean> {
  const { rowCount } = await connection.query(
    'UPDATE auth_two_factor SET "backupCodes" = $2 WHERE "userId" = $1 AND verified',
    [user, backupCodes],
  );
  return rowCount === 1;
}

/** Removes the second factor of a person. Returns false if none was on. */
export async function removeSecondFactor(connection: Connection, user: string): Promise<boolean> {
  await connection.query('DELETE FROM auth_two_factor WHERE "userId" = $1', [user]);
  const { rowCount } = await connection.query(
    'UPDATE auth_user SET "twoFactorEnabled" = false WHERE id = $1 AND "twoFactorEnabled"',
    [user],
  );
  return rowCount === 1;
}

/** True for the first use of a code by a person. A code fits for a minute and a half at most. */
export async function claimCode(store: Store, user: string, code: string): Promise<boolean> {
  return await claimChallenge(store, `code-${user}-${code}`, 3);
}

/** The setting that everybody who has a password needs a second factor. `findSessionPerson` reads it too. */
const requiredKey = 'accounts.second-factor';

export async function isSecondFactorRequired(store: Store): Promise<boolean> {
  return (await readSetting(store, requiredKey)) === 'required';
}

export async function requireSecondFactor(connection: Connection, required: boolean): Promise<void> {
  await writeSetting(connection, requiredKey, required ? 'required' : 'optional');
}

/** SQL: true for a person `u` who needs a second factor and has none. Who has no password is not asked for one. */
export const lacksSecondFactor = `(NOT COALESCE(u."twoFactorEnabled", false)
  AND EXISTS (SELECT 1 FROM "Setting" WHERE key = '${requiredKey}' AND value = 'required')
  AND EXISTS (SELECT 1 FROM auth_account a WHERE a."userId" = u.id AND a.password IS NOT NULL))`;
