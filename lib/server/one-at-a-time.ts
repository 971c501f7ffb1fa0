/** Next evaluates modules more than once; the queue is one per process. */
const holder: { callboardReads?: Promise<unknown> } = globalThis as never;

/** Runs work of this process that may take a hundred megabytes, such as reading large events, one after the other. */
export function oneAtATime<T>(work: () => Promise<T>): Promise<T> {
  const done = (holder.callboardReads ?? Promise.resolve()).then(work);
  holder.callboardReads = done.catch(() => undefined);
  return done;
}
