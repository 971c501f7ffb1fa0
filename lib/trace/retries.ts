import type { LogMark, Trace } from './trace';

/**
 * Returns the log lines about repeated requests of a model call, in order: those of its instance while the call went on. Calls that a
 * tool asked for at the same time share them.
 */
export function retriesOf({ spans, logs }: Pick<Trace, 'spans' | 'logs'>, span: number): readonly LogMark[] {
  const lane = spans.lane.at(span);
  const [from, to] = [spans.start.at(span), spans.end.at(span)];
  return logs.filter((mark) => mark.code === 'model_retry' && mark.lane === lane && mark.at >= from && mark.at <= to);
}
