import { brandAs, type CorrelationId, type RunId } from '@/lib/base/ids';
import type { ProjectScope } from '@/lib/base/rights';
import type { RunCondition } from '@/lib/trace/run-filter';
import type { RunState } from '@/lib/trace/run-state';
import type { RunSums } from '@/lib/trace/run-sums';
import type { Store } from './database';
import { Prisma } from './generated/client';
import { fromJsonTextStart } from './json-text';
import {
  exactSql,
  isIndexed,
  perIndexOrder,
  type StoredCondition,
  scoped,
  summarySql,
  walkSql,
  wholeSql,
} from './run-conditions';
import { againSql, type RunDetail, type RunRow, sourceSql, toListed } from './runs';
import { type SumsRow, sumsSql, toSums } from './sums-sql';

/*
 * Pages of the list of runs. The cost of a page does not grow with the number of runs:
 *
 *   1  scan runs, newest first, until the page has enough matching groups (runs with one correlation id), at most 5,000 runs
 *   2  if the scan was not enough: indexes of texts, names and numbers find older runs (./run-conditions)
 *   3  the newest 20 runs of each group of the page, and the size of the group, counted up to 1,000
 *   4  the columns that the list shows of these runs
 *
 * docs/data.md has the figures.
 */

/** A run as lists show it. */
export interface ListedRun
  extends Omit<
    RunDetail,
    'answer' | 'lastSeq' | 'confirmedHash' | 'conversationId' | 'isInLine' | 'leftOut' | 'madeAgain'
  > {
  /** The beginning of the message, at least 240 UTF-16 units. */
  readonly message: string;
  /** How many of its steps failed. `undefined` until it has ended. */
  readonly errors: number | undefined;
  /** Milliseconds in the queue and those in which children waited for permits. `undefined` until it has ended. */
  readonly waitedMs: number | undefined;
}

/** The last run of a page. The next page begins with older runs. */
export interface RunPlace {
  readonly createdAt: Date;
  readonly id: RunId;
}

export interface RunFilter {
  /** A run must match all of them. With a correlation id, the page lists runs instead of groups. */
  readonly where: readonly RunCondition[];
  /** The projects whose runs are listed. */
  readonly scope: ProjectScope;
  readonly after?: RunPlace | undefined;
  readonly limit: number;
}

/** A filter whose conditions include the scope. */
type StoredFilter = Omit<RunFilter, 'where' | 'scope'> & { readonly where: readonly StoredCondition[] };

export interface RunGroup {
  readonly correlationId: CorrelationId;
  /** The newest runs first, at most 20, unless the filter has a correlation id. */
  readonly runs: readonly ListedRun[];
  /** The number of matching runs of the group, also of those that are not listed. 1,000 means 1,000 or more. */
  readonly runCount: number;
  /** The sums of the runs that are counted. A list in another order has none. */
  readonly sums?: RunSums;
}

export interface RunPage {
  readonly groups: readonly RunGroup[];
  /**
   * `undefined` on the last page. Another page may have fewer groups than requested, or none, when too few of the scanned
   * runs match the filter.
   */
  readonly next: RunPlace | undefined;
}

/** For one page at most this many runs are scanned. */
const mostWalked = 5_000;
const runsPerGroup = 20;
/** `runCount` is counted up to this number. */
export const mostCounted = 1_000;
const newestFirst = Prisma.sql`ORDER BY "createdAt" DESC, id DESC`;

interface Head {
  readonly id: string;
  readonly correlationId: string;
  readonly createdAt: Date;
}

