import type { PendingId } from '@/lib/base/ids';
import type { Grant, ItemEnd, PersonAnswer } from '@/lib/base/pending';
import type { PeoplePort } from '@/lib/runtime/ports';

export interface PeopleDesk extends PeoplePort {
  /** The questions that are waited for now, in the order in which the wait began. */
  readonly waiting: ReadonlySet<PendingId>;
  holdMs: () => number;
  /** The remembered approvals. */
  grants: () => readonly Grant[];
  has(item: PendingId): boolean;
  /** Ends a question. Whoever waits for it goes on; whoever asks later gets the end at once. */
  end(item: PendingId, end: ItemEnd): void;
}

/** Makes a place where answers are kept between executions of a run, as the database keeps them. */
export function peopleDesk(holdMs = 0): PeopleDesk {
  const ends = new Map<PendingId, ItemEnd>();
  const waiters = new Map<PendingId, (end: ItemEnd) => void>();
  const waiting = new Set<PendingId>();
  return {
    waiting,
    has: (item) => ends.has(item),
    end(item, end) {
      if (ends.has(item)) throw new Error(`${item} has ended before.`);
      ends.set(item, end);
      waiters.get(item)?.(end);
    },
    answerOf(item, signal) {
      const known = ends.get(item);
      if (known) return Promise.resolve(known);
      if (waiting.has(item)) throw new Error(`${item} is waited for twice.`);
      waiting.add(item);
      const leave = () => {
        waiting.delete(item);
        waiters.delete(item);
      };
      signal.addEventListener('abort', leave, { once: true });
      return new Promise((resolve) => {
        waiters.set(item, (end) => {
          leave();
          resolve(end);
        });
      });
    },
    offer(item, answer) {
      if (!ends.has(item)) this.end(item, { outcome: 'answered', answer });
    },
    holdMs: () => holdMs,
    grants: () => [],
  };
}

/** An answer of Ann's. */
export function ended(answer: Partial<PersonAnswer> = {}): ItemEnd {
  return { outcome: 'answered', answer: { decision: 'approve', by: 'ann', via: 'web', ...answer } };
}
