import type { FailedServer, RunError } from '@/lib/runtime/record/events';
import type { Usage } from '@/lib/runtime/record/messages';
import type { ModelUsage } from '@/lib/trace/cost';
import type { RunState } from '@/lib/trace/run-state';

/** A run as pages show it before, and beside, its events. Times in epoch milliseconds. */
export interface RunInfo {
  readonly id: string;
  readonly projectId: string;
  readonly projectName: string;
  readonly status: RunState;
  readonly entryAgent: string | undefined;
  readonly message: string;
  readonly model: string | undefined;
  readonly correlationId: string;
  readonly scripted: boolean;
  readonly createdAt: number;
  readonly startedAt: number | undefined;
  readonly finishedAt: number | undefined;
  readonly answer: string | undefined;
  /** Message and answer are the beginning of longer ones; the events have the whole. */
  readonly isCut?: boolean;
  readonly error: RunError | undefined;
  readonly usage: Usage;
  /** Servers that did not start, once the run has ended. */
  readonly failedServers?: readonly FailedServer[] | undefined;
  /** By model, once the run has ended. */
  readonly modelUsage: ModelUsage | undefined;
  readonly treeHash: string;
}

/** Runs that share a correlation id. */
export interface RunGroupInfo {
  readonly correlationId: string;
  /** Listed or not; `mostCounted` stands for more too. */
  readonly runCount: number;
  /** Newest first. */
  readonly runs: readonly RunInfo[];
}

export interface RunPage {
  readonly groups: readonly RunGroupInfo[];
  /** `after` of the next page; null on the last. A page that is not the last may hold no group. */
  readonly next: string | null;
}

/** Running time so far, in microseconds: waiting in the queue is not running. */
export function runDuration(run: Pick<RunInfo, 'startedAt' | 'finishedAt'>, now: number): number | undefined {
  if (run.startedAt === undefined) return undefined;
  return Math.max(0, ((run.finishedAt ?? now) - run.startedAt) * 1000);
}
