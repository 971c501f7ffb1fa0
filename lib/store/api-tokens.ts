import type { PoolClient } from 'pg';
import { z } from 'zod';
import { brandAs, type EpochMs, type ProjectId } from '@/lib/base/ids';
import { type Membership, roles, type Scope, scopes } from '@/lib/base/rights';
import type { Store } from './database';
import { makesProjects } from './project-makers';

/* Personal tokens. A row has the hash of its token, so that nobody who reads the database can use one. */

/** A token without its text. */
export interface TokenRow {
  readonly id: string;
  readonly name: string;
  /** How the token begins. */
  readonly prefix: string;
  readonly scopes: readonly Scope[];
  /** Null for every project of the person. */
  readonly project: { readonly id: ProjectId; readonly name: string } | null;
  readonly createdAt: EpochMs;
  /** Null for a token without an end. */
  readonly expiresAt: EpochMs | null;
  /** The last request, to the minute. Null before the first. */
  readonly usedAt: EpochMs | null;
  readonly owner: { readonly id: string; readonly name: string; readonly email: string };
}

/** What a token says of its person, or why it is of no use. */
export interface TokenPerson {
  readonly id: string;
  readonly scopes: readonly Scope[];
  readonly project: ProjectId | null;
  readonly fault: 'revoked' | 'expired' | 'deactivated' | null;
  readonly userId: string;
  readonly email: string;
  readonly name: string;
  readonly isAdministrator: boolean;
  readonly makesProjects: boolean;
  readonly members: ReadonlyMap<ProjectId, Membership>;
}

const projectId = z.string().transform((id) => brandAs<ProjectId>(id));
const epoch = z.number().transform((at) => brandAs<EpochMs>(at));
/** A newer version may have written a scope that this one does not know. It gives nothing here. */
const knownScopes = z.array(z.string()).transform((all) => scopes.filter((scope) => all.includes(scope)));

const row = z.object({
  id: z.string(),
  name: z.string(),
  prefix: z.string(),
  scopes: knownScopes,
  project: z.object({ id: projectId, name: z.string() }).nullable(),
  createdAt: epoch,
  expiresAt: epoch.nullable(),
  usedAt: epoch.nullable(),
  owner: z.object({ id: z.string(), name: z.string(), email: z.string() }),
});

const found = z.object({
  id: z.string(),
  scopes: knownScopes,
  project: projectId.nullable(),
  fault: z.enum(['revoked', 'expired', 'deactivated']).nullable(),
  stale: z.boolean(),
  userId: z.string(),
  email: z.string(),
  name: z.string(),
  isAdministrator: z.boolean(),
  makesProjects: z.boolean(),
  members: z
    .array(z.object({ project: projectId, role: z.enum(roles), answers: z.boolean() }))
    .transform((all) => new Map(all.map(({ project, ...member }) => [project, member]))),
});

/**
 * Finds a token by its hash, with its person and what the person may do: one statement, because every request asks. Returns `undefined`
 * for a hash that nothing has. At most once a minute it also notes that the token is in use.
 */
export async function findTokenPerson(store: Store, tokenHash: string): Promise<TokenPerson | undefined> {
  const { rows } = await store.pool.query({
    name: 'token_person',
    text: `SELECT t.id, t.scopes, t."projectId" AS project, u.id AS "userId", u.email, u.name,
       u.administrator AS "isAdministrator", ${makesProjects} AS "makesProjects",
       CASE WHEN t."revokedAt" IS NOT NULL THEN 'revoked' WHEN t."expiresAt" <= now() THEN 'expired'
            WHEN u."deactivatedAt" IS NOT NULL THEN 'deactivated' END AS fault,
       (t."usedAt" IS NULL OR t."usedAt" < now() - interval '1 minute') AS stale, COALESCE((
         SELECT json_agg(json_build_object('project', m."projectId", 'role', m.role, 'answers', m.answers))
         FROM "Member" m WHERE m."userId" = u.id), '[]') AS members
     FROM "ApiToken" t JOIN auth_user u ON u.id = t."userId" WHERE t."tokenHash" = $1`,
    values: [tokenHash],
  });
  if (rows.length === 0) return undefined;
  const { stale, ...person } = found.parse(rows[0]);
  // No request waits for it, and a lost note does no harm.
  if (stale && person.fault === null) void noteUse(store, person.id).catch(() => undefined);
  return person;
}

