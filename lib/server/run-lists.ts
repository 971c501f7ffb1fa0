import type { Actor } from '@/lib/base/actor';
import { AppError } from '@/lib/base/app-error';
import { brandAs, type CorrelationId, type ProjectId } from '@/lib/base/ids';
import { appendAudit, appendAudits } from '@/lib/store/audit';
import { amountOf, type RunAmount } from '@/lib/store/delete-runs';
import { findProjectsWithRuns } from '@/lib/store/projects-with-runs';
import {
  amountBeyond,
  listProjectRetention,
  type RetentionReport,
  type RetentionRule,
  readRetention,
  readRetentionReport,
  saveRetention,
} from '@/lib/store/retention';
import { findRunGroup } from '@/lib/store/run-group';
import { findRunNames } from '@/lib/store/run-names';
import { findRunPoints, findRunsInOrder, type ListedRun, type RunGroup, type RunPlace } from '@/lib/store/run-pages';
import { deleteSavedFilter, listSavedFilters, type SavedFilter, saveFilter } from '@/lib/store/saved-filters';
import { findSortedRuns, type SortedFilter } from '@/lib/store/sorted-runs';
import { chartOf, type RunChart } from '@/lib/trace/run-chart';
import type { NamedField, RunCondition } from '@/lib/trace/run-filter';
import type { RunGroupTimes } from '@/lib/trace/run-group';
import { sortedGroup } from '@/lib/trace/run-sort';
import { placeIn } from './authorize';
import { withScope, withScopeOnce, withStore, withStoreOnce } from './services';

/**
 * Returns a page of matching runs in the order of `sort`, in one group. `after` is `next` of the page before. Throws AppError
 * `bad_request` for any other.
 */
export async function listSortedRuns(
  actor: Actor,
  { where, limit, sort, after }: Omit<SortedFilter, 'scope' | 'offset'> & { readonly after: string | undefined },
): Promise<{ readonly groups: readonly RunGroup[]; readonly next: string | null }> {
  if (after !== undefined && !/^\d{1,6}$/.test(after)) {
    throw new AppError('bad_request', 'after: give the "next" of the page before.');
  }
  const offset = Number(after ?? 0);
  const { runs, next } = await withScope(actor, 'run.read', (store, scope) =>
    findSortedRuns(store, { where, scope, sort, offset, limit }),
  );
  const correlationId = brandAs<CorrelationId>(sortedGroup);
  return {
    groups: runs.length === 0 ? [] : [{ correlationId, runs, runCount: offset + runs.length }],
    next: next === undefined ? null : String(next),
  };
}

/** Returns the times of the runs of a correlation id that the actor may see, oldest first, with their sums. */
export async function readRunGroup(actor: Actor, correlationId: CorrelationId): Promise<RunGroupTimes> {
  return await withScope(actor, 'run.read', (store, scope) => findRunGroup(store, scope, correlationId));
}

/** Returns the chart of the newest matching runs, at most 5,000. */
export async function chartRuns(actor: Actor, where: readonly RunCondition[]): Promise<RunChart> {
  const { points, isCut } = await withScope(actor, 'run.read', (store, scope) => findRunPoints(store, where, scope));
  const runs = points.map(({ createdAt, status, durationMs }) => ({ at: createdAt.getTime(), status, durationMs }));
  return chartOf(runs, isCut);
}

/** Returns names of agents, tools, hooks, sources or people that contain `text`, sorted. */
export async function completeRunNames(actor: Actor, field: NamedField, text: string): Promise<readonly string[]> {
  return await withScope(actor, 'run.read', (store, scope) => findRunNames(store, scope, field, text));
}

const exportPage = 500;

/**
 * Notes in the audit log of each project that runs of it leave the app, and returns all runs that match, newest first, page by page: those
 * of the noted projects. Without a match there is one entry without a project.
 */
export async function exportRuns(
  actor: Actor,
  where: readonly RunCondition[],
): Promise<AsyncGenerator<readonly ListedRun[]>> {
  const body = { filter: JSON.stringify(where) };
  const noted = await withScopeOnce(actor, 'run.texts', async ({ store }, scope) => {
    const projects = await findProjectsWithRuns(store, where, scope);
    const entry = { actor, action: 'runs.exported', object: 'runs', body } as const;
    await appendAudits(
      store.pool,
      projects.length === 0 ? [entry] : projects.map((project) => ({ ...entry, project })),
    );
    return new Set(projects);
  });
  return exportPages(actor, where, noted);
}

async function* exportPages(
  actor: Actor,
  where: readonly RunCondition[],
  noted: ReadonlySet<ProjectId>,
): AsyncGenerator<readonly ListedRun[]> {
  for (let after: RunPlace | undefined; ; ) {
    const page = await withScope(actor, 'run.texts', (store, allowed) => {
      const scope = [...noted].filter((id) => allowed === 'all' || allowed.includes(id));
      return findRunsInOrder(store, { where, scope, after, limit: exportPage });
    });
    if (page.length > 0) yield page;
    const last = page.at(-1);
    if (last === undefined || page.length < exportPage) return;
    after = { createdAt: last.createdAt, id: last.id };
  }
}

export async function readSavedFilters(actor: Actor): Promise<readonly SavedFilter[]> {
  return await withStore(actor, 'installation.use', 'installation', (store) => listSavedFilters(store, actor.by));
}

export async function keepFilter(actor: Actor, filter: SavedFilter): Promise<void> {
  await withStoreOnce(actor, 'installation.use', 'installation', ({ store }) => saveFilter(store, actor.by, filter));
}

export async function forgetFilter(actor: Actor, name: string): Promise<void> {
  await withStoreOnce(actor, 'installation.use', 'installation', ({ store }) =>
    deleteSavedFilter(store, actor.by, name),
  );
}

/** What is kept, and what the rules say, for the projects whose rules the actor may change. */
export interface RetentionOverview {
  readonly kept: RunAmount;
  readonly rule: RetentionRule;
  readonly projects: readonly { readonly id: string; readonly name: string; readonly rule: RetentionRule }[];
  readonly report: RetentionReport | undefined;
}

export async function readRetentionOverview(actor: Actor): Promise<RetentionOverview> {
  return await withScope(actor, 'settings.change', async (store, scope) => {
    const [kept, rule, projects, report] = await Promise.all([
      amountOf(store, { where: [], until: new Date(8e15), scope }),
      readRetention(store),
      listProjectRetention(store),
      readRetentionReport(store),
    ]);
    const seen = projects.filter(({ id }) => scope === 'all' || scope.includes(id));
    return { kept, rule: rule ?? { maxAgeDays: null, maxBytes: null }, projects: seen, report };
  });
}

/** Tells what a rule would delete now: of one project, or of all projects without a rule of their own. */
export async function previewRetention(
  actor: Actor,
  rule: RetentionRule,
  project: ProjectId | undefined,
): Promise<{ readonly runs: number; readonly bytes: number }> {
  return await withStore(actor, 'settings.change', placeIn(project), (store) => amountBeyond(store, rule, project));
}

/** Stores the rule of the app or of a project; `undefined` makes the project follow the app. Workers apply it within ten minutes. */
export async function changeRetention(
  actor: Actor,
  rule: RetentionRule | undefined,
  project: ProjectId | undefined,
): Promise<void> {
  await withStoreOnce(actor, 'settings.change', placeIn(project), async ({ store }) => {
    await saveRetention(store, rule, project);
    const body = { rule: rule ?? null };
    await appendAudit(store.pool, { actor, action: 'retention.changed', object: project ?? 'app', project, body });
  });
}
