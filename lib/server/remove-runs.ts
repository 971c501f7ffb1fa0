export interface RemovedRuns {
  readonly deleted: number;
  /** Runs that were active when this request came. They are deleted by a later request, once they have stopped. */
  readonly stopping: number;
  /** True if more of the chosen runs can be deleted by the same request. */
  readonly more: boolean;
}

export interface RemovalSteps {
  /** Asks active runs to stop and returns how many there are. */
  readonly stopActive: () => Promise<number>;
  /** Deletes some runs that have ended and returns how many. 0 means that none is left. */
  readonly deleteEnded: () => Promise<number>;
  /** In milliseconds. */
  readonly now: () => number;
}

const mostMs = 3_000;

/**
 * Deletes for three seconds at most. Active runs are counted before anything is deleted: a run that ends after the last
 * deletion was counted, so the caller asks again. Counted afterwards, it would be missing in both numbers and stay for good.
 */
export async function removeSome({ stopActive, deleteEnded, now }: RemovalSteps): Promise<RemovedRuns> {
  const stopping = await stopActive();
  const deadline = now() + mostMs;
  for (let deleted = 0; ; ) {
    const runs = await deleteEnded();
    deleted += runs;
    if (runs === 0) return { deleted, stopping, more: false };
    if (now() > deadline) return { deleted, stopping, more: true };
  }
}
