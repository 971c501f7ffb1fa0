import type { LogMark, Trace } from './trace';

/** Returns the log lines about repeated requests of a model call, in order. */
export function retriesOf({ logs }: Pick<Trace, 'logs'>, span: number): readonly LogMark[] {
  return logs.filter((mark) => isRetry(mark) && mark.span === span);
}

/** The logs of a trace grow, and those of a moment are cut in place. */
const known = new WeakMap<Trace['logs'], { readonly count: number; readonly until: ReadonlyMap<number, number> }>();

/**
 * Returns of each model call with repeated requests when its last one was made again, in microseconds since the origin. What came
 * before in the call was lost. A call that was stopped meanwhile may have ended earlier.
 */
export function repeatedUntil({ logs }: Pick<Trace, 'logs'>): ReadonlyMap<number, number> {
  const last = known.get(logs);
  if (last?.count === logs.length) return last.until;
  const until = new Map<number, number>();
  for (const mark of logs)
    if (isRetry(mark) && mark.span !== undefined) until.set(mark.span, mark.at + (mark.wait ?? 0));
  known.set(logs, { count: logs.length, until });
  return until;
}

function isRetry({ code }: LogMark): boolean {
  return code === 'model_retry';
}
