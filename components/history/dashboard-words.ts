import { formatCost } from '@/lib/trace/cost';
import type { DashboardGroup, DashboardKey } from '@/lib/trace/dashboard';
import { formatDuration } from '@/lib/trace/wording';

/** Writes a part of 1 in per cent: `0 %`, `0.4 %`, `12 %`. */
export function formatShare(share: number | undefined): string {
  if (share === undefined) return '–';
  const percent = share * 100;
  return `${percent > 0 && percent < 10 ? Math.max(0.1, Math.round(percent * 10) / 10) : Math.round(percent)} %`;
}

export function formatMs(ms: number | undefined): string {
  return ms === undefined ? '–' : formatDuration(ms * 1_000);
}

export function formatUsd(usd: number): string {
  return formatCost({ usd, unpriced: [] });
}

/** What is counted in the rows of each group. */
export const callWords: Readonly<Record<DashboardGroup, string>> = {
  project: 'Runs',
  revision: 'Runs',
  agent: 'Instances',
  model: 'Calls',
  tool: 'Calls',
};

export const groupWords: Readonly<Record<DashboardGroup, string>> = {
  project: 'Project',
  agent: 'Agent',
  model: 'Model',
  revision: 'Revision',
  tool: 'Tool',
};

export function nameOfGroup(by: DashboardGroup, { name, projectName, revision }: DashboardKey): string {
  if (by === 'agent' || by === 'model' || by === 'tool') return name;
  const project = projectName ?? 'A deleted project';
  if (by === 'project') return project;
  return `${project}: ${revision === undefined ? 'drafts' : `revision ${revision}`}`;
}

/** Writes a moment for an axis in UTC: the day at its beginning, and the time within it. */
export function axisWords(at: number): string {
  const time = new Date(at).toISOString().slice(11, 16);
  return time === '00:00' ? momentWords(at, 86_400_000) : time;
}

/** Writes the beginning of a column in UTC, as the dashboard counts it: `29 Nov`, or `29 Nov 14:00` for less than a day. */
export function momentWords(at: number, step: number): string {
  const date = new Date(at).toLocaleDateString('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });
  return step >= 86_400_000 ? date : `${date} ${new Date(at).toISOString().slice(11, 16)}`;
}
