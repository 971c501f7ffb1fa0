import type { DashboardGroup, DashboardKey, DashboardRange } from '@/lib/trace/dashboard';
import { queryOf, type RunClause } from '@/lib/trace/run-filter';

/** What a dashboard shows, as its address says it. */
export interface DashboardAddress {
  readonly range: DashboardRange;
  readonly by: DashboardGroup;
  readonly project: string | undefined;
}

export function dashboardHref({ range, by, project }: DashboardAddress): string {
  const params = new URLSearchParams({ range, by, ...(project !== undefined && { project }) });
  return `/runs/dashboard?${params}`;
}

/** Returns the address of a table of a dashboard as CSV. */
export function dashboardCsvHref(address: DashboardAddress, csv: 'time' | 'groups'): string {
  return `/api/v1/${dashboardHref(address).slice(1)}&csv=${csv}`;
}

/** The runs of a dashboard, or of a part of it. Times are epoch milliseconds. */
export interface MarkedRuns {
  readonly from: number;
  readonly to: number;
  readonly project: string | undefined;
}

/** Returns the address of the runs that a mark of a dashboard counts. */
export function runsHref({ from, to, project }: MarkedRuns, more: readonly RunClause[] = []): string {
  const of = project === undefined ? [] : [is('project', project)];
  const time: readonly RunClause[] = [
    { field: 'time', operator: 'after', value: new Date(from).toISOString() },
    { field: 'time', operator: 'before', value: new Date(to).toISOString() },
  ];
  return `/runs?${queryOf([...of, ...more, ...time])}`;
}

export const failedRuns: RunClause = { field: 'status', operator: 'is', value: 'failed' };
export const endedRuns: RunClause = { field: 'status', operator: 'is', value: 'completed,failed,cancelled' };

/** Returns the filter of the runs of a row. Runs of drafts have no filter of their own. */
export function clausesOfGroup(by: DashboardGroup, { project, name, revision }: DashboardKey): readonly RunClause[] {
  if (by === 'agent' || by === 'model' || by === 'tool') return [{ field: by, operator: 'is', value: name }];
  const of = project === undefined ? [] : [is('project', project)];
  return revision === undefined ? of : [...of, is('revision', String(revision))];
}

function is(field: 'project' | 'revision', value: string): RunClause {
  return { field, operator: 'is', value };
}