/** The condition is asked again: of requests at the same moment only the first writes. */
async function noteUse(store: Store, id: string): Promise<void> {
  await store.pool.query(
    `UPDATE "ApiToken" SET "usedAt" = now()
     WHERE id = $1 AND ("usedAt" IS NULL OR "usedAt" < now() - interval '1 minute')`,
    [id],
  );
}

const columns = `t.id, t.name, t.prefix, t.scopes,
  CASE WHEN p.id IS NULL THEN NULL ELSE json_build_object('id', p.id, 'name', p.name) END AS project,
  (extract(epoch FROM t."createdAt") * 1000)::float8 AS "createdAt",
  (extract(epoch FROM t."expiresAt") * 1000)::float8 AS "expiresAt",
  (extract(epoch FROM t."usedAt") * 1000)::float8 AS "usedAt",
  json_build_object('id', u.id, 'name', u.name, 'email', u.email) AS owner`;

/** The tokens of one person, only one of them, or those of everybody. */
export type TokensOf = { readonly user: string; readonly only?: string | undefined } | 'everybody';

/** Lists tokens that are not revoked, newest first; 1,000 at most. Those that have expired are among them. */
export async function listTokens(store: Store, of: TokensOf): Promise<readonly TokenRow[]> {
  const [user, only] = of === 'everybody' ? [null, null] : [of.user, of.only ?? null];
  const { rows } = await store.pool.query(
    `SELECT ${columns} FROM "ApiToken" t JOIN auth_user u ON u.id = t."userId" LEFT JOIN "Project" p ON p.id = t."projectId"
     WHERE t."revokedAt" IS NULL AND ($1::text IS NULL OR t."userId" = $1) AND ($2::text IS NULL OR t.id = $2)
     ORDER BY t."createdAt" DESC, t.id LIMIT 1000`,
    [user, only],
  );
  return z.array(row).parse(rows);
}

export interface NewToken {
  readonly id: string;
  readonly userId: string;
  readonly name: string;
  readonly prefix: string;
  readonly tokenHash: string;
  readonly scopes: readonly Scope[];
  readonly project: ProjectId | null;
  /** For how many days it is valid. Null: without an end. */
  readonly days: number | null;
}

/** A token that was revoked or has expired can tell its holder so for this long. Then it is as unknown as any other text. */
const keptDays = 90;

/** Stores a token, and removes those of the person that ended long ago. */
export async function insertToken(connection: Pick<PoolClient, 'query'>, token: NewToken): Promise<void> {
  await connection.query(
    `DELETE FROM "ApiToken"
     WHERE "userId" = $1 AND COALESCE("revokedAt", "expiresAt") < now() - make_interval(days => $2)`,
    [token.userId, keptDays],
  );
  await connection.query(
    `INSERT INTO "ApiToken" (id, "userId", name, prefix, "tokenHash", scopes, "projectId", "expiresAt")
     VALUES ($1, $2, $3, $4, $5, $6, $7, now() + make_interval(days => $8))`,
    [token.id, token.userId, token.name, token.prefix, token.tokenHash, [...token.scopes], token.project, token.days],
  );
}

/** Lets tokens of one person that are made at the same time be counted one after another, until the transaction ends. */
export async function lockTokens(connection: Pick<PoolClient, 'query'>, user: string): Promise<void> {
  await connection.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 7203017))', [`tokens of ${user}`]);
}

/** Counts the tokens of a person that are not revoked. */
export async function countTokens(connection: Pick<PoolClient, 'query'>, user: string): Promise<number> {
  const { rows } = await connection.query<{ count: number }>(
    'SELECT count(*)::int AS count FROM "ApiToken" WHERE "userId" = $1 AND "revokedAt" IS NULL',
    [user],
  );
  return rows[0]?.count ?? 0;
}

/** Revokes a token: of one person, or with null of anybody. Returns what it was, or `undefined` if there is none to revoke. */
export async function revokeTokenRow(
  connection: Pick<PoolClient, 'query'>,
  user: string | null,
  id: string,
): Promise<{ readonly name: string; readonly prefix: string; readonly owner: string } | undefined> {
  const { rows } = await connection.query<{ name: string; prefix: string; owner: string }>(
    `UPDATE "ApiToken" t SET "revokedAt" = now() FROM auth_user u
     WHERE u.id = t."userId" AND t.id = $1 AND ($2::text IS NULL OR t."userId" = $2) AND t."revokedAt" IS NULL
     RETURNING t.name, t.prefix, u.email AS owner`,
    [id, user],
  );
  return rows[0];
}
