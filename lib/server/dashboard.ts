import type { Actor } from '@/lib/base/actor';
import type { ProjectId } from '@/lib/base/ids';
import { countItems } from '@/lib/store/pending-items';
import { findTalliesBy, findTalliesOverTime } from '@/lib/store/run-tallies';
import {
  columnsOfRange,
  type Dashboard,
  type DashboardGroup,
  type DashboardRange,
  figuresByKey,
  noDashboardFigures,
} from '@/lib/trace/dashboard';
import { withScope } from './services';

const mostGroups = 20;

export interface DashboardQuery {
  readonly range: DashboardRange;
  readonly by: DashboardGroup;
  /** Counts the runs of this project alone. */
  readonly project?: ProjectId | undefined;
}

/** Returns figures of the ended runs that the actor may see, over time and by `by`. `now` is in epoch milliseconds. */
export async function readDashboard(
  actor: Actor,
  { range, by, project }: DashboardQuery,
  now: number,
): Promise<Dashboard> {
  const { from, to, step, starts } = columnsOfRange(range, now);
  const [overTime, grouped] = await withScope(actor, 'run.read', (store, scope) => {
    const filter = { scope, project, from, to };
    return Promise.all([findTalliesOverTime(store, filter, step), findTalliesBy(store, filter, by, mostGroups)]);
  });
  const waiting = await withScope(actor, 'item.read', (store, scope) =>
    countItems(store, { run: undefined, project, tool: undefined, status: 'open', scope }),
  );
  const columns = figuresByKey(overTime);
  const total = figuresByKey(overTime.map((row) => ({ ...row, key: 'all' }))).get('all');
  return {
    ...{ range, by, from, to, waiting },
    total: total ?? noDashboardFigures,
    columns: starts.map((start) => ({
      from: start,
      to: start + step,
      ...(columns.get(start) ?? noDashboardFigures),
    })),
    groups: [...figuresByKey(grouped)].map(([of, figures]) => ({ of, ...figures })),
  };
}
