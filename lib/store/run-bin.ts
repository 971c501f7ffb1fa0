import type { ProjectId, RunId } from '@/lib/base/ids';
import type { ProjectScope } from '@/lib/base/rights';
import type { RunState } from '@/lib/trace/run-state';
import type { Store } from './database';
import { chosen, type DeletedRun, fewOf, isActiveRun, type ScopedChoice } from './delete-runs';
import { Prisma } from './generated/client';
import { fromJsonTextStart } from './json-text';
import { scoped, wholeSql } from './run-conditions';

/*
 * The bin: runs that somebody deleted, for a day. Such a run has a deletion. The view "Run" has only runs without one, so that nothing
 * else sees those of the bin; the table "StoredRun" has all.
 *
 *   Run ──binSomeRuns──▶ bin ──emptyBin, after a day──▶ gone
 *    ▲                    │ └──deleteSomeBinned───────────▶
 *    └─────restoreRuns────┘
 */

/** Runs of the bin: those with these ids, or all of these deletions. */
export type BinChoice = ({ readonly runs: readonly string[] } | { readonly deletions: readonly string[] }) & {
  readonly scope: ProjectScope;
};

/** So many runs are put into the bin, or taken out of it, in one transaction. */
const movedAtOnce = 1_000;

const binHours = 24;
const until = Prisma.sql`at + make_interval(hours => ${binHours}::int)`;

function binned(choice: BinChoice): Prisma.Sql {
  const [column, ids] = 'runs' in choice ? [Prisma.sql`id`, choice.runs] : [Prisma.sql`"deletionId"`, choice.deletions];
  return Prisma.sql`${column} = ANY(${[...ids]}) AND ${wholeSql(scoped([], choice.scope))}
    AND "deletionId" IN (SELECT id FROM "RunDeletion" WHERE ${until} > now())`;
}

/** Puts some of the chosen runs that have ended into the bin, oldest first, and returns them. None are returned when none are left. */
export async function binSomeRuns(
  store: Store,
  choice: ScopedChoice,
  deletion: { readonly id: string; readonly by: string },
): Promise<readonly DeletedRun[]> {
  return await store.prisma.$queryRaw<DeletedRun[]>`
    WITH few AS (
      SELECT id FROM "Run" WHERE ${chosen(choice)} AND NOT (${isActiveRun})
      ORDER BY "createdAt", id LIMIT ${movedAtOnce} FOR UPDATE SKIP LOCKED
    ), deletion AS (
      INSERT INTO "RunDeletion" (id, by) SELECT ${deletion.id}, ${deletion.by} WHERE EXISTS (SELECT FROM few)
      ON CONFLICT (id) DO NOTHING
    ), gone AS (
      UPDATE "StoredRun" SET "deletionId" = ${deletion.id}
      WHERE id IN (SELECT id FROM few) AND "deletionId" IS NULL AND NOT (${isActiveRun})
      RETURNING id, "projectId", bytes::float8 AS bytes
    )
    SELECT id, "projectId", bytes FROM gone`;
}

/** Takes some of the chosen runs out of the bin and returns them. None are returned when none are left. */
export async function restoreSomeRuns(store: Store, choice: BinChoice): Promise<readonly DeletedRun[]> {
  return await store.prisma.$queryRaw<DeletedRun[]>`
    WITH few AS (
      SELECT id FROM "StoredRun" WHERE ${binned(choice)} LIMIT ${movedAtOnce} FOR UPDATE SKIP LOCKED
    ), back AS (
      UPDATE "StoredRun" SET "deletionId" = NULL WHERE id IN (SELECT id FROM few) AND "deletionId" IS NOT NULL
      RETURNING id, "projectId", bytes::float8 AS bytes
    )
    SELECT id, "projectId", bytes FROM back`;
}

/** Deletes some of the chosen runs of the bin for good and returns them. None are returned when none are left. */
export async function deleteSomeBinned(store: Store, choice: BinChoice): Promise<readonly DeletedRun[]> {
  return await deleteWhere(store, binned(choice));
}

