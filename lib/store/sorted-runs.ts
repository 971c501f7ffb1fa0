import type { RunSort, RunSortField } from '@/lib/trace/run-sort';
import type { Store } from './database';
import { Prisma } from './generated/client';
import { exactSql, isExact, isIndexed, type StoredCondition, scoped, summarySql, walkSql } from './run-conditions';
import { type ListedRun, type RunFilter, readRunsInOrder, walkOf } from './run-pages';

/*
 * The list of runs in another order, or without groups. Times are sorted over all runs, and numbers over all that have ended, with the
 * indexes of filters. Names have no index, so that they are sorted among the newest 5,000 runs, and so are times where no index finds the
 * runs of a filter: otherwise a filter that matches nothing would read all runs.
 */

export interface SortedFilter extends Pick<RunFilter, 'where' | 'scope' | 'limit'> {
  readonly sort: RunSort;
  /** How many runs of the order come before the page. */
  readonly offset: number;
}

export interface SortedPage {
  readonly runs: readonly ListedRun[];
  /** The offset of the next page; `undefined` on the last one. */
  readonly next: number | undefined;
}

const numbers: Partial<Readonly<Record<RunSortField, Prisma.Sql>>> = {
  duration: Prisma.sql`"finishedAt" - "startedAt"`,
  tokens: Prisma.sql`tokens`,
  cost: Prisma.sql`"costUsd"`,
  errors: Prisma.sql`errors`,
  waited: Prisma.sql`"waitedMs"`,
};
const ofRun = (column: string) => Prisma.sql`(SELECT ${Prisma.raw(column)} FROM "Run" run WHERE run.id = walked.id)`;
const names: Partial<Readonly<Record<RunSortField, Prisma.Sql>>> = {
  status: Prisma.sql`status`,
  agent: Prisma.sql`lower(COALESCE("entryAgent", agent))`,
  project: ofRun('(SELECT lower(name) FROM "Project" p WHERE p.id = run."projectId")'),
  by: Prisma.sql`"startedBy"`,
  model: ofRun('lower(run.model)'),
  user: Prisma.sql`marks ->> 'user'`,
};

/** Returns a page of the sorted runs that match. Runs without the value that is sorted by come last or, for a number, not at all. */
export async function findSortedRuns(store: Store, filter: SortedFilter): Promise<SortedPage> {
  const { limit, offset } = filter;
  const rows = await store.prisma.$queryRaw<{ readonly id: string }[]>`
    ${orderedIds(filter)} LIMIT ${limit + 1} OFFSET ${offset}`;
  const ids = rows.slice(0, limit).map(({ id }) => id);
  return { runs: await readRunsInOrder(store, ids), next: rows.length > limit ? offset + limit : undefined };
}

function orderedIds({ where: asked, scope, sort, limit, offset }: SortedFilter): Prisma.Sql {
  const where = scoped(asked, scope);
  const direction = sort.descending ? Prisma.sql`DESC` : Prisma.sql`ASC`;
  const number = numbers[sort.field];
  if (number !== undefined) {
    return Prisma.sql`SELECT id FROM "Run"
      WHERE "finishedAt" IS NOT NULL AND ${exactSql(where)} AND ${summarySql(where)} AND ${number} IS NOT NULL
      ORDER BY ${number} ${direction}, id`;
  }
  const name = names[sort.field];
  if (name === undefined) {
    return byTime(where, Prisma.sql`ORDER BY "createdAt" ${direction}, id ${direction}`, offset + limit + 1);
  }
  return Prisma.sql`SELECT id FROM (${walkOf({ where })}) walked WHERE ${walkSql(where)}
    ORDER BY ${name} ${direction} NULLS LAST, "createdAt" DESC, id DESC`;
}

/** Selects at least the first `needed` runs. Runs that go on are in no index of filters, and are among the newest. */
function byTime(where: readonly StoredCondition[], order: Prisma.Sql, needed: number): Prisma.Sql {
  if (where.every(isExact)) return Prisma.sql`SELECT id FROM "Run" WHERE ${exactSql(where)} ${order}`;
  const walked = Prisma.sql`SELECT id, "createdAt" FROM (${walkOf({ where })}) walked WHERE ${walkSql(where)}`;
  if (!where.some(isIndexed)) return Prisma.sql`SELECT id FROM (${walked}) matching ${order}`;
  return Prisma.sql`SELECT id FROM (
      (SELECT id, "createdAt" FROM "Run" WHERE "finishedAt" IS NOT NULL AND ${exactSql(where)} AND ${summarySql(where)}
        ${order} LIMIT ${needed})
      UNION ALL (${walked} AND "finishedAt" IS NULL)
    ) matching ${order}`;
}
