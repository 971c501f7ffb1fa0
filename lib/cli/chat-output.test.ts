import { expect, test } from 'vitest';
import { brandAs, type InstancePath, type StepKey } from '@/lib/base/ids';
import type { ModelDelta } from '@/lib/runtime/record/events';
import { noUsage } from '@/lib/runtime/record/messages';
import type { RunOutcome } from '@/lib/runtime/request/run-request';
import { eventsOf } from '@/lib/testing/events-of';
import { turnOutput } from './chat-output';

/** One turn, with `-` before what goes beside the answer. */
function shown(streams: boolean, turn: (output: ReturnType<typeof turnOutput>) => void): string {
  let text = '';
  turn(
    turnOutput({
      streams,
      answer: (more) => {
        text += more;
      },
      note: (more) => {
        text += `-${more}`;
      },
    }),
  );
  return text;
}

function piece(path: string, text: string, more: Partial<ModelDelta> = {}): ModelDelta {
  const at = { path: brandAs<InstancePath>(path), step: brandAs<StepKey>(`${path}#m1`) };
  return { ...at, agentName: path, instanceName: path, sessionId: undefined, text, incremental: true, ...more };
}

const outcome = (answer: string): RunOutcome => ({ status: 'completed', answer, error: undefined, usage: noUsage });
const events = eventsOf('lead 0-90', 'kid[1] 10-40');

test('in a terminal the answer is written while it is made, once, and a delegation is a line of its own', () => {
  const turn = (answer: string) =>
    shown(true, (output) => {
      for (const event of events.slice(0, -1)) output.event(event);
      output.delta(piece('lead', 'so ', { part: 'reasoning' }));
      output.delta(piece('lead/kid[1]', 'not me'));
      output.delta(piece('lead', 'Hel'));
      output.delta(piece('lead', 'Hello', { incremental: false }));
      output.end(outcome(answer));
    });
  expect(turn('Hello')).toBe('-  lead/kid[1] done (0.0 s)\nHello\n');
  expect(turn('Hello, all')).toBe('-  lead/kid[1] done (0.0 s)\nHello\nHello, all\n');
});

test('without a terminal only whole answers are written', () => {
  const text = shown(false, (output) => {
    for (const event of events.slice(0, 2)) output.event(event);
    output.delta(piece('lead', 'Let me see.'));
    output.end(outcome('Hello'));
  });
  expect(text).toBe('Hello\n');
});

test('a turn that was stopped or failed says that nothing was remembered', () => {
  const end = (status: 'cancelled' | 'failed') =>
    shown(true, (output) => output.end({ ...outcome(''), status, error: { code: 'x', message: 'No key.' } }));
  expect(end('cancelled')).toBe('-Stopped. The conversation is as it was before this message.\n');
  expect(end('failed')).toBe('-Failed: No key.\nThe conversation is as it was before this message.\n');
});
