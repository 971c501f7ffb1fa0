import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { brandAs, type InstancePath, type StepKey } from '@/lib/base/ids';
import type { ModelDelta } from './events';
import { noUsage } from './messages';
import { redactEvents } from './redact-events';
import { PieceRedactor } from './redact-pieces';

/** Returns what passes of each piece, and at last what was held back. */
function pass(hidden: readonly string[], pieces: readonly string[]): readonly string[] {
  const redactor = new PieceRedactor(hidden);
  const passed: string[] = [];
  let held = '';
  for (const piece of pieces) {
    const split = redactor.split(held + piece);
    passed.push(split.clean);
    held = split.held;
  }
  return [...passed, held];
}

describe('hidden values in pieces', () => {
  it('holds back what may begin a value, until it is known', () => {
    expect(pass(['sk-live-1234'], ['the key is sk-l', 'ive-1234, ', 'so'])).toEqual(['the key is ', '***, ', 'so', '']);
    expect(pass(['sk-live-1234'], ['sk-l', 'ong', ' sk-live'])).toEqual(['', 'sk-long', ' ', 'sk-live']);
  });

  it('waits for the longer of two values that begin alike', () => {
    expect(pass(['password', 'password-2'], ['a password', '-', '2 b'])).toEqual(['a ', '', '*** b', '']);
    expect(pass(['password', 'password-2'], ['a password', '-', '3 b'])).toEqual(['a ', '', '***-3 b', '']);
  });

  it('finds a value that begins within what was held back', () => {
    expect(pass(['aab'], ['aa', 'a', 'b', 'c'])).toEqual(['', 'a', '***', 'c', '']);
  });

  test('however a text is cut, no value passes and nothing else is changed', () => {
    const letter = fc.constantFrom('a', 'b', 'c');
    const value = fc.string({ unit: letter, minLength: 2, maxLength: 5 });
    const pieces = fc.array(fc.string({ unit: letter, maxLength: 6 }), { maxLength: 8 });
    fc.assert(
      fc.property(value, pieces, (secret, parts) => {
        const passed = pass([secret], parts).join('');
        expect(passed).toBe(parts.join('').replaceAll(secret, '***'));
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('streamed text of a run', () => {
  const path = brandAs<InstancePath>('lead');
  const step = brandAs<StepKey>('lead#m1');
  const base = { path, step, agentName: 'lead', instanceName: 'lead', sessionId: undefined };

  function stream(deltas: readonly Pick<ModelDelta, 'text' | 'part' | 'incremental'>[]) {
    const seen: (readonly [text: string, part: ModelDelta['part']])[] = [];
    const sink = redactEvents(
      { append: () => {}, delta: ({ text, part }) => void seen.push([text, part]), flush: async () => {} },
      { everywhere: ['sk-live-1234'], inLogs: [] },
    );
    for (const delta of deltas) sink.delta?.({ ...base, ...delta });
    return { sink, seen };
  }

  it('hides a value that is split over two deltas, in each part by itself', () => {
    const call = { call: 0, toolName: 'send' };
    const { seen } = stream([
      { text: 'Use sk-live', incremental: true },
      { text: '{"key":"sk-live-', part: call, incremental: true },
      { text: '-1234.', incremental: true },
      { text: '1234"}', part: call, incremental: true },
    ]);
    expect(seen).toEqual([
      ['Use ', undefined],
      ['{"key":"', call],
      ['***.', undefined],
      ['***"}', call],
    ]);
  });

  it('passes on what was held back when the call ends', () => {
    const { sink, seen } = stream([{ text: 'It begins with sk-', incremental: true }]);
    sink.append({ kind: 'model.ended', path, step, usage: noUsage, requests: 1 });
    expect(seen.map(([text]) => text)).toEqual(['It begins with ', 'sk-']);
  });

  it('hides values in text that is sent whole each time', () => {
    const { sink, seen } = stream([
      { text: 'Use sk-live', incremental: false },
      { text: 'Use sk-live-1234 or sk-', incremental: false },
    ]);
    sink.append({ kind: 'model.ended', path, step, usage: noUsage, requests: 1 });
    expect(seen.map(([text]) => text)).toEqual(['Use ', 'Use *** or ', 'Use *** or sk-']);
  });
});
