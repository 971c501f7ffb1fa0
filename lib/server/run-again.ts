import type { AgainRequest } from '@/lib/base/again';
import { AppError } from '@/lib/base/app-error';
import type { ProjectId, RunId } from '@/lib/base/ids';
import { brandAs } from '@/lib/base/ids';
import type { Store } from '@/lib/store/database';
import { findRun, type RunDetail } from '@/lib/store/runs';
import { ownSource } from '@/lib/trace/run-source';
import { isActive } from '@/lib/trace/run-state';

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
