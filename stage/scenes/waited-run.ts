import { auditedKid } from '@/e2e/audited-kid';
import { brandAs, type EpochMs, type PendingId, type StepKey } from '@/lib/base/ids';
import type { EventBody, RunEvent } from '@/lib/runtime/record/events';

const day = 86_400_000;

/** One child after the other. */
export const oneByOne = {
  ...auditedKid,
  'callboard.yaml': `version: 1
entry: lead
scripts:
  lead:
    - turns:
        - calls: [{ tool: agent__kid, arguments: { text: count } }]
          delay_ms: 900
        - calls: [{ tool: agent__kid, arguments: { text: quick } }]
        - { text: All done., delay_ms: 1200 }
  kid:
    - when_input_contains: count
      turns:
        - calls: [{ tool: addOne, arguments: { x: 99 } }]
          delay_ms: 700
        - { text: Eleven., delay_ms: 500 }
    - turns:
        - { text: Done., delay_ms: 800 }
`,
};

/** Returns the events of a run whose first tool call waited three days for a person. */
export function waitsThreeDays(events: readonly RunEvent[]): readonly RunEvent[] {
  const place = events.findIndex((event) => event.kind === 'tool.started' && event.toolName === 'addOne');
  const call = events[place];
  if (call?.kind !== 'tool.started') throw new Error('The run has no call of addOne.');
  const of = { path: call.path, step: brandAs<StepKey>(call.step), item: brandAs<PendingId>('q1') };
  const asked: EventBody = { kind: 'person.asked', ...of, what: 'approval', sentence: 'kid wants to call addOne.' };
  const answer = { decision: 'approve', by: 'Ann', via: 'web' } as const;
  const answered: EventBody = { kind: 'person.answered', ...of, outcome: 'answered', answer };
  const later = (at: number) => brandAs<EpochMs>(at + 3 * day);
  return [
    ...events.slice(0, place + 1),
    { seq: 0, at: call.at, ...asked },
    { seq: 0, at: later(call.at), ...answered },
    ...events.slice(place + 1).map((event) => ({ ...event, at: later(event.at) })),
  ].map((event, index) => ({ ...event, seq: index + 1 }));
}
