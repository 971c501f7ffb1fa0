import type { PoolClient } from 'pg';
import { z } from 'zod';
import type { Actor } from '@/lib/base/actor';
import { brandAs, type EpochMs, type ProjectId } from '@/lib/base/ids';
import { appendAudit } from './audit';
import type { Store } from './database';
import { transaction } from './transaction';

/*
 * Sign-ins at MCP servers. One of a project and an address:
 *
 *   attempt (a worker) ──state (web)──▶ browser ──state taken once (web)──▶ sign-in with tokens (a worker) ──▶ renewed … ──▶ ended
 */

/** A sign-in without its tokens. */
export interface SignInRow {
  readonly id: string;
  /** The name of the server when somebody signed in. */
  readonly server: string;
  readonly address: string;
  /** The host at which the person signed in. */
  readonly provider: string;
  readonly by: string;
  readonly at: EpochMs;
  readonly expiresAt: EpochMs | null;
  readonly refreshedAt: EpochMs | null;
  readonly usedAt: EpochMs | null;
  /** Why somebody has to sign in again; null while it works. */
  readonly endedBecause: string | null;
}

export interface SealedSignIn {
  readonly id: string;
  readonly server: string;
  readonly address: string;
  /** As sealNamed makes it; empty if it has ended. */
  readonly sealed: string;
  readonly version: number;
  readonly expiresAt: EpochMs | null;
  readonly usedAt: EpochMs | null;
  readonly endedBecause: string | null;
}

/** A sign-in that has begun. */
export interface SignInAttempt {
  readonly id: string;
  readonly projectId: ProjectId;
  readonly server: string;
  readonly address: string;
  readonly url: string;
  readonly sealed: string;
  readonly by: string;
}

/** The text that a sign-in is sealed with. */
export function signInLabel(id: string): string {
  return `sign-in/${id}`;
}

/** A browser has to be back in this time. */
const attemptMinutes = 10;
const epoch = z.number().transform((at) => brandAs<EpochMs>(at));
const ms = (column: string) => `(extract(epoch FROM "${column}") * 1000)::float8 AS "${column}"`;

const listed = z.object({
  id: z.string(),
  server: z.string(),
  address: z.string(),
  provider: z.string(),
  by: z.string(),
  at: epoch,
  expiresAt: epoch.nullable(),
  refreshedAt: epoch.nullable(),
  usedAt: epoch.nullable(),
  endedBecause: z.string().nullable(),
});

const sealedRow = z.object({
  id: z.string(),
  server: z.string(),
  address: z.string(),
  sealed: z.string(),
  version: z.number(),
  expiresAt: epoch.nullable(),
  usedAt: epoch.nullable(),
  endedBecause: z.string().nullable(),
});
const sealedColumns = `id, server, address, sealed, version, ${ms('expiresAt')}, ${ms('usedAt')}, "endedBecause"`;

/** Lists the sign-ins of a project by server. */
export async function listSignIns(store: Store, project: ProjectId): Promise<readonly SignInRow[]> {
  const { rows } = await store.pool.query(
    `SELECT id, server, address, provider, by, ${ms('at')}, ${ms('expiresAt')}, ${ms('refreshedAt')}, ${ms('usedAt')},
       "endedBecause" FROM "McpSignIn" WHERE "projectId" = $1 ORDER BY server, address`,
    [project],
  );
  return z.array(listed).parse(rows);
}

/** Returns the sign-ins that runs of a project may use, also those that have ended. */
export async function sealedSignInsOf(store: Store, project: ProjectId): Promise<readonly SealedSignIn[]> {
  const { rows } = await store.pool.query(
    `SELECT ${sealedColumns} FROM "McpSignIn" WHERE "projectId" = $1 ORDER BY address`,
    [project],
  );
  return z.array(sealedRow).parse(rows);
}