/** Returns groups of runs that share a correlation id, the group with the newest run first. */
export async function findRunPage(store: Store, { scope, ...asked }: RunFilter): Promise<RunPage> {
  const filter = { ...asked, where: scoped(asked.where, scope) };
  const { heads, next } = await findHeads(store, filter);
  if (heads.length === 0) return { groups: [], next };
  const correlationId = groupOf(filter);
  if (correlationId !== undefined) {
    const [runs, sums] = await Promise.all([readRuns(store, heads.map(idOf)), sumRuns(store, filter)]);
    return { groups: [{ correlationId, runs: inOrder(heads.map(idOf), runs), runCount: sums.runs, sums }], next };
  }
  const members = await store.prisma.$queryRaw<Member[]>(membersOf(filter, heads));
  const runs = await readRuns(store, members.map(idOf));
  const groups = heads.map(({ correlationId }) => {
    const own = members.filter((member) => member.correlationId === correlationId);
    return {
      correlationId: brandAs<CorrelationId>(correlationId),
      runs: inOrder(own.map(idOf), runs),
      runCount: own[0]?.runCount ?? 0,
      sums: toSums(own[0]),
    };
  });
  return { groups, next };
}

/** Returns the correlation id that the filter asks for. */
function groupOf({ where }: StoredFilter): CorrelationId | undefined {
  const asked = where.find(({ field }) => field === 'correlation');
  return asked?.field === 'correlation' ? brandAs<CorrelationId>(asked.value) : undefined;
}

/** Finds the newest matching run of each group of the page, or every matching run if the filter has a correlation id. */
async function findHeads(store: Store, filter: StoredFilter) {
  const walked = await store.prisma.$queryRaw<Head[]>(headsAmong(filter, walkOf(filter), filter.limit + 1));
  if (walked.length > filter.limit) return pageOf(walked, filter.limit);
  const [end] = await store.prisma.$queryRaw<Head[]>(
    Prisma.sql`SELECT * FROM (${walkOf(filter)}) walked ${newestFirst} OFFSET ${mostWalked - 1} LIMIT 1`,
  );
  if (end === undefined) return { heads: walked, next: undefined };
  if (!filter.where.some(isIndexed)) return { heads: walked, next: placeOf(end) };
  const older = foundBefore(filter, placeOf(end));
  const found = await store.prisma.$queryRaw<Head[]>(headsAmong(filter, older, filter.limit + 1 - walked.length));
  return pageOf([...walked, ...found], filter.limit);
}

function pageOf(found: readonly Head[], limit: number) {
  const heads = found.slice(0, limit);
  const last = heads.at(-1);
  return { heads, next: found.length > limit && last !== undefined ? placeOf(last) : undefined };
}

function placeOf({ createdAt, id }: Head): RunPlace {
  return { createdAt, id: brandAs<RunId>(id) };
}

const idOf = ({ id }: { readonly id: string }) => id;

/** The columns that conditions read. */
const compared = Prisma.raw(
  ['id', 'correlationId', 'status', 'createdAt', 'startedAt', 'finishedAt', 'agent', 'entryAgent']
    .concat([
      'waitedMs',
      'peopleMs',
      'costUsd',
      'tokens',
      'errors',
      'agents',
      'tools',
      'hooks',
      'models',
      'texts',
      'startedBy',
      'marks',
    ])
    .map((column) => `"${column}"`)
    .join(', '),
);

/** Selects the newest runs after the filter's place, without a comparison of texts and numbers. */
export function walkOf(filter: Pick<StoredFilter, 'where' | 'after'>): Prisma.Sql {
  const walks = perIndexOrder(filter.where).map(
    (where) => Prisma.sql`(
      SELECT ${compared} FROM "Run"
      WHERE ${exactSql(where)} AND ${olderThan(filter.after)} ${newestFirst} LIMIT ${mostWalked})`,
  );
  const [only] = walks;
  if (walks.length === 1 && only !== undefined) return only;
  return Prisma.sql`SELECT * FROM (${Prisma.join(walks, ' UNION ALL ')}) states ${newestFirst} LIMIT ${mostWalked}`;
}

/** Selects all matching runs older than `place`, found by indexes. */
function foundBefore(filter: StoredFilter, place: RunPlace): Prisma.Sql {
  return Prisma.sql`
    WITH found AS MATERIALIZED (
      SELECT ${compared} FROM "Run"
      WHERE ${exactSql(filter.where)} AND ${summarySql(filter.where)} AND ${olderThan(place)}
    )
    SELECT * FROM found ${newestFirst}`;
}

