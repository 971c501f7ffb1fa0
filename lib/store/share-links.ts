import type { PoolClient } from 'pg';
import { z } from 'zod';
import { brandAs, type EpochMs, type ProjectId, type RunId } from '@/lib/base/ids';
import type { Store } from './database';

/* Links that show one run. A row has the hash of the token, so that nobody who reads the database can open a link. */

/** A link without its token. */
export interface ShareLinkRow {
  readonly id: string;
  /** How the token begins. */
  readonly prefix: string;
  readonly texts: boolean;
  readonly by: string;
  readonly createdAt: EpochMs;
  readonly expiresAt: EpochMs;
  /** How often it was opened, and when for the last time. */
  readonly opens: number;
  readonly openedAt: EpochMs | null;
}

/** What a token opens, or why it opens nothing any more. */
export interface FoundShareLink {
  readonly id: string;
  readonly prefix: string;
  readonly run: RunId;
  readonly project: ProjectId;
  readonly texts: boolean;
  readonly expiresAt: EpochMs;
  readonly isOver: boolean;
}

const epoch = z.number().transform((at) => brandAs<EpochMs>(at));
const row = z.object({
  id: z.string(),
  prefix: z.string(),
  texts: z.boolean(),
  by: z.string(),
  createdAt: epoch,
  expiresAt: epoch,
  opens: z.number(),
  openedAt: epoch.nullable(),
});
const found = z.object({
  id: z.string(),
  prefix: z.string(),
  run: z.string().transform((id) => brandAs<RunId>(id)),
  project: z.string().transform((id) => brandAs<ProjectId>(id)),
  texts: z.boolean(),
  expiresAt: epoch,
  isOver: z.boolean(),
});

const milliseconds = (column: string) => `(extract(epoch FROM l."${column}") * 1000)::float8 AS "${column}"`;

/** Finds a link by the hash of its token: one statement, because every request of a shared page asks. */
export async function findShareLink(store: Store, tokenHash: string): Promise<FoundShareLink | undefined> {
  const { rows } = await store.pool.query({
    name: 'share_link',
    text: `SELECT l.id, l.prefix, l."runId" AS run, r."projectId" AS project, l.texts, ${milliseconds('expiresAt')},
       (l."revokedAt" IS NOT NULL OR l."expiresAt" <= now()) AS "isOver"
     FROM "ShareLink" l JOIN "Run" r ON r.id = l."runId" WHERE l."tokenHash" = $1`,
    values: [tokenHash],
  });
  return rows.length === 0 ? undefined : found.parse(rows[0]);
}

/** Notes that a link was opened. */
export async function countOpening(store: Store, id: string): Promise<void> {
  await store.pool.query('UPDATE "ShareLink" SET opens = opens + 1, "openedAt" = now() WHERE id = $1', [id]);
}

/** Lists the links of a run that still open it, newest first. */
export async function listShareLinks(store: Store, run: RunId): Promise<readonly ShareLinkRow[]> {
  const { rows } = await store.pool.query(
    `SELECT l.id, l.prefix, l.texts, l.by, l.opens,
       ${milliseconds('createdAt')}, ${milliseconds('expiresAt')}, ${milliseconds('openedAt')}
     FROM "ShareLink" l WHERE l."runId" = $1 AND l."revokedAt" IS NULL AND l."expiresAt" > now()
     ORDER BY l."createdAt" DESC, l.id`,
    [run],
  );
  return z.array(row).parse(rows);
}

export interface NewShareLink {
  readonly id: string;
  readonly run: RunId;
  readonly prefix: string;
  readonly tokenHash: string;
  readonly texts: boolean;
  readonly by: string;
  readonly hours: number;
}

/** A link that is over says so for this long. Then it is as unknown as any other text. */
const keptDays = 90;

/** Stores a link, unless the run has `most` already, and removes those of the run that ended long ago. Returns false if it has too many. */
export async function insertShareLink(
  connection: Pick<PoolClient, 'query'>,
  link: NewShareLink,
  most: number,
): Promise<boolean> {
  // Two requests at once must not pass the limit together.
  await connection.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 7203014))', [`share links of ${link.run}`]);
  await connection.query(
    `DELETE FROM "ShareLink" WHERE "runId" = $1 AND COALESCE("revokedAt", "expiresAt") < now() - make_interval(days => $2)`,
    [link.run, keptDays],
  );
  const { rowCount } = await connection.query(
    `INSERT INTO "ShareLink" (id, "runId", prefix, "tokenHash", texts, by, "expiresAt")
     SELECT $1, $2, $3, $4, $5, $6, now() + make_interval(hours => $7)
     WHERE (SELECT count(*) FROM "ShareLink" WHERE "runId" = $2 AND "revokedAt" IS NULL AND "expiresAt" > now()) < $8`,
    [link.id, link.run, link.prefix, link.tokenHash, link.texts, link.by, link.hours, most],
  );
  return rowCount === 1;
}

/** Revokes a link of a run. Returns how its token begins, or `undefined` if the run has no such link any more. */
export async function revokeShareLinkRow(
  connection: Pick<PoolClient, 'query'>,
  run: RunId,
  id: string,
): Promise<string | undefined> {
  const { rows } = await connection.query<{ prefix: string }>(
    `UPDATE "ShareLink" SET "revokedAt" = now()
     WHERE id = $1 AND "runId" = $2 AND "revokedAt" IS NULL AND "expiresAt" > now() RETURNING prefix`,
    [id, run],
  );
  return rows[0]?.prefix;
}
