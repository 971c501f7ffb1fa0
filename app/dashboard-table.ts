import { csvLine } from '@/app/run-table';
import type { Dashboard, DashboardFigures } from '@/lib/trace/dashboard';

const heads = ['calls', 'failed', 'p50_ms', 'p95_ms', 'tokens', 'cost_usd', 'people_ms'] as const;

function cellsOf({ calls, failed, p50, p95, tokens, costUsd, peopleMs }: DashboardFigures) {
  return [calls, failed, rounded(p50), rounded(p95), tokens, costUsd, rounded(peopleMs)];
}

function rounded(ms: number | undefined): number | undefined {
  return ms === undefined ? undefined : Math.round(ms);
}

/** Writes the figures over time as CSV. */
export function timeTable({ columns }: Dashboard): string {
  const lines = columns.map((column) => [iso(column.from), iso(column.to), ...cellsOf(column)]);
  return [['from', 'to', ...heads], ...lines].map(csvLine).join('');
}

/** Writes the figures by agent, model and so on as CSV. */
export function groupTable({ groups }: Dashboard): string {
  const lines = groups.map(({ of, ...figures }) => [
    ...[of.name, of.project, of.projectName, of.revision],
    ...cellsOf(figures),
  ]);
  return [['name', 'project_id', 'project', 'revision', ...heads], ...lines].map(csvLine).join('');
}

function iso(at: number): string {
  return new Date(at).toISOString();
}
