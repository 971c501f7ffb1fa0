import { z } from 'zod';
import { brandAs, type ProjectId, type RunId } from '@/lib/base/ids';
import { parseJson } from '@/lib/base/json';
import { activeStates } from '@/lib/trace/run-state';
import type { Store } from './database';
import { deleteSomeRuns } from './delete-runs';
import { readSetting, writeSetting } from './settings';

/*
 * Retention deletes old runs. A project has its own rule or the app's; each rule has a greatest age and a greatest size, and either
 * may be missing. Sizes are those of events. Active runs always stay.
 *
 *   every 10 minutes, one worker:  for each project:  runs beyond the age, oldest first  →  oldest runs beyond the size
 */

const rule = z.object({
  /** Runs that were started longer ago are deleted. */
  maxAgeDays: z.number().min(1).max(36_500).nullable(),
  /** The oldest runs are deleted while the runs of a project take more. */
  maxBytes: z.number().min(1_000_000).max(1e15).nullable(),
});
export type RetentionRule = z.infer<typeof rule>;

export const keepEverything: RetentionRule = { maxAgeDays: null, maxBytes: null };

const report = z.object({ at: z.number(), runs: z.number(), bytes: z.number() });
/** What one round deleted. `at` is in epoch milliseconds. */
export type RetentionReport = z.infer<typeof report>;

const ruleKey = 'retention';
const reportKey = 'retention-report';
const keyOfProject = (id: ProjectId) => `${ruleKey}:${id}`;

/** Reads the rule of the app, or a project's own rule, which is `undefined` if the project has none. */
export async function readRetention(store: Store, project?: ProjectId): Promise<RetentionRule | undefined> {
  const value = await readJson(store, project === undefined ? ruleKey : keyOfProject(project));
  return rule.safeParse(value).data ?? (project === undefined ? keepEverything : undefined);
}

/** Stores the rule of the app or of a project. `undefined` makes the project follow the app. */
export async function saveRetention(
  store: Store,
  value: RetentionRule | undefined,
  project?: ProjectId,
): Promise<void> {
  const key = project === undefined ? ruleKey : keyOfProject(project);
  if (value === undefined) await store.pool.query('DELETE FROM "Setting" WHERE key = $1', [key]);
  else await writeSetting(store.pool, key, JSON.stringify(value));
}

/** Returns the projects with a rule of their own, by name. Rules of deleted projects are left out. */
export async function listProjectRetention(
  store: Store,
): Promise<readonly { readonly id: ProjectId; readonly name: string; readonly rule: RetentionRule }[]> {
  const { rows } = await store.pool.query<{ id: string; name: string; value: string }>(
    `SELECT p.id, p.name, s.value FROM "Setting" s JOIN "Project" p ON s.key = '${ruleKey}:' || p.id
     WHERE s.key LIKE '${ruleKey}:%' ORDER BY p.name, p.id LIMIT 1000`,
  );
  return rows.flatMap(({ id, name, value }) => {
    const own = rule.safeParse(parseJson(value)).data;
    return own === undefined ? [] : [{ id: brandAs<ProjectId>(id), name, rule: own }];
  });
}

export async function readRetentionReport(store: Store): Promise<RetentionReport | undefined> {
  return report.safeParse(await readJson(store, reportKey)).data;
}

const isActiveRun = `status IN (${activeStates.map((state) => `'${state}'`).join(', ')})`;

/** Returns the runs that a rule would delete now, of one project or of all projects without a rule of their own. */
export async function amountBeyond(
  store: Store,
  { maxAgeDays, maxBytes }: RetentionRule,
  project?: ProjectId,
): Promise<{ readonly runs: number; readonly bytes: number }> {
  const { rows } = await store.pool.query<{ runs: number; bytes: number }>(
    `SELECT count(*)::int AS runs, COALESCE(sum(bytes), 0)::float8 AS bytes FROM (
       SELECT bytes, "createdAt", status,
         sum(bytes) OVER (PARTITION BY "projectId" ORDER BY "createdAt" DESC, id DESC) AS kept
       FROM "Run" r WHERE CASE WHEN $1::text IS NULL
         THEN NOT EXISTS (SELECT 1 FROM "Setting" s WHERE s.key = '${ruleKey}:' || r."projectId") ELSE r."projectId" = $1 END
     ) sized WHERE NOT (${isActiveRun}) AND ("createdAt" < ${oldest('$2')} OR kept > $3::float8)`,
    [project ?? null, maxAgeDays, maxBytes],
  );
  return rows[0] ?? { runs: 0, bytes: 0 };
}

