import type { PoolClient } from 'pg';
import { z } from 'zod';
import { brandAs, type ProjectId } from '@/lib/base/ids';
import { type Scope, scopes } from '@/lib/base/rights';
import type { Store } from './database';

/* Commands that ask for a token: `callboard login`. */

/** For so long a person may allow it, and the command may fetch its token. */
export const loginMinutes = 10;

/** What a command asks for, as the person sees it. */
export interface CliLoginRow {
  readonly code: string;
  readonly machine: string;
  /** The IP address that it asked from. */
  readonly address: string;
  readonly scopes: readonly Scope[];
}

export type LoginState = 'open' | 'allowed' | 'denied';

const knownScopes = z.array(z.string()).transform((all) => scopes.filter((scope) => all.includes(scope)));
const state = z.enum(['open', 'allowed', 'denied']);
const row = z.object({ code: z.string(), machine: z.string(), address: z.string(), scopes: knownScopes, state });
const stateColumn = `CASE WHEN "allowedAt" IS NOT NULL THEN 'allowed' WHEN "deniedAt" IS NOT NULL THEN 'denied' ELSE 'open' END AS state`;

/** Stores what a command asks for, and removes what is over. */
export async function insertLogin(
  store: Store,
  login: CliLoginRow & { readonly id: string; readonly secretHash: string },
): Promise<void> {
  const { id, code, secretHash, machine, address } = login;
  await store.pool.query('DELETE FROM "CliLogin" WHERE "expiresAt" < now()');
  await store.pool.query(
    `INSERT INTO "CliLogin" (id, code, "secretHash", machine, address, scopes, "expiresAt")
     VALUES ($1, $2, $3, $4, $5, $6, now() + make_interval(mins => $7))`,
    [id, code, secretHash, machine, address, [...login.scopes], loginMinutes],
  );
}

/** Finds what a person was asked to compare. Returns `undefined` for a code that is unknown or too old. */
export async function findLogin(
  store: Store,
  code: string,
): Promise<(CliLoginRow & { readonly state: LoginState }) | undefined> {
  const { rows } = await store.pool.query(
    `SELECT code, machine, address, scopes, ${stateColumn} FROM "CliLogin" WHERE code = $1 AND "expiresAt" > now()`,
    [code],
  );
  return rows.length === 0 ? undefined : row.parse(rows[0]);
}

/** Tells a command how far it is. Returns `undefined` for a secret that is unknown or too old. */
export async function stateOfLogin(store: Store, secretHash: string): Promise<LoginState | undefined> {
  const { rows } = await store.pool.query(
    `SELECT ${stateColumn} FROM "CliLogin" WHERE "secretHash" = $1 AND "expiresAt" > now()`,
    [secretHash],
  );
  return rows.length === 0 ? undefined : z.object({ state }).parse(rows[0]).state;
}

interface Allowed {
  readonly userId: string;
  readonly scopes: readonly Scope[];
  readonly project: ProjectId | null;
  readonly days: number | null;
}

/** Notes what a person decided; null for a refusal. Returns false if somebody has decided before, or it is too late. */
export async function decideLogin(store: Store, code: string, allowed: Allowed | null): Promise<boolean> {
  const { rowCount } = await store.pool.query(
    allowed === null
      ? `UPDATE "CliLogin" SET "deniedAt" = now()
         WHERE code = $1 AND "allowedAt" IS NULL AND "deniedAt" IS NULL AND "expiresAt" > now()`
      : `UPDATE "CliLogin" SET "allowedAt" = now(), "userId" = $2, scopes = $3, "projectId" = $4, days = $5
         WHERE code = $1 AND "allowedAt" IS NULL AND "deniedAt" IS NULL AND "expiresAt" > now()`,
    allowed === null ? [code] : [code, allowed.userId, [...allowed.scopes], allowed.project, allowed.days],
  );
  return rowCount === 1;
}

const taken = z.object({
  machine: z.string(),
  scopes: knownScopes,
  project: z
    .string()
    .transform((id) => brandAs<ProjectId>(id))
    .nullable(),
  days: z.number().nullable(),
  userId: z.string(),
  email: z.string(),
});

/**
 * Uses up what a person has allowed. Only the first of several commands with the secret gets it. Returns `undefined` otherwise, and for a
 * person who was deactivated meanwhile.
 */
export async function takeLogin(
  connection: Pick<PoolClient, 'query'>,
  secretHash: string,
): Promise<z.infer<typeof taken> | undefined> {
  const { rows } = await connection.query(
    `DELETE FROM "CliLogin" l USING auth_user u
     WHERE u.id = l."userId" AND u."deactivatedAt" IS NULL AND l."secretHash" = $1 AND l."allowedAt" IS NOT NULL
       AND l."expiresAt" > now()
     RETURNING l.machine, l.scopes, l."projectId" AS project, l.days, u.id AS "userId", u.email`,
    [secretHash],
  );
  return rows.length === 0 ? undefined : taken.parse(rows[0]);
}