/**
 * Selects those of `runs` that are the newest matching run of their group. A lateral join checks run by run in the index,
 * and stops when the page is full.
 */
function headsAmong(filter: StoredFilter, runs: Prisma.Sql, limit: number): Prisma.Sql {
  if (groupOf(filter) !== undefined) {
    return Prisma.sql`
      SELECT id, "correlationId", "createdAt" FROM (${runs}) walked WHERE ${walkSql(filter.where)} ${newestFirst} LIMIT ${limit}`;
  }
  return Prisma.sql`
    SELECT matching.id, matching."correlationId", matching."createdAt"
    FROM (SELECT * FROM (${runs}) walked WHERE ${walkSql(filter.where)}) matching
    LEFT JOIN LATERAL (
      SELECT 1 AS found FROM "Run"
      WHERE "correlationId" = matching."correlationId" AND ("createdAt", id) > (matching."createdAt", matching.id)
        AND ${exactSql(filter.where)} AND ${walkSql(filter.where)}
      LIMIT 1
    ) newer ON true
    WHERE newer.found IS NULL
    ORDER BY matching."createdAt" DESC, matching.id DESC LIMIT ${limit}`;
}

interface Member extends SumsRow {
  readonly correlationId: string;
  readonly id: string;
}

function membersOf(filter: StoredFilter, heads: readonly Head[]): Prisma.Sql {
  const rows = heads.map(({ correlationId, createdAt, id }, place) =>
    place === 0
      ? Prisma.sql`(${correlationId}, ${createdAt}::timestamptz, ${id})`
      : Prisma.sql`(${correlationId}, ${createdAt}, ${id})`,
  );
  return Prisma.sql`
    SELECT head."correlationId", member.*
    FROM (VALUES ${Prisma.join(rows)}) AS head("correlationId", "headAt", "headId")
    CROSS JOIN LATERAL (
      SELECT id, "createdAt", ${sumsSql('OVER ()')}
      FROM (
        SELECT ${compared} FROM "Run"
        WHERE "correlationId" = head."correlationId" AND ("createdAt", id) <= (head."headAt", head."headId")
          AND ${exactSql(filter.where)}
        ${newestFirst} LIMIT ${mostCounted}
      ) newest
      WHERE ${walkSql(filter.where)} ${newestFirst} LIMIT ${runsPerGroup}
    ) member`;
}

/** A run as a point of a chart. */
export interface RunPoint {
  readonly createdAt: Date;
  readonly status: RunState;
  /** `undefined` while the run has not ended. */
  readonly durationMs: number | undefined;
}

/** A scan that finds so many points is enough, also if an index would find older ones. */
const enoughPoints = 200;

/** Returns the newest matching runs, at most 5,000, and whether there may be older ones. */
export async function findRunPoints(
  store: Store,
  asked: readonly RunCondition[],
  scope: ProjectScope,
): Promise<{ readonly points: readonly RunPoint[]; readonly isCut: boolean }> {
  const where = scoped(asked, scope);
  const walked = await pointsAmong(store, Prisma.sql`${walkOf({ where })}`, walkSql(where));
  const isWhole = walked.scanned < mostWalked;
  if (isWhole || walked.points.length >= enoughPoints || !where.some(isIndexed)) {
    return { points: walked.points, isCut: !isWhole };
  }
  const found = Prisma.sql`
    SELECT ${compared} FROM "Run" WHERE ${exactSql(where)} AND ${summarySql(where)} ${newestFirst} LIMIT ${mostWalked}`;
  const indexed = await pointsAmong(store, found, Prisma.sql`true`);
  return { points: indexed.points, isCut: indexed.scanned >= mostWalked };
}

