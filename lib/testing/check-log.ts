import { expect } from 'vitest';
import type { RunEvent } from '@/lib/runtime/record/events';

/**
 * Expects the log of a finished run to be whole: no gaps, one beginning and one end, every queued instance ended once, no step
 * with two ends and no decision recorded twice.
 */
export function checkLog(log: readonly RunEvent[]): void {
  expect(log.map(({ seq }) => seq)).toEqual(log.map((_, index) => index + 1));
  expect(log.at(-1)?.kind).toBe('run.finished');
  expect(log.filter(({ kind }) => kind === 'run.started' || kind === 'run.finished')).toHaveLength(2);
  const paths = (kind: RunEvent['kind']) =>
    log.flatMap((event) => (event.kind === kind && 'path' in event ? [event.path] : []));
  const queued = paths('instance.queued');
  expect(new Set(queued).size).toBe(queued.length);
  expect([...paths('instance.ended')].sort()).toEqual([...queued].sort());
  const started = paths('instance.started');
  expect(new Set(started).size).toBe(started.length);
  const ends = log.flatMap((event) =>
    event.kind === 'model.ended' || event.kind === 'tool.ended' ? [event.step] : [],
  );
  expect(new Set(ends).size).toBe(ends.length);
  const decided = log.flatMap((event) => (event.kind === 'workflow.decided' ? [event.step] : []));
  expect(new Set(decided).size).toBe(decided.length);
}
