import type { AgainRequest } from '@/lib/base/again';
import { AppError } from '@/lib/base/app-error';
import { brandAs, type ProjectId, type RunId } from '@/lib/base/ids';
import { recordBefore } from '@/lib/runtime/record/record-before';
import { countAnswers } from '@/lib/runtime/record/take-record';
import type { Store } from '@/lib/store/database';
import { readAllEvents } from '@/lib/store/events';
import { findRun, findTreeOfRun, type RunDetail } from '@/lib/store/runs';
import { ownSource } from '@/lib/trace/run-source';
import { isActive } from '@/lib/trace/run-state';
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

/** How many calls a run from a step answers from the record, and how many the old run made in all. */
export interface RecordPreview {
  readonly kept: { readonly modelCalls: number; readonly toolCalls: number };
  readonly all: { readonly modelCalls: number; readonly toolCalls: number };
}

/** Tells what a run from event `at` would take from the record. Throws AppError `not_found`. */
export async function previewRecord(runId: RunId, at: number): Promise<RecordPreview> {
  return await withStore(async (store) => {
    await findTreeOfRun(store, runId);
    const log = await readAllEvents(store, runId);
    if (at > log.length) throw new AppError('not_found', `The run has no event ${at}.`);
    return { kept: countAnswers(recordBefore(log, at)), all: countAnswers(log) };
  });
}
