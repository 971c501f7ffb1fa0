import type { PoolClient } from 'pg';
import { AppError } from '@/lib/base/app-error';
import { brandAs, type ProjectId } from '@/lib/base/ids';
import type { ProjectScope } from '@/lib/base/rights';
import { formatBytes } from '@/lib/trace/wording';
import type { Store } from './database';

/*
 * What a project holds in the database: the files of its drafts, revisions, runs, commits and uploads, each content once; the events and
 * attachments of its runs, also of those in the bin; and what its agents keep. A worker counts all projects each minute. Files are read again only where the set
 * of trees is another one, which `filesPrint` tells.
 *
 *   trees of the project ──print──▶ as before?  yes: keep `files`   no: sum the blobs
 */

type Connection = Pick<PoolClient, 'query'>;

/** A refusal counts again, so that what was deleted makes room at once, unless the count is as young as this. */
const youngMs = 5_000;
/** An advisory lock, so that two workers do not count at once. */
const countingLock = 7_203_027;

/** Selects the trees that projects refer to. */
const treesSql = ['Draft', 'Revision', 'KeptTree', 'StoredRun', 'GitCommit', 'Task']
  .map((table) => `SELECT "projectId", "treeHash" FROM "${table}" WHERE "treeHash" IS NOT NULL`)
  .join(' UNION ');

/** Counts every project, or only one. Does nothing while another process counts every project. */
export async function countDisk(store: Store, only?: ProjectId): Promise<void> {
  const client = await store.pool.connect();
  let broken: Error | undefined;
  try {
    if (only === undefined) {
      const { rows } = await client.query('SELECT pg_try_advisory_lock($1) AS got', [countingLock]);
      if (rows[0]?.got !== true) return;
      await client.query(
        'DELETE FROM "ProjectDisk" d WHERE NOT EXISTS (SELECT 1 FROM "Project" p WHERE p.id = d."projectId")',
      );
    }
    for (const { id, print } of await countRest(client, only)) await countFiles(client, id, print);
    if (only === undefined) await client.query('SELECT pg_advisory_unlock($1)', [countingLock]);
  } catch (error) {
    // Closing the connection releases the lock.
    broken = error instanceof Error ? error : new Error(String(error));
    throw error;
  } finally {
    client.release(broken);
  }
}

/** Counts all but files. Returns the projects whose files have to be counted. */
async function countRest(
  connection: Connection,
  only: ProjectId | undefined,
): Promise<readonly { readonly id: string; readonly print: string }[]> {
  const { rows } = await connection.query<{ id: string; print: string }>(
    `WITH asked AS (SELECT id FROM "Project" WHERE $1::text IS NULL OR id = $1),
     prints AS (
       SELECT "projectId" AS id, md5(string_agg("treeHash", ' ' ORDER BY "treeHash")) AS print
       FROM (${treesSql}) named WHERE $1::text IS NULL OR "projectId" = $1 GROUP BY 1),
     held AS (
       SELECT "projectId" AS id, bytes + COALESCE(octet_length(attachments), 0) AS bytes FROM "StoredRun"
       UNION ALL SELECT "projectId", bytes FROM "Artifact"
       UNION ALL SELECT "projectId", octet_length(content) FROM "Session"),
     sums AS (SELECT id, sum(bytes) AS bytes FROM held WHERE $1::text IS NULL OR id = $1 GROUP BY 1),
     counted AS (
       INSERT INTO "ProjectDisk" AS d ("projectId", files, "filesPrint", rest, "countedAt")
       SELECT a.id, 0, '', COALESCE(s.bytes, 0), now() FROM asked a LEFT JOIN sums s USING (id)
       ORDER BY a.id
       ON CONFLICT ("projectId") DO UPDATE SET rest = EXCLUDED.rest, "countedAt" = EXCLUDED."countedAt"
       RETURNING d."projectId" AS id, d."filesPrint" AS print)
     SELECT c.id, p.print FROM counted c JOIN prints p USING (id) WHERE p.print <> c.print`,
    [only ?? null],
  );
  return rows;
}

async function countFiles(connection: Connection, id: string, print: string): Promise<void> {
  await connection.query(
    `UPDATE "ProjectDisk" SET "filesPrint" = $2, files = (
       WITH trees AS MATERIALIZED (
         SELECT t.hash, t.entries FROM "Tree" t WHERE t.hash IN (SELECT "treeHash" FROM (${treesSql}) n WHERE n."projectId" = $1))
       SELECT (SELECT COALESCE(sum(pg_column_size(entries)), 0) FROM trees) + (
         SELECT COALESCE(sum(octet_length(b.bytes)), 0) FROM "Blob" b
         WHERE b.hash IN (SELECT entry->>1 FROM trees, jsonb_array_elements(entries) entry)))
     WHERE "projectId" = $1`,
    [id, print],
  );
}

/**
 * Refuses to store more in a project that holds `most` bytes or more; null: it may hold any number. Throws AppError `too_large`. What is
 * stored since the last count is not in it, so a project can get somewhat larger.
 */
export async function refuseFullDisk(store: Store, project: ProjectId, most: number | null): Promise<void> {
  if (most === null) return;
  const last = await readDisk(store, project);
  if (last === undefined || last.bytes < most) return;
  if (last.ageMs > youngMs) await countDisk(store, project);
  const bytes = last.ageMs > youngMs ? ((await readDisk(store, project))?.bytes ?? 0) : last.bytes;
  if (bytes >= most) throw new AppError('too_large', sentenceOfFullDisk(bytes, most));
}

function sentenceOfFullDisk(bytes: number, most: number): string {
  const held = `This project holds ${formatBytes(bytes)} and may hold ${formatBytes(most)}, so nothing more is stored in it.`;
  return `${held} Delete runs that you do not need, also from the bin, or ask an administrator to raise the limit.`;
}

async function readDisk(
  store: Store,
  project: ProjectId,
): Promise<{ readonly bytes: number; readonly ageMs: number } | undefined> {
  const { rows } = await store.pool.query<{ bytes: number; ageMs: number }>({
    name: 'project-disk',
    text: `SELECT (files + rest)::float8 AS bytes, (EXTRACT(EPOCH FROM now() - "countedAt") * 1000)::float8 AS "ageMs"
           FROM "ProjectDisk" WHERE "projectId" = $1`,
    values: [project],
  });
  return rows[0];
}

/** A project and what it holds. */
export interface ProjectDisk {
  readonly id: ProjectId;
  readonly name: string;
  readonly bytes: number;
}

/** Lists the projects that hold most, at most ten. */
export async function listLargestProjects(
  connection: Connection,
  among: ProjectScope,
): Promise<readonly ProjectDisk[]> {
  const { rows } = await connection.query<{ id: string; name: string; bytes: number }>(
    `SELECT p.id, p.name, (d.files + d.rest)::float8 AS bytes FROM "ProjectDisk" d JOIN "Project" p ON p.id = d."projectId"
     WHERE $1::text[] IS NULL OR p.id = ANY($1) ORDER BY d.files + d.rest DESC, p.name, p.id LIMIT 10`,
    [among === 'all' ? null : among],
  );
  return rows.map((row) => ({ ...row, id: brandAs<ProjectId>(row.id) }));
}
