import { z } from 'zod';
import type { AuditAction, AuditEntry, NewAuditEntry } from '@/lib/base/audit';
import { brandAs, type EpochMs, type ProjectId } from '@/lib/base/ids';
import type { Store } from './database';
import { toPlainText } from './json-text';
import type { Db } from './trees';

/*
 * The audit log. The database numbers and chains entries inside a lock that is held until the transaction ends. So an entry is the
 * last statement of its transaction: nothing that holds the lock waits for anything else, and no two transactions wait for each other.
 */

interface Connection {
  query(text: string, values: unknown[]): Promise<unknown>;
}

const insert = `INSERT INTO "Audit" (actor, via, action, object, "projectId", body) VALUES ($1, $2, $3, $4, $5, $6)`;

/** Adds an entry on a connection: within its transaction, or with a pool as one of its own. */
export async function appendAudit(connection: Connection, entry: NewAuditEntry): Promise<void> {
  await connection.query(insert, valuesOf(entry));
}

/** Adds entries in their order, with one statement: the lock is held until the transaction ends. */
export async function appendAudits(connection: Connection, entries: readonly NewAuditEntry[]): Promise<void> {
  if (entries.length === 0) return;
  const rows = entries.map(valuesOf);
  await connection.query(
    `INSERT INTO "Audit" (actor, via, action, object, "projectId", body)
     SELECT actor, via, action, object, project, body
     FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[])
       WITH ORDINALITY entry(actor, via, action, object, project, body, place) ORDER BY place`,
    [0, 1, 2, 3, 4, 5].map((column) => rows.map((row) => row[column])),
  );
}

/** Adds an entry in a transaction of Prisma. */
export async function appendAuditIn(db: Db, entry: NewAuditEntry): Promise<void> {
  await db.$executeRawUnsafe(insert, ...valuesOf(entry));
}

function valuesOf({ actor, action, object, project, body = {} }: NewAuditEntry): unknown[] {
  return [toPlainText(actor.by), actor.via, action, toPlainText(object), project ?? null, JSON.stringify(body)];
}

const columns = z.object({
  seq: z.string(),
  at: z.date(),
  actor: z.string(),
  via: z.string(),
  action: z.string(),
  object: z.string(),
  projectId: z.string().nullable(),
  body: z.string(),
  prev: z.string(),
  hash: z.string(),
});
const row = columns.transform(toEntry);
const listedRow = columns
  .extend({ projectName: z.string().nullable() })
  .transform(({ projectName, ...rest }): ListedEntry => ({ ...toEntry(rest), projectName }));

function toEntry({ seq, at, projectId, ...entry }: z.infer<typeof columns>): AuditEntry {
  const project = projectId === null ? null : brandAs<ProjectId>(projectId);
  return { ...entry, seq: Number(seq), at: brandAs<EpochMs>(at.getTime()), project };
}

export interface AuditQuery {
  readonly actions?: readonly AuditAction[] | undefined;
  readonly project?: ProjectId | undefined;
  readonly actor?: string | undefined;
  readonly limit: number;
}

/** An entry with the name that its project has now. */
export interface ListedEntry extends AuditEntry {
  /** Null for no project, and for one that is gone. */
  readonly projectName: string | null;
}

/** Returns entries with smaller numbers than `before`, newest first. */
export async function findAudit(
  store: Store,
  { actions, project, actor, limit }: AuditQuery,
  before: number | undefined,
): Promise<readonly ListedEntry[]> {
  const { rows } = await store.pool.query(
    `SELECT a.*, (SELECT name FROM "Project" project WHERE project.id = a."projectId") AS "projectName" FROM "Audit" a
     WHERE ($1::bigint IS NULL OR seq < $1) AND ($2::text[] IS NULL OR action = ANY($2))
       AND ($3::text IS NULL OR "projectId" = $3) AND ($4::text IS NULL OR actor = $4)
     ORDER BY seq DESC LIMIT $5`,
    [before ?? null, actions ?? null, project ?? null, actor ?? null, limit],
  );
  return z.array(listedRow).parse(rows);
}

/** Returns entries with greater numbers than `after`, oldest first. */
export async function readAuditAfter(store: Store, after: number, limit: number): Promise<readonly AuditEntry[]> {
  const { rows } = await store.pool.query('SELECT * FROM "Audit" WHERE seq > $1 ORDER BY seq LIMIT $2', [after, limit]);
  return z.array(row).parse(rows);
}

/** Returns the number and the hash of the newest entry. */
export async function auditHead(store: Store): Promise<Pick<AuditEntry, 'seq' | 'hash'> | undefined> {
  return (await findAudit(store, { limit: 1 }, undefined))[0];
}