export async function findSealedSignIn(store: Store, id: string): Promise<SealedSignIn | undefined> {
  const { rows } = await store.pool.query(`SELECT ${sealedColumns} FROM "McpSignIn" WHERE id = $1`, [id]);
  return z.array(sealedRow).parse(rows)[0];
}

/** What a refresh has come to. `sealed` is empty if somebody has to sign in again. */
export type Renewal =
  | { readonly sealed: string; readonly expiresAt: EpochMs | null }
  | { readonly sealed: ''; readonly endedBecause: string };

/**
 * Renews a sign-in while it is locked, so that a refresh token is spent once also by many workers: authorization servers that rotate
 * tokens take a second use for theft. `renew` gets the row as it is then, and returns `undefined` if another worker was first. Returns
 * the row after it; `undefined` if it is gone. What `renew` throws changes nothing.
 */
export async function renewSignIn(
  store: Store,
  id: string,
  renew: (now: SealedSignIn) => Promise<Renewal | undefined>,
): Promise<SealedSignIn | undefined> {
  return await transaction(store, async (connection) => {
    const read = async (lock = '') => {
      const { rows } = await connection.query(`SELECT ${sealedColumns} FROM "McpSignIn" WHERE id = $1 ${lock}`, [id]);
      return z.array(sealedRow).parse(rows)[0];
    };
    const now = await read('FOR UPDATE');
    const renewal = now && (await renew(now));
    if (renewal === undefined) return now;
    const [why, expiresAt] = 'endedBecause' in renewal ? [renewal.endedBecause, null] : [null, renewal.expiresAt];
    await connection.query(
      `UPDATE "McpSignIn" SET sealed = $2, "endedBecause" = $3, "expiresAt" = to_timestamp($4::float8 / 1000),
         "refreshedAt" = CASE WHEN $3::text IS NULL THEN now() ELSE "refreshedAt" END, version = version + 1 WHERE id = $1`,
      [id, renewal.sealed, why, expiresAt],
    );
    return await read();
  });
}

/** Notes that a run sends the token of a sign-in. */
export async function noteSignInUse(store: Store, id: string): Promise<void> {
  await store.pool.query('UPDATE "McpSignIn" SET "usedAt" = now() WHERE id = $1', [id]);
}

/** Stores what a worker has begun. Attempts that nobody finished in time are removed. */
export async function insertAttempt(store: Store, attempt: SignInAttempt): Promise<void> {
  const { id, projectId, server, address, url, sealed, by } = attempt;
  await store.pool.query(`DELETE FROM "McpSignInAttempt" WHERE at < now() - make_interval(mins => $1)`, [
    attemptMinutes,
  ]);
  await store.pool.query(
    `INSERT INTO "McpSignInAttempt" (id, "projectId", server, address, url, sealed, by) VALUES ($1, $2, $3, $4, $5, $6, $7)`,
    [id, projectId, server, address, url, sealed, by],
  );
}

/** Binds an attempt to the browser that leaves for its address, once. Returns the address; `undefined` if it is gone or has left before. */
export async function leaveForSignIn(
  store: Store,
  id: string,
  marks: { readonly state: string; readonly browser: string; readonly by: string },
): Promise<string | undefined> {
  const { rows } = await store.pool.query<{ url: string }>(
    `UPDATE "McpSignInAttempt" SET state = $2, browser = $3
     WHERE id = $1 AND state IS NULL AND by = $4 AND at > now() - make_interval(mins => $5) RETURNING url`,
    [id, marks.state, marks.browser, marks.by, attemptMinutes],
  );
  return rows[0]?.url;
}

export interface ReturnedAttempt {
  readonly id: string;
  readonly projectId: ProjectId;
  readonly server: string;
}

/** Finds the attempt of a state, without taking it. */
export async function findAttemptOf(store: Store, state: string): Promise<{ readonly id: string } | undefined> {
  const { rows } = await store.pool.query<{ id: string }>('SELECT id FROM "McpSignInAttempt" WHERE state = $1', [
    state,
  ]);
  return rows[0];
}

