/**
 * The queue is kept on `globalThis`, because Next evaluates modules more than once, and there must be one queue per
 * process.
 */
const holder: { callboardReads?: Promise<unknown> } = globalThis as never;

/** Runs memory-intensive work of this process, such as reading large events, one after another. */
export function oneAtATime<T>(work: () => Promise<T>): Promise<T> {
  const done = (holder.callboardReads ?? Promise.resolve()).then(work);
  holder.callboardReads = done.catch(() => undefined);
  return done;
}
