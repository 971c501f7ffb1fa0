import { z } from 'zod';
import {
  type FixtureFinding,
  type FixtureResult,
  fixtureModes,
  type StoredFixtureResult,
} from '@/lib/base/fixture-result';
import { brandAs, type ProjectId, type RunId, type TreeHash } from '@/lib/base/ids';
import type { Store } from './database';
import { fromJsonText, toJsonText } from './json-text';

const findings: z.ZodType<readonly FixtureFinding[]> = z.array(
  z.object({
    what: z.string(),
    outcome: z.enum(['passed', 'failed', 'skipped']),
    expected: z.string(),
    got: z.string(),
  }),
);
const statuses = z.enum(['passed', 'failed', 'broken']);

/** Stores what a test found. Storing it again changes nothing. */
export async function insertFixtureResult(
  store: Store,
  place: { readonly runId: RunId; readonly projectId: ProjectId; readonly treeHash: TreeHash },
  result: FixtureResult,
): Promise<void> {
  const { name, mode, status, tookMs, costUsd, problem } = result;
  const stored = toJsonText(JSON.stringify(result.findings));
  await store.prisma.fixtureResult.createMany({
    data: [
      {
        ...place,
        name,
        mode,
        status,
        tookMs,
        costUsd: costUsd ?? null,
        findings: stored,
        problem: problem === undefined ? null : toJsonText(problem),
      },
    ],
    skipDuplicates: true,
  });
}

interface Row {
  readonly runId: string;
  readonly treeHash: string;
  readonly name: string;
  readonly mode: string;
  readonly runStatus: string;
  readonly runError: string | null;
  readonly createdAt: Date;
  /** The run ended some time ago. Its worker must have died before it compared. */
  readonly isLost: boolean;
  readonly status: string | null;
  readonly findings: string | null;
  readonly problem: string | null;
  readonly tookMs: number | null;
  readonly costUsd: number | null;
}

/** Reads the newest run of each test on each of the newest trees that tests ran on, newest first. */
export async function latestFixtureResults(
  store: Store,
  projectId: ProjectId,
  mostTrees: number,
): Promise<readonly StoredFixtureResult[]> {
  const trees = `SELECT "treeHash", max("createdAt") AS at FROM (
      SELECT "treeHash", "createdAt" FROM "Run" WHERE "projectId" = $1 AND fixture IS NOT NULL
      ORDER BY "createdAt" DESC LIMIT 5000) newest
    GROUP BY "treeHash" ORDER BY at DESC LIMIT $2`;
  return await newestOn(store, trees, [projectId, mostTrees]);
}

/** Reads the newest run of each test on exactly this tree. */
export async function fixtureResultsOn(
  store: Store,
  projectId: ProjectId,
  treeHash: TreeHash,
): Promise<readonly StoredFixtureResult[]> {
  return await newestOn(store, 'SELECT $2::text AS "treeHash"', [projectId, treeHash]);
}

/** `trees` selects the trees, and may use $2. */
async function newestOn(
  store: Store,
  trees: string,
  values: readonly [ProjectId, unknown],
): Promise<readonly StoredFixtureResult[]> {
  const { rows } = await store.pool.query<Row>(
    `WITH trees AS (${trees})
     SELECT DISTINCT ON (r."treeHash", r.fixture) r.id AS "runId", r."treeHash", r.fixture AS name,
       r."fixtureMode" AS mode, r.status AS "runStatus", r.error AS "runError", r."createdAt",
       COALESCE(r."finishedAt" < now() - interval '1 minute', false) AS "isLost",
       f.status, f.findings, f.problem, f."tookMs", f."costUsd"
     FROM "Run" r JOIN trees ON trees."treeHash" = r."treeHash" LEFT JOIN "FixtureResult" f ON f."runId" = r.id
     WHERE r."projectId" = $1 AND r.fixture IS NOT NULL
     ORDER BY r."treeHash", r.fixture, r."createdAt" DESC, r.id DESC`,
    [...values],
  );
  return rows.map(toStored).sort((a, b) => b.at - a.at);
}

function toStored(row: Row): StoredFixtureResult {
  const base = {
    runId: brandAs<RunId>(row.runId),
    treeHash: brandAs<TreeHash>(row.treeHash),
    name: row.name,
    mode: z.enum(fixtureModes).catch('replay').parse(row.mode),
    at: row.createdAt.getTime(),
    tookMs: row.tookMs ?? 0,
    costUsd: row.costUsd ?? undefined,
  };
  if (row.status !== null && row.findings !== null) {
    return {
      ...base,
      status: statuses.parse(row.status),
      findings: findings.parse(JSON.parse(fromJsonText(row.findings))),
      problem: row.problem === null ? undefined : fromJsonText(row.problem),
    };
  }
  // A run that failed before it began has no result. That of any other is stored soon after its end.
  if (row.runStatus !== 'cancelled' && !row.isLost && !(row.runStatus === 'failed' && row.runError !== null)) {
    return { ...base, status: 'running', findings: [] };
  }
  return { ...base, status: 'broken', findings: [], problem: problemOf(row) };
}

function problemOf({ runStatus, runError }: Row): string {
  const error = z.object({ message: z.string() }).safeParse(runError === null ? undefined : JSON.parse(runError));
  if (error.success) return error.data.message;
  return runStatus === 'cancelled' ? 'The run was stopped.' : 'The result was lost. Run the test again.';
}