/** Takes a state, which is then used up. Returns `undefined` unless it is that of this browser and person, in time and new. */
export async function takeState(
  store: Store,
  marks: { readonly state: string; readonly browser: string; readonly by: string },
): Promise<ReturnedAttempt | undefined> {
  const { rows } = await store.pool.query<{ id: string; projectId: string; server: string }>(
    `UPDATE "McpSignInAttempt" SET state = 'taken ' || id
     WHERE state = $1 AND browser = $2 AND by = $3 AND at > now() - make_interval(mins => $4)
     RETURNING id, "projectId", server`,
    [marks.state, marks.browser, marks.by, attemptMinutes],
  );
  const [row] = rows;
  return row && { ...row, projectId: brandAs<ProjectId>(row.projectId) };
}

/** Removes an attempt and returns it, for the worker that finishes it. */
export async function takeAttempt(store: Store, id: string): Promise<SignInAttempt | undefined> {
  const { rows } = await store.pool.query<SignInAttempt>(
    `DELETE FROM "McpSignInAttempt" WHERE id = $1 AND state = 'taken ' || id
     RETURNING id, "projectId", server, address, url, sealed, by`,
    [id],
  );
  return rows[0];
}

/** Stores a sign-in in place of one at its address. */
export async function putSignIn(
  store: Store,
  signIn: SignInAttempt & { readonly provider: string; readonly expiresAt: EpochMs | null },
): Promise<void> {
  const { id, projectId, server, address, provider, sealed, expiresAt, by } = signIn;
  await transaction(store, async (connection) => {
    await connection.query('DELETE FROM "McpSignIn" WHERE "projectId" = $1 AND address = $2', [projectId, address]);
    await connection.query(
      `INSERT INTO "McpSignIn" (id, "projectId", server, address, provider, sealed, "expiresAt", by)
       VALUES ($1, $2, $3, $4, $5, $6, to_timestamp($7::float8 / 1000), $8)`,
      [id, projectId, server, address, provider, sealed, expiresAt, by],
    );
    const entry = { action: 'server.signed_in' as const, object: server, project: projectId };
    await appendAudit(connection, {
      ...entry,
      actor: { by, via: 'web' },
      body: { host: new URL(address).host, provider },
    });
  });
}

/** Removes a sign-in. Returns what was sealed, so that a worker can revoke it; `undefined` if there is none. */
export async function removeSignIn(
  store: Store,
  { project, id }: { readonly project: ProjectId; readonly id: string },
  actor: Actor,
): Promise<string | undefined> {
  return await transaction(store, async (connection) => {
    const { rows } = await connection.query<{ sealed: string; server: string; address: string }>(
      'DELETE FROM "McpSignIn" WHERE id = $1 AND "projectId" = $2 RETURNING sealed, server, address',
      [id, project],
    );
    const [row] = rows;
    if (row === undefined) return undefined;
    const entry = { action: 'server.signed_out' as const, object: row.server, project };
    await appendAudit(connection, { ...entry, actor, body: { host: new URL(row.address).host } });
    return row.sealed;
  });
}

/** Seals sign-ins of another key anew. `change` returns `undefined` for one that it cannot open. Returns how many were changed. */
export async function resealSignIns(
  connection: PoolClient,
  keyId: string,
  change: (id: string, sealed: string) => string | undefined,
): Promise<number> {
  const { rows } = await connection.query<{ id: string; sealed: string }>(
    `SELECT id, sealed FROM "McpSignIn" WHERE sealed <> '' AND sealed NOT LIKE $1 ORDER BY id FOR UPDATE`,
    [`${keyId}:%`],
  );
  let changed = 0;
  for (const { id, sealed } of rows) {
    const value = change(id, sealed);
    if (value === undefined) continue;
    await connection.query('UPDATE "McpSignIn" SET sealed = $2 WHERE id = $1', [id, value]);
    changed += 1;
  }
  return changed;
}
