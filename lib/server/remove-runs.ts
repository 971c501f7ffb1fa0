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
  const { done, more } = await untilNone(deleteEnded, now);
  return { deleted: done, stopping, more };
}

/** Repeats a step that says how many runs it did, until it did none, for three seconds at most. */
export async function untilNone(
  step: () => Promise<number>,
  now: () => number,
): Promise<{ readonly done: number; readonly more: boolean }> {
  const deadline = now() + mostMs;
  for (let done = 0; ; ) {
    const runs = await step();
    done += runs;
    if (runs === 0) return { done, more: false };
    if (now() > deadline) return { done, more: true };
  }
}