const oldest = (days: string) => `now() - make_interval(secs => ${days}::float8 * 86400)`;

/** An advisory lock, so that two workers do not apply retention at once. */
const retentionLock = 7_203_021;

/** Deletes what the rules allow, in small batches, until `signal` aborts. Returns what went; nothing while another worker does it. */
export async function applyRetention(store: Store, signal: AbortSignal): Promise<RetentionReport> {
  const client = await store.pool.connect();
  let broken: Error | undefined;
  let [runs, bytes] = [0, 0];
  try {
    const { rows } = await client.query('SELECT pg_try_advisory_lock($1) AS got', [retentionLock]);
    if (rows[0]?.got !== true) return { at: Date.now(), runs, bytes };
    for (const [project, own] of await rulesOfProjects(store)) {
      for await (const gone of applyRule(store, project, own, signal)) {
        runs += 1;
        bytes += gone.bytes;
      }
    }
    const done = { at: Date.now(), runs, bytes };
    if (runs > 0) await writeSetting(store.pool, reportKey, JSON.stringify(done));
    await client.query('SELECT pg_advisory_unlock($1)', [retentionLock]);
    return done;
  } catch (error) {
    // Closing the connection releases the lock.
    broken = error instanceof Error ? error : new Error(String(error));
    throw error;
  } finally {
    client.release(broken);
  }
}

/** Returns the projects that a rule concerns. Usually there are none, and then no run is read. */
async function rulesOfProjects(store: Store): Promise<readonly (readonly [ProjectId, RetentionRule])[]> {
  const common = (await readRetention(store)) ?? keepEverything;
  const own = new Map((await listProjectRetention(store)).map(({ id, rule }) => [id, rule]));
  const isEmpty = ({ maxAgeDays, maxBytes }: RetentionRule) => maxAgeDays === null && maxBytes === null;
  if (isEmpty(common)) return [...own].filter(([, rule]) => !isEmpty(rule));
  const projects = await store.prisma.project.findMany({ select: { id: true } });
  return projects
    .map(({ id }) => brandAs<ProjectId>(id))
    .map((id) => [id, own.get(id) ?? common] as const)
    .filter(([, rule]) => !isEmpty(rule));
}

async function* applyRule(
  store: Store,
  project: ProjectId,
  { maxAgeDays, maxBytes }: RetentionRule,
  signal: AbortSignal,
) {
  const batches = [
    ...(maxAgeDays === null ? [] : [() => beyondAge(store, project, maxAgeDays)]),
    ...(maxBytes === null ? [] : [() => beyondSize(store, project, maxBytes)]),
  ];
  for (const nextIds of batches) {
    while (!signal.aborted) {
      const ids = await nextIds();
      if (ids.length === 0) break;
      const gone = await deleteSomeRuns(store, { ids, scope: 'all' });
      if (gone.length === 0) break;
      yield* gone;
    }
  }
}

const batchSize = 100;

async function beyondAge(store: Store, project: ProjectId, days: number): Promise<readonly RunId[]> {
  const { rows } = await store.pool.query<{ id: RunId }>(
    `SELECT id FROM "Run" WHERE "projectId" = $1 AND "createdAt" < ${oldest('$2')} AND NOT (${isActiveRun})
     ORDER BY "createdAt", id LIMIT ${batchSize}`,
    [project, days],
  );
  return rows.map(({ id }) => id);
}

/** Returns the oldest runs that must go. A batch never holds a run that would stay if the others of the batch went. */
async function beyondSize(store: Store, project: ProjectId, maxBytes: number): Promise<readonly RunId[]> {
  const { rows } = await store.pool.query<{ id: RunId }>(
    `SELECT id FROM (
       SELECT id, "createdAt", status, sum(bytes) OVER (ORDER BY "createdAt" DESC, id DESC) AS kept FROM "Run" WHERE "projectId" = $1
     ) sized WHERE kept > $2::float8 AND NOT (${isActiveRun}) ORDER BY "createdAt", id LIMIT ${batchSize}`,
    [project, maxBytes],
  );
  return rows.map(({ id }) => id);
}

async function readJson(store: Store, key: string): Promise<unknown> {
  return parseJson((await readSetting(store, key)) ?? '');
}
