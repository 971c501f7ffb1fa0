import { expect, test } from 'vitest';
import { brandAs, type CallId, type InstancePath, type StepKey } from '@/lib/base/ids';
import type { WorkflowDecision } from '@/lib/runtime/record/decision';
import type { RunEvent } from '@/lib/runtime/record/events';
import { noUsage } from '@/lib/runtime/record/messages';
import { encodeTrace } from './columns';
import { emptyTrace } from './empty-trace';
import { foldEvent } from './fold';
import { payloadsOf, previewOf } from './payloads';
import { partPage, shortEvent } from './short-event';
import { shownEvent } from './shown-event';
import { slimEvent } from './slim-event';

const secret = '{"user": "ann", "password": "hunter2"}';
const at = { at: brandAs<RunEvent['at']>(1), path: brandAs<InstancePath>('lead'), step: brandAs<StepKey>('lead#t1') };
const said = { type: 'text', text: secret } as const;
const result = { content: [said], isError: false, structuredContent: { password: 'hunter2' } };
const call = { id: brandAs<CallId>('c1'), name: 'sign_in', argumentsText: secret };

function decided(seq: number, decision: WorkflowDecision): RunEvent {
  return { seq, ...at, kind: 'workflow.decided', decision };
}

const rating = { attempt: 1, rating: 'GOOD', minRating: 'GOOD', needsImprovement: false, outcome: 'accepted' } as const;

const steps: readonly RunEvent[] = [
  {
    ...{ seq: 1, ...at, kind: 'model.ended', usage: noUsage, requests: 1 },
    message: { role: 'assistant', reasoning: secret, content: [said], toolCalls: [call], stopReason: 'tool_use' },
  },
  { seq: 2, ...at, kind: 'tool.returned', callId: brandAs('c1'), result },
  { seq: 3, ...at, kind: 'tool.ended', callId: brandAs('c1'), result },
  { seq: 4, ...at, kind: 'instance.ended', status: 'completed', answer: secret, usage: noUsage },
  decided(5, { what: 'route', agent: 'writer', confidence: 'high', reasoning: secret, candidates: ['writer'] }),
  decided(6, { what: 'rating', ...rating, feedback: secret, focusAreas: [secret] }),
  decided(7, {
    ...{ what: 'plan', iteration: 1, description: secret, isComplete: false },
    tasks: [{ agent: 'writer', description: secret }],
  }),
  decided(8, { what: 'vote', sample: 1, answer: secret, votes: 1, margin: 1 }),
  decided(9, {
    ...{ what: 'votes', samples: 1, discarded: 0, margin: 1, k: 1, outcome: 'won' },
    votes: [{ answer: secret, count: 1 }],
  }),
  {
    ...{ seq: 10, ...at, kind: 'tool.started', attempt: 1, callId: brandAs('c1'), correlationId: brandAs('c') },
    ...{ toolName: 'upsert_memory', source: 'mcp', arguments: { records: [{ password: 'hunter2' }] } },
  },
];

/** What the fold keeps of an event as it was recorded. */
function folded(event: RunEvent): string {
  const trace = emptyTrace();
  foldEvent(trace, event);
  return new TextDecoder().decode(encodeTrace(trace));
}

test.each(steps.map((event) => [event.seq, event.kind, event] as const))(
  'every view of step %i, %s, hides the secrets that its conversation hides',
  (_seq, _kind, event) => {
    const views: Readonly<Record<string, unknown>> = {
      payloads: payloadsOf(event),
      line: previewOf(event, 160),
      short: shortEvent(event),
      slim: slimEvent(event),
      page: partPage(event, 0, 0),
      fold: folded(event),
    };
    for (const [view, shown] of Object.entries(views)) {
      expect([view, JSON.stringify(shown ?? '').includes('hunter2')]).toEqual([view, false]);
    }
    expect(JSON.stringify(payloadsOf(event))).toBe(JSON.stringify(payloadsOf(shownEvent(event))));
  },
);

test('a secret that begins before the end of a line is hidden too', () => {
  const text = `${'x'.repeat(120)} ${secret}`;
  const event: RunEvent = {
    ...{ seq: 1, ...at, kind: 'tool.ended', callId: brandAs('c1') },
    result: { content: [{ type: 'text', text }], isError: false },
  };
  expect(previewOf(event, 160)).toMatch(/^x{120} \{"user": "ann", "password": "\[red/);
});

test('the message and the answer of a run stay on its page as the person wrote and got them', () => {
  const ended: RunEvent = { seq: 10, ...at, kind: 'run.finished', status: 'completed', answer: secret, usage: noUsage };
  expect(payloadsOf(ended)).toEqual([{ title: 'Answer', value: secret }]);
});
