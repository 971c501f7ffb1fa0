import { brandAs, type ProjectId, type RunId } from '@/lib/base/ids';
import type { ProjectScope } from '@/lib/base/rights';
import type { RunCondition } from '@/lib/trace/run-filter';
import { activeStates } from '@/lib/trace/run-state';
import type { Store } from './database';
import { Prisma } from './generated/client';
import { scoped, wholeSql } from './run-conditions';

/*
 * Deletion of runs with their events and timelines, for good: what retention does. What people delete goes to the bin first
 * (./run-bin). A transaction deletes a few runs, so that locks are short and concern only rows that go. An active run is never
 * deleted: the worker that executes it would lose its log.
 */

/** How many runs there are, and what they take. */
export interface RunAmount {
  readonly runs: number;
  /** How many of them have not ended. */
  readonly active: number;
  /** Bytes of their events. */
  readonly bytes: number;
}

/** Chooses runs: those with these ids, or all that match and were started at `until` at the latest. */
export type RunChoice =
  | { readonly ids: readonly RunId[] }
  | { readonly where: readonly RunCondition[]; readonly until: Date };

/** A choice among the runs of some projects. */
export type ScopedChoice = RunChoice & { readonly scope: ProjectScope };

/** A transaction deletes at most so many runs, and stops adding runs at so many events. */
const runsAtOnce = 100;
const eventsAtOnce = 20_000;

/** The condition for the runs of a choice. */
export function chosen(choice: ScopedChoice): Prisma.Sql {
  if ('ids' in choice) return Prisma.sql`id = ANY(${[...choice.ids]}) AND ${wholeSql(scoped([], choice.scope))}`;
  return Prisma.sql`${wholeSql(scoped(choice.where, choice.scope))} AND "createdAt" <= ${choice.until}`;
}

export const isActiveRun = Prisma.sql`status = ANY(${[...activeStates]})`;

export async function amountOf(store: Store, choice: ScopedChoice): Promise<RunAmount> {
  const [amount] = await store.prisma.$queryRaw<RunAmount[]>`
    SELECT count(*)::int AS runs, count(*) FILTER (WHERE ${isActiveRun})::int AS active, COALESCE(sum(bytes), 0)::float8 AS bytes
    FROM "Run" WHERE ${chosen(choice)}`;
  return amount ?? { runs: 0, active: 0, bytes: 0 };
}

/** Returns the chosen runs that have not ended, at most `limit`. */
export async function activeAmong(store: Store, choice: ScopedChoice, limit: number): Promise<readonly RunId[]> {
  const rows = await store.prisma.$queryRaw<{ readonly id: string }[]>`
    SELECT id FROM "Run" WHERE ${chosen(choice)} AND ${isActiveRun} LIMIT ${limit}`;
  return rows.map(({ id }) => brandAs<RunId>(id));
}

/** Returns chosen runs that have ended, oldest first, at most `limit`. */
export async function someEnded(store: Store, choice: ScopedChoice, limit: number): Promise<readonly RunId[]> {
  const rows = await store.prisma.$queryRaw<{ readonly id: string }[]>`
    SELECT id FROM "Run" WHERE ${chosen(choice)} AND NOT (${isActiveRun}) ORDER BY "createdAt", id LIMIT ${limit}`;
  return rows.map(({ id }) => brandAs<RunId>(id));
}

/** A run that was deleted. */
export interface DeletedRun {
  readonly id: RunId;
  readonly projectId: ProjectId;
  /** Bytes of its events. */
  readonly bytes: number;
}

/** Deletes some of the chosen runs that have ended for good, oldest first, and returns them. None are returned when none are left. */
export async function deleteSomeRuns(store: Store, choice: ScopedChoice): Promise<readonly DeletedRun[]> {
  return await store.prisma.$queryRaw<DeletedRun[]>`
    WITH ${fewOf(Prisma.sql`FROM "Run" WHERE ${chosen(choice)} AND NOT (${isActiveRun})`)}, gone AS (
      DELETE FROM "Run" WHERE id IN (SELECT id FROM few) AND NOT (${isActiveRun})
      RETURNING id, "projectId", bytes::float8 AS bytes
    )
    SELECT id, "projectId", bytes FROM gone`;
}

/** Selects and locks the oldest runs of `from` that one transaction may delete, as the row `few`. */
export function fewOf(from: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`oldest AS (
      SELECT id, "lastSeq", "createdAt" ${from} ORDER BY "createdAt", id LIMIT ${runsAtOnce} FOR UPDATE SKIP LOCKED
    ), few AS (
      SELECT id FROM (
        SELECT id, sum("lastSeq") OVER (ORDER BY "createdAt", id) - "lastSeq" AS before FROM oldest
      ) counted WHERE before < ${eventsAtOnce}
    )`;
}