async function pointsAmong(store: Store, runs: Prisma.Sql, condition: Prisma.Sql) {
  const rows = await store.prisma.$queryRaw<
    (RunPoint & { readonly matches: boolean | null; readonly ms: number | null })[]
  >`
    SELECT "createdAt", status, EXTRACT(EPOCH FROM "finishedAt" - "startedAt")::float8 * 1000 AS ms, ${condition} AS matches
    FROM (${runs}) walked`;
  const points = rows
    .filter(({ matches }) => matches === true)
    .map(({ createdAt, status, ms }) => ({ createdAt, status, durationMs: ms ?? undefined }));
  return { points, scanned: rows.length };
}

/** Returns all matching runs, newest first, at most `limit` after `after`, whatever their groups. */
export async function findRunsInOrder(
  store: Store,
  { where, scope, after, limit }: RunFilter,
): Promise<readonly ListedRun[]> {
  const rows = await store.prisma.$queryRaw<{ readonly id: string }[]>`
    SELECT id FROM "Run" WHERE ${wholeSql(scoped(where, scope))} AND ${olderThan(after)} ${newestFirst} LIMIT ${limit}`;
  const ids = rows.map(idOf);
  return await readRunsInOrder(store, ids);
}

/** Returns the runs of these ids in their order. Runs that were deleted meanwhile are left out. */
export async function readRunsInOrder(store: Store, ids: readonly string[]): Promise<readonly ListedRun[]> {
  return inOrder(ids, await readRuns(store, ids));
}

async function sumRuns(store: Store, filter: StoredFilter): Promise<RunSums> {
  const [sums] = await store.prisma.$queryRaw<SumsRow[]>`
    SELECT ${sumsSql('')} FROM (
      SELECT ${compared} FROM "Run" WHERE ${exactSql(filter.where)} ${newestFirst} LIMIT ${mostCounted}
    ) newest WHERE ${walkSql(filter.where)}`;
  return toSums(sums);
}

function olderThan(place: RunPlace | undefined): Prisma.Sql {
  return place === undefined ? Prisma.sql`true` : Prisma.sql`("createdAt", id) < (${place.createdAt}, ${place.id})`;
}

interface Row extends RunRow {
  readonly message: string;
  readonly errors: number | null;
  readonly waitedMs: number | null;
}

/** JSON needs at most six characters for a UTF-16 unit, so this is room for the first 240 units and the opening quote. */
const messageChars = 240 * 6 + 1;

async function readRuns(store: Store, ids: readonly string[]): Promise<ReadonlyMap<string, ListedRun>> {
  const rows = await store.prisma.$queryRaw<Row[]>`
    SELECT run.id, run."projectId", run."treeHash", run."correlationId", run.status,
      COALESCE(run."entryAgent", run.agent) AS "entryAgent", left(run.message, ${messageChars}) AS message, run.model,
      run.source, run.scripted, run."createdAt", run."startedAt", run."finishedAt", run.error, run.usage, run."failedServers",
      run."startedBy", run.marks, run.errors, run."waitedMs",
      (SELECT name FROM "Project" project WHERE project.id = run."projectId") AS "projectName",
      (SELECT "modelUsage" FROM "RunTrace" trace WHERE trace."runId" = run.id) AS "modelUsage",
      ${Prisma.raw(againSql)}, ${Prisma.raw(sourceSql)}
    FROM "Run" run
    WHERE run.id = ANY(${ids})`;
  return new Map(
    rows.map((row) => [
      row.id,
      {
        ...toListed(row),
        message: fromJsonTextStart(row.message),
        errors: row.errors ?? undefined,
        waitedMs: row.waitedMs ?? undefined,
      },
    ]),
  );
}

/** Sorts the runs in the order of `ids`. Runs that were deleted meanwhile are left out. */
function inOrder(ids: readonly string[], runs: ReadonlyMap<string, ListedRun>): readonly ListedRun[] {
  return ids.map((id) => runs.get(id)).filter((run) => run !== undefined);
}
