import type { InstancePath, PendingId, StepKey } from '@/lib/base/ids';
import type { ItemEnd, PendingQuestion } from '@/lib/base/pending';
import type { EventOf, RunEvent } from './events';
import { callAround } from './step-key';

/** What the log says about questions to people, and about suspensions. */
export interface RecordedQuestions {
  /** Every question that was asked, in order. */
  readonly questions: ReadonlyMap<PendingId, PendingQuestion>;
  /** Returns how a question ended; `undefined` while it is open. */
  questionEnd(item: PendingId): ItemEnd | undefined;
  /**
   * True for a call that was waiting when its worker left the run: a question of it is open, or the run was suspended. It goes on
   * and does not start again.
   */
  isWaiting(step: StepKey): boolean;
  /** Returns how long an instance had worked when the run was suspended last, in milliseconds. */
  activeMs(path: InstancePath): number;
}

export function readQuestions(log: readonly RunEvent[]): RecordedQuestions {
  const questions = new Map<PendingId, PendingQuestion>();
  const ends = new Map<PendingId, ItemEnd>();
  /** Questions that are open, with the call that asks. */
  const open = new Map<PendingId, string>();
  const calls = new Set<string>();
  const active = new Map<string, number>();

  for (const event of log) {
    switch (event.kind) {
      case 'person.asked':
        questions.set(event.item, event);
        open.set(event.item, callAround(event.step) ?? event.step);
        break;
      case 'person.answered':
        ends.set(event.item, endOf(event));
        open.delete(event.item);
        break;
      case 'tool.started':
        calls.add(event.step);
        break;
      case 'tool.ended':
        calls.delete(event.step);
        break;
      case 'run.suspended':
        for (const [path, ms] of Object.entries(event.activeMs)) active.set(path, ms);
        break;
    }
  }
  // When a worker dies, the calls that ask nobody were in flight.
  const isSuspended = log.at(-1)?.kind === 'run.suspended';
  const waiting = new Set([...(isSuspended ? calls : []), ...open.values()]);

  return {
    questions,
    questionEnd: (item) => ends.get(item),
    isWaiting: (step) => waiting.has(step),
    activeMs: (path) => active.get(path) ?? 0,
  };
}

function endOf({ outcome, answer }: EventOf<'person.answered'>): ItemEnd {
  if (outcome === 'answered' && answer) return { outcome, answer };
  return { outcome: outcome === 'answered' ? 'withdrawn' : outcome };
}
