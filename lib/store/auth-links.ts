import { createHash, randomBytes } from 'node:crypto';
import type { PoolClient } from 'pg';

/*
 * Links that work once: the first set-up of an installation, and a new password. The database has only the hash of a link's token, so
 * that nobody who reads it can use one.
 */

export type AuthLinkKind = 'setup' | 'reset';

/** A day: a link to set up, or one that an administrator hands over. */
export const linkHours = 24;

/** Makes a token of 256 random bits for a link. */
export function newLinkToken(): string {
  return randomBytes(32).toString('base64url');
}

export function hashOfToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

interface NewLink {
  readonly kind: AuthLinkKind;
  /** Whose password it sets; null for a set-up. */
  readonly user: string | null;
  readonly madeBy: string;
}

type Connection = Pick<PoolClient, 'query'>;

/** Makes a link in place of those of its kind for the same person. Returns its token, which is stored nowhere. */
export async function makeAuthLink(connection: Connection, { kind, user, madeBy }: NewLink): Promise<string> {
  const token = newLinkToken();
  await connection.query(
    `DELETE FROM auth_link WHERE "expiresAt" < now() - interval '30 days'
       OR (kind = $1 AND "userId" IS NOT DISTINCT FROM $2 AND "usedAt" IS NULL)`,
    [kind, user],
  );
  await connection.query(
    `INSERT INTO auth_link ("tokenHash", kind, "userId", "madeBy", "expiresAt")
     VALUES ($1, $2, $3, $4, now() + make_interval(hours => $5))`,
    [hashOfToken(token), kind, user, madeBy, linkHours],
  );
  return token;
}

/** Why a link cannot be used. A link that a newer one replaced is `unknown`. */
export type LinkFault = 'unknown' | 'used' | 'expired';

/** Says what is wrong with a link, or whose it is. It changes nothing: programs that look at links open them too. */
export async function readAuthLink(
  connection: Connection,
  kind: AuthLinkKind,
  token: string,
): Promise<{ readonly user: string | null } | LinkFault> {
  const { rows } = await connection.query<{ userId: string | null; used: boolean; expired: boolean }>(
    `SELECT "userId", "usedAt" IS NOT NULL AS used, "expiresAt" <= now() AS expired FROM auth_link
     WHERE "tokenHash" = $1 AND kind = $2`,
    [hashOfToken(token), kind],
  );
  const [link] = rows;
  if (link === undefined) return 'unknown';
  if (link.used) return 'used';
  return link.expired ? 'expired' : { user: link.userId };
}

/** Uses a link up within a transaction. Returns false if another transaction was first, or it is not valid. */
export async function claimAuthLink(connection: PoolClient, kind: AuthLinkKind, token: string): Promise<boolean> {
  const { rowCount } = await connection.query(
    'UPDATE auth_link SET "usedAt" = now() WHERE "tokenHash" = $1 AND kind = $2 AND "usedAt" IS NULL AND "expiresAt" > now()',
    [hashOfToken(token), kind],
  );
  return rowCount === 1;
}
