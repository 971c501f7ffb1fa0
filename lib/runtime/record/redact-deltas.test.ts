import { describe, expect, it } from 'vitest';
import { brandAs, type InstancePath, type StepKey } from '@/lib/base/ids';
import type { ModelDelta } from './events';
import { noUsage } from './messages';
import { redactEvents } from './redact-events';

describe('streamed text of a run', () => {
  const path = brandAs<InstancePath>('lead');
  const step = brandAs<StepKey>('lead#m1');
  const base = { path, step, agentName: 'lead', instanceName: 'lead', sessionId: undefined };

  function stream(
    deltas: readonly Pick<ModelDelta, 'text' | 'part' | 'incremental'>[],
    everywhere: readonly string[] = ['sk-live-1234'],
  ) {
    const seen: (readonly [text: string, part: ModelDelta['part']])[] = [];
    const sink = redactEvents(
      { append: () => {}, delta: ({ text, part }) => void seen.push([text, part]), flush: async () => {} },
      { everywhere, inLogs: [] },
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

  it('hides a value that was held back because a longer one may have come', () => {
    const { sink, seen } = stream(
      [{ text: 'Use sk-live-1234', incremental: true }],
      ['sk-live-1234', 'sk-live-1234-5'],
    );
    sink.append({ kind: 'model.ended', path, step, usage: noUsage, requests: 1 });
    expect(seen.map(([text]) => text)).toEqual(['Use ', '***']);
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
