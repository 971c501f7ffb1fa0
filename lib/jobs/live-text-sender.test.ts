import { describe, expect, it } from 'vitest';
import { brandAs, type EpochMs, type InstancePath, type RunId, type StepKey } from '@/lib/base/ids';
import type { ModelDelta, RunEvent } from '@/lib/runtime/record/events';
import { noUsage } from '@/lib/runtime/record/messages';
import { fakeClock } from '@/lib/testing/fake-clock';
import { LiveTextSender } from './live-text-sender';

const runId = brandAs<RunId>('run-1');
const path = brandAs<InstancePath>('lead');
const step = brandAs<StepKey>('lead#m1');
const delta = (text: string): ModelDelta => {
  return { path, step, text, agentName: 'lead', instanceName: 'lead', sessionId: undefined, incremental: true };
};
const ended: RunEvent = {
  ...{ seq: 9, at: brandAs<EpochMs>(0), kind: 'model.ended', path, step, usage: noUsage, requests: 1 },
};

function setUp(send?: () => Promise<void>) {
  const clock = fakeClock();
  const sent: string[][] = [];
  const sender = new LiveTextSender(clock, async (messages) => {
    sent.push(messages.map((text) => text.slice('text-run-1:1:'.length)));
    await send?.();
  });
  return { clock, sent, sender, run: sender.open(runId, 1) };
}

const piece = (at: number, text: string) =>
  `{"step":"lead#m1","path":"lead","part":"text","at":${at},"text":"${text}"}`;

describe('the sender of live texts', () => {
  it('sends nothing and sets no timer while nobody reads', async () => {
    const { clock, sent, run } = setUp();
    run.add(delta('The '));
    expect(clock.sleeping()).toBe(0);
    run.note(ended);
    await clock.advance(1_000);
    expect(sent).toEqual([]);
  });

  it('sends what came within 50 ms at once, and the end of the call', async () => {
    const { clock, sent, sender, run } = setUp();
    sender.watch('run-1:all');
    for (const text of ['The ', 'weather ', 'is ']) run.add(delta(text));
    await clock.advance(50);
    run.add(delta('fine'));
    await clock.advance(49);
    expect(sent).toEqual([[`[${piece(0, 'The weather is ')}]`]]);
    run.note(ended);
    await clock.advance(50);
    expect(sent.slice(1)).toEqual([['[{"end":"lead#m1"}]']]);
    await clock.advance(50);
    expect(clock.sleeping()).toBe(0);
  });

  it('sends the text so far to a reader who comes later, and again to a second one', async () => {
    const { clock, sent, sender, run } = setUp();
    run.add(delta('The weather'));
    sender.watch('run-1:all');
    await clock.advance(50);
    run.add(delta(' is'));
    await clock.advance(50);
    sender.watch('run-1');
    await clock.advance(50);
    sender.watch('run-1:all');
    await clock.advance(50);
    expect(sent).toEqual([
      [`[${piece(0, 'The weather')}]`],
      [`[${piece(11, ' is')}]`],
      [`[${piece(0, 'The weather is')}]`],
    ]);
  });

  it('stops when no reader has asked for 15 s', async () => {
    const { clock, sent, sender, run } = setUp();
    sender.watch('run-1:all');
    await clock.advance(15_000);
    run.add(delta('late'));
    await clock.advance(100);
    expect(sent).toEqual([]);
  });

  it('knows the readers of a run that it takes later', async () => {
    const { clock, sent, sender, run } = setUp();
    run.close();
    sender.watch('run-1:all');
    sender.open(runId, 1).add(delta('Hi'));
    await clock.advance(50);
    expect(sent).toEqual([[`[${piece(0, 'Hi')}]`]]);
  });

  it('sends one statement at a time, and collects the texts meanwhile', async () => {
    let release = () => {};
    const { clock, sent, sender, run } = setUp(
      () =>
        new Promise((resolve) => {
          release = resolve;
        }),
    );
    sender.watch('run-1:all');
    run.add(delta('a'));
    await clock.advance(50);
    for (const text of ['b', 'c', 'd']) {
      run.add(delta(text));
      await clock.advance(50);
    }
    expect(sent).toHaveLength(1);
    release();
    await clock.advance(50);
    expect(sent[1]).toEqual([`[${piece(1, 'bcd')}]`]);
  });

  it('splits a text that no single notification can carry, and loses what cannot be sent', async () => {
    const { clock, sent, sender, run } = setUp(async () => {
      throw new Error('The database is away');
    });
    sender.watch('run-1:all');
    run.add(delta('ä€'.repeat(4_000)));
    await clock.advance(50);
    const messages = sent[0] ?? [];
    expect(messages.length).toBeGreaterThan(1);
    expect(Math.max(...messages.map((text) => Buffer.byteLength(text)))).toBeLessThan(7_950);
    const texts = messages.flatMap((message) => JSON.parse(message) as { at: number; text: string }[]);
    expect(texts.map(({ text }) => text).join('')).toBe('ä€'.repeat(4_000));
    run.add(delta('!'));
    await clock.advance(50);
    expect(sent[1]).toEqual([`[${piece(8_000, '!')}]`]);
  });
});
