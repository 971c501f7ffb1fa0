import type { RunGroupInfo } from '@/lib/client/run-info';

/**
 * Joins the groups of several pages. A group that is on two pages keeps its first place, with the runs of both. Of a run that
 * is on two pages the first is kept, because earlier pages are read more often.
 */
export function joinGroups(groups: readonly RunGroupInfo[]): readonly RunGroupInfo[] {
  const joined = new Map<string, RunGroupInfo>();
  for (const group of groups) {
    const before = joined.get(group.correlationId);
    const known = new Set(before?.runs.map(({ id }) => id));
    const distinct = [...(before?.runs ?? []), ...group.runs.filter(({ id }) => !known.has(id))];
    const runCount = Math.max(before?.runCount ?? 0, group.runCount, distinct.length);
    joined.set(group.correlationId, { ...group, runs: distinct, runCount });
  }
  return [...joined.values()];
}
