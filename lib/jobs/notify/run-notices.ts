import type { ProjectId } from '@/lib/base/ids';
import type { NewNotice } from '@/lib/store/person-notices';

/** A run that has ended, with the line above which its project wants to hear of it. */
export interface EndedRun {
  readonly id: string;
  readonly projectId: ProjectId;
  readonly project: string;
  readonly agent: string | null;
  readonly status: string;
  /** The name of the trigger that started it. Null if a person did. */
  readonly trigger: string | null;
  /** Who started it, or who made the trigger. Null if nobody knows. */
  readonly by: string | null;
  /** US dollars; null if no price is known. */
  readonly usd: number | null;
  /** How long it took without the time in which people were asked. */
  readonly seconds: number | null;
  readonly mostUsd: number | null;
  readonly mostSeconds: number | null;
}

/** Returns what is told of the end of a run. Of one that a person stopped nothing is told, but what it cost. */
export function endOfRun(run: EndedRun): readonly NewNotice[] {
  const { id, projectId, project, agent, status, trigger, by } = run;
  const ofAgent = agent === null ? `A run of ${project}` : `A run of ${agent} in ${project}`;
  const what = trigger === null ? ofAgent : `${ofAgent}, which the trigger ${trigger} started,`;
  const shared = { projectId, object: id, href: `/r/${id}`, by: undefined, people: by === null ? [] : [by] };
  const over = wordsAbove(run);
  // Nobody waits for a run of a trigger, and who made the trigger may be gone.
  const roles = trigger === null ? [] : (['admin'] as const);
  return [
    ...(status === 'failed' ? [{ ...shared, kind: 'run.failed' as const, words: `${what} failed`, roles }] : []),
    ...(over === undefined
      ? []
      : [{ ...shared, kind: 'run.over' as const, words: `${what} ${over}`, roles: ['admin' as const] }]),
  ];
}

function wordsAbove({ usd, seconds, mostUsd, mostSeconds }: EndedRun): string | undefined {
  const parts = [
    ...(usd !== null && mostUsd !== null && usd > mostUsd ? [`cost $${usd.toFixed(2)}, more than $${mostUsd}`] : []),
    ...(seconds !== null && mostSeconds !== null && seconds > mostSeconds
      ? [`took ${Math.round(seconds)} s, more than ${mostSeconds} s`]
      : []),
  ];
  return parts.length === 0 ? undefined : parts.join(' and ');
}
