import type { AgainKind } from '@/lib/base/again';
import type { LeftOut } from '@/lib/base/left-out';
import type { RunMarks } from '@/lib/base/run-marks';
import type { ScoreMean } from '@/lib/base/score';
import type { FailedServer, RunError } from '@/lib/runtime/record/events';
import type { Usage } from '@/lib/runtime/record/messages';
import type { ModelUsage } from '@/lib/trace/cost';
import type { RunState } from '@/lib/trace/run-state';
import type { RunSums } from '@/lib/trace/run-sums';

/** A run without its events, as pages show it. Times are in epoch milliseconds. */
export interface RunInfo extends RunMarks {
  readonly id: string;
  readonly projectId: string;
  readonly projectName: string;
  readonly status: RunState;
  readonly entryAgent: string | undefined;
  readonly message: string;
  readonly model: string | undefined;
  readonly correlationId: string;
  /** Who recorded the run: `callboard`, or the framework of an imported run. */
  readonly source: string;
  readonly scripted: boolean;
  readonly createdAt: number;
  readonly startedAt: number | undefined;
  readonly finishedAt: number | undefined;
  readonly answer: string | undefined;
  /** True if message and answer were cut. The events have the whole texts. */
  readonly isCut?: boolean;
  readonly error: RunError | undefined;
  readonly usage: Usage;
  /** Servers that did not start. It is set once the run has ended. */
  readonly failedServers?: readonly FailedServer[] | undefined;
  /** Usage by model. It is set once the run has ended. */
  readonly modelUsage: ModelUsage | undefined;
  readonly treeHash: string;
  /** The number of the revision that it ran, and the label by which that was chosen. */
  readonly revision?: number;
  readonly label?: string;
  /** The draft that it ran. */
  readonly draft?: string;
  /** Who started it: a mail address, `local` without accounts, or `trigger:NAME`. Imported runs have none. */
  readonly startedBy?: string;
  /** The trigger that started it. A deleted trigger has no name. */
  readonly trigger?: { readonly id: string; readonly name?: string | undefined };
  /** How many of its steps failed, and for how many milliseconds it and its children waited to begin. Lists have both once it has ended. */
  readonly errors?: number;
  readonly waitedMs?: number;
  /** The mean of the scores of the run itself. */
  readonly score?: ScoreMean;
  /** The run that this one was made from, and how. */
  readonly again?: { readonly of: string; readonly kind: AgainKind };
  /** The conversation that the run is a turn of. Lists leave it out, like `isInLine`. */
  readonly conversationId?: string;
  /** The run waits until the turn before has ended. */
  readonly isInLine?: true;
  /** What it does without although its files have it. Lists leave it out. */
  readonly leftOut?: readonly LeftOut[];
  /** Runs that were made from this one, newest first, at most 20. Lists leave them out. */
  readonly madeAgain?: readonly { readonly id: string; readonly kind: AgainKind; readonly createdAt: number }[];
}

/** Runs that share a correlation id. */
export interface RunGroupInfo {
  readonly correlationId: string;
  /** The number of all runs of the group, listed or not. The server stops counting at a limit. */
  readonly runCount: number;
  /** Of the runs that are counted. Runs in another order have none. */
  readonly sums?: RunSums;
  /** Runs of the group, newest first. */
  readonly runs: readonly RunInfo[];
}

export interface RunPage {
  readonly groups: readonly RunGroupInfo[];
  /** The value of `after` for the next page; null on the last page. A page before the last may be empty. */
  readonly next: string | null;
}

/** Returns the running time so far, in microseconds. Waiting in the queue is not running. */
export function runDuration(run: Pick<RunInfo, 'startedAt' | 'finishedAt'>, now: number): number | undefined {
  if (run.startedAt === undefined) return undefined;
  return Math.max(0, ((run.finishedAt ?? now) - run.startedAt) * 1000);
}

/** True if somebody besides the one person of an installation without accounts started one of the runs. */
export function haveStarters(groups: readonly RunGroupInfo[]): boolean {
  return groups.some(({ runs }) => runs.some(({ startedBy = 'local' }) => startedBy !== 'local'));
}

/** Says what a run ran, in a few words. Runs of older versions are known by the hash of their files. */
export function ranWords({
  revision,
  label,
  draft,
  treeHash,
}: Pick<RunInfo, 'revision' | 'label' | 'draft' | 'treeHash'>): string {
  if (revision !== undefined) return `Revision ${revision}${label === undefined ? '' : ` · ${label}`}`;
  return draft === undefined ? `Files ${treeHash.slice(0, 8)}` : draft === 'main' ? 'Main draft' : `Draft ${draft}`;
}
