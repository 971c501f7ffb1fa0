import { brandAs, type EpochMs } from '@/lib/base/ids';
import type { RunEvent } from '@/lib/runtime/record/events';
import { recordBefore } from '@/lib/runtime/record/record-before';
import { type Taking, takeEvents, takenCode } from '@/lib/runtime/record/take-record';

/** The log with which a run from event `at` of another one begins, as a worker makes it. */
export function takenLog(log: readonly RunEvent[], at: number, to: Taking): readonly RunEvent[] {
  const taken = takeEvents(recordBefore(log, at), to);
  if (taken.length === 0) return [];
  const body = { kind: 'log', level: 'info', code: takenCode, message: 'taken' } as const;
  const seam = { body, at: taken.at(-1)?.at ?? brandAs<EpochMs>(0) };
  return [...taken, seam].map((event, index) => ({ seq: index + 1, at: event.at, ...event.body }));
}
