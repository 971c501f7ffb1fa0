import type { RunGroupInfo } from '@/lib/client/run-info';

/** Joins the groups of several pages. A group that is on two pages keeps its first place, with the runs of both. */
export function joinGroups(groups: readonly RunGroupInfo[]): readonly RunGroupInfo[] {
  const joined = new Map<string, RunGroupInfo>();
  for (const group of groups) {
    const before = joined.get(group.correlationId);
    const runs = [...(before?.runs ?? []), ...group.runs];
    const distinct = [...new Map(runs.map((run) => [run.id, run] as const)).values()];
    const runCount = Math.max(before?.runCount ?? 0, group.runCount, distinct.length);
    joined.set(group.correlationId, { ...group, runs: distinct, runCount });
  }
  return [...joined.values()];
}
