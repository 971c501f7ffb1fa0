import type { AgainRequest } from '@/lib/base/again';
import { AppError } from '@/lib/base/app-error';
import { brandAs, type ProjectId, type RunId } from '@/lib/base/ids';
import type { Json } from '@/lib/base/json';
import { readInstanceRecord } from '@/lib/runtime/record/instance-record';
import { recordBefore } from '@/lib/runtime/record/record-before';
import { countAnswers } from '@/lib/runtime/record/take-record';
import type { Store } from '@/lib/store/database';
import { findInstanceStart, readAllEvents } from '@/lib/store/events';
import { findRun, findTreeOfRun, type RunDetail } from '@/lib/store/runs';
import { ownSource } from '@/lib/trace/run-source';
import { isActive } from '@/lib/trace/run-state';
import { oneAtATime } from './one-at-a-time';
import { withStore } from './services';

/**
 * Finds the run that a new one is made from, with its whole texts. Throws AppError `not_found`; `bad_request` when it is of
 * another project or was recorded elsewhere; and `conflict` when its record is wanted while it still runs.
 */
export async function findOldRun(store: Store, projectId: ProjectId, again: AgainRequest): Promise<RunDetail> {
  const old = await findRun(store, brandAs<RunId>(again.run));
  if (old.projectId !== projectId) {
    throw new AppError('bad_request', `The run ${again.run} is of another project. Start the new run in that one.`);
  }
  if (old.source !== ownSource) {
    throw new AppError('bad_request', 'The run was recorded elsewhere, so Callboard has nothing to run again.');
  }
  if (again.kind !== 'again' && isActive(old.status)) {
    throw new AppError(
      'conflict',
      'The run is still active. Stop it or wait for its end, then run it again from here.',
    );
  }
  return old;
}

/** Finds the instance that a new run is, with the text that lists show. Throws AppError `not_found`. */
export async function findOldInstance(
  store: Store,
  again: Extract<AgainRequest, { kind: 'instance' }>,
): Promise<{ readonly agentName: string; readonly message: string }> {
  const found = await findInstanceStart(store, brandAs<RunId>(again.run), again.path);
  if (found?.input === undefined) {
    throw new AppError('not_found', `The run has no instance '${again.path}', or it did not start.`);
  }
  const message = again.arguments === undefined ? found.input : JSON.stringify(again.arguments);
  return { agentName: found.agentName, message };
}

/** What a person needs in order to run one instance again. */
export interface InstancePreview {
  readonly agentName: string;
  /** The arguments that it was called with; `undefined` for the instance with which the run began. */
  readonly arguments: Json | undefined;
  /** The input that it got. */
  readonly input: string;
  /** The tools that it and the instances below it called, by the names that the models saw. */
  readonly tools: readonly { readonly name: string; readonly calls: number }[];
}

/** Describes an instance of a run. Throws AppError `not_found`. */
export async function previewInstance(runId: RunId, path: string): Promise<InstancePreview> {
  return await withStore(async (store) => {
    await findTreeOfRun(store, runId);
    const record = readInstanceRecord(await oneAtATime(() => readAllEvents(store, runId)), path);
    if (record === undefined)
      throw new AppError('not_found', `The run has no instance '${path}', or it did not start.`);
    const calls = new Map<string, number>();
    for (const { tool } of record.calls) calls.set(tool, (calls.get(tool) ?? 0) + 1);
    return {
      agentName: record.agentName,
      arguments: record.caller?.arguments,
      input: record.started.input,
      tools: [...calls].map(([name, count]) => ({ name, calls: count })),
    };
  });
}

/** How many calls a run from a step answers from the record, and how many the old run made in all. */
export interface RecordPreview {
  readonly kept: { readonly modelCalls: number; readonly toolCalls: number };
  readonly all: { readonly modelCalls: number; readonly toolCalls: number };
}

/** Tells what a run from event `at` would take from the record. Throws AppError `not_found`. */
export async function previewRecord(runId: RunId, at: number): Promise<RecordPreview> {
  return await withStore(async (store) => {
    await findTreeOfRun(store, runId);
    const log = await oneAtATime(() => readAllEvents(store, runId));
    if (at > log.length) throw new AppError('not_found', `The run has no event ${at}.`);
    return { kept: countAnswers(recordBefore(log, at)), all: countAnswers(log) };
  });
}
