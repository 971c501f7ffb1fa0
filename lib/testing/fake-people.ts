import type { PendingId } from '@/lib/base/ids';
import type { Grant, ItemEnd, PersonAnswer } from '@/lib/base/pending';
import type { PeoplePort } from '@/lib/runtime/ports';
import type { EventOf, RunEvent } from '@/lib/runtime/record/events';
import type { CollectedEvents } from './collect-events';

export type Asked = EventOf<'person.asked'>;
/** What a person does with a question. `undefined`: never answers. */
export type FakePerson = (question: Asked) => Partial<PersonAnswer> | 'expired' | 'withdrawn' | undefined;

export interface FakePeople extends PeoplePort {
  /** The questions that were waited for, in order. */
  readonly asked: Asked[];
  /** Must be the `onSink` of the run. */
  watch(sink: CollectedEvents): void;
}

/** Makes people who answer at once. A partial answer is of `ann`, by the web. `log` is that of the earlier run. */
export function fakePeople(
  person: FakePerson,
  grants: readonly Grant[] = [],
  log: readonly RunEvent[] = [],
): FakePeople {
  const asked: Asked[] = [];
  let seen: CollectedEvents | undefined;
  return {
    asked,
    watch(sink) {
      seen = sink;
    },
    answerOf(item: PendingId): Promise<ItemEnd> {
      const question = [...log, ...(seen?.events ?? [])].find(
        (one): one is Asked => one.kind === 'person.asked' && one.item === item,
      );
      if (!question) throw new Error(`Nothing asked ${item}.`);
      asked.push(question);
      const answer = person(question);
      if (answer === undefined) return new Promise(() => {});
      if (typeof answer === 'string') return Promise.resolve({ outcome: answer });
      return Promise.resolve({
        outcome: 'answered',
        answer: { decision: 'approve', by: 'ann', via: 'web', ...answer },
      });
    },
    holdMs: () => Number.POSITIVE_INFINITY,
    grants: () => grants,
  };
}