/** Deletes runs whose day in the bin is over, until `signal` aborts, and returns their number. */
export async function emptyBin(store: Store, signal: AbortSignal): Promise<number> {
  const over = Prisma.sql`${until} <= now()`;
  const old = Prisma.sql`"deletionId" IN (SELECT id FROM "RunDeletion" WHERE ${over})`;
  let runs = 0;
  while (!signal.aborted) {
    const gone = await deleteWhere(store, old);
    runs += gone.length;
    if (gone.length === 0) break;
  }
  await store.prisma.$executeRaw`
    DELETE FROM "RunDeletion" d WHERE ${over} AND NOT EXISTS (SELECT FROM "StoredRun" r WHERE r."deletionId" = d.id)`;
  return runs;
}

async function deleteWhere(store: Store, which: Prisma.Sql): Promise<readonly DeletedRun[]> {
  return await store.prisma.$queryRaw<DeletedRun[]>`
    WITH ${fewOf(Prisma.sql`FROM "StoredRun" WHERE ${which}`)}, gone AS (
      DELETE FROM "StoredRun" WHERE id IN (SELECT id FROM few) AND "deletionId" IS NOT NULL
      RETURNING id, "projectId", bytes::float8 AS bytes
    )
    SELECT id, "projectId", bytes FROM gone`;
}

/** A run in the bin. */
export interface BinnedRun {
  readonly id: RunId;
  readonly projectId: ProjectId;
  readonly projectName: string;
  readonly agent: string | null;
  readonly status: RunState;
  /** The beginning of its message. */
  readonly message: string;
  readonly createdAt: Date;
}

/** What one request deleted. */
export interface BinnedDeletion {
  readonly id: string;
  readonly by: string;
  readonly at: Date;
  /** When its runs are deleted for good. */
  readonly until: Date;
  /** How many of its runs are in the bin. */
  readonly runs: number;
  /** Bytes of their events. */
  readonly bytes: number;
  /** The newest of them. */
  readonly some: readonly BinnedRun[];
}

export interface Bin {
  /** How many runs are in it. */
  readonly runs: number;
  /** The newest deletions. */
  readonly deletions: readonly BinnedDeletion[];
}

const mostDeletions = 200;
const mostOfDeletion = 20;
const messageChars = 160;

/** Reads the bin of some projects. */
export async function readBin(store: Store, scope: ProjectScope): Promise<Bin> {
  const inScope = wholeSql(scoped([], scope));
  const found = await store.prisma.$queryRaw<(Omit<BinnedDeletion, 'some'> & { readonly all: number })[]>`
    SELECT d.id, d.by, d.at, d.until, r.runs, r.bytes, sum(r.runs) OVER ()::int AS all
    FROM (SELECT id, by, at, ${until} AS until FROM "RunDeletion" WHERE ${until} > now()) d
    JOIN (
      SELECT "deletionId", count(*)::int AS runs, sum(bytes)::float8 AS bytes FROM "StoredRun"
      WHERE "deletionId" IS NOT NULL AND ${inScope} GROUP BY "deletionId"
    ) r ON r."deletionId" = d.id ORDER BY d.at DESC, d.id DESC LIMIT ${mostDeletions}`;
  const some = await store.prisma.$queryRaw<(BinnedRun & { readonly deletionId: string })[]>`
    SELECT r.id, r."projectId", p.name AS "projectName", r."deletionId", r.agent, r.status, r.message, r."createdAt" FROM (
      SELECT id, "projectId", "deletionId", COALESCE("entryAgent", agent) AS agent, status, "createdAt",
        left(message, ${6 * messageChars + 1}::int) AS message,
        row_number() OVER (PARTITION BY "deletionId" ORDER BY "createdAt" DESC, id DESC) AS place
      FROM "StoredRun" WHERE "deletionId" = ANY(${found.map(({ id }) => id)}) AND ${inScope}
    ) r JOIN "Project" p ON p.id = r."projectId" WHERE r.place <= ${mostOfDeletion} ORDER BY r.place`;
  return {
    runs: found[0]?.all ?? 0,
    deletions: found.map(({ all: _, ...deletion }) => ({
      ...deletion,
      some: some.flatMap(({ deletionId, ...run }) =>
        deletionId === deletion.id ? [{ ...run, message: fromJsonTextStart(run.message).slice(0, messageChars) }] : [],
      ),
    })),
  };
}

/** Returns whether the bin has one of these runs. */
export async function isAnyBinned(store: Store, ids: readonly RunId[]): Promise<boolean> {
  const { rowCount } = await store.pool.query(
    'SELECT FROM "StoredRun" WHERE id = ANY($1) AND "deletionId" IS NOT NULL LIMIT 1',
    [ids],
  );
  return rowCount !== 0;
}
