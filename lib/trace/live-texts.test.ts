import { describe, expect, it, test } from 'vitest';
import { brandAs, type InstancePath, type StepKey } from '@/lib/base/ids';
import type { ModelDelta } from '@/lib/runtime/record/events';
import { GrowingText } from './growing-text';
import { LiveCursor, type LivePiece, LiveTexts } from './live-texts';

function said(text: string, part?: ModelDelta['part'], step = 'lead#m1', incremental = true): ModelDelta {
  const path = brandAs<InstancePath>(step.slice(0, step.indexOf('#')));
  const who = { agentName: 'lead', instanceName: 'lead', sessionId: undefined };
  return { ...who, path, step: brandAs<StepKey>(step), part, text, incremental };
}

const brief = ({ step, part, at, text, toolName }: LivePiece) => `${step} ${toolName ?? part} ${at}: ${text}`;

/** Takes until there is no more. */
function all(texts: LiveTexts, cursor: LiveCursor, room = 1_000): readonly string[] {
  const { pieces, isMore } = texts.take(cursor, room);
  return [...pieces.map(brief), ...(isMore ? all(texts, cursor, room) : [])];
}

describe('texts of calls under way', () => {
  it('gives each reader what came since it read, by part of each call', () => {
    const texts = new LiveTexts();
    const [early, late] = [new LiveCursor(), new LiveCursor()];
    texts.add(said('Hm. ', 'reasoning'));
    texts.add(said('The '));
    expect(all(texts, early)).toEqual(['lead#m1 reasoning 0: Hm. ', 'lead#m1 text 0: The ']);
    texts.add(said('weather'));
    texts.add(said('', { call: 0, toolName: 'get_time' }));
    expect(all(texts, early)).toEqual(['lead#m1 get_time 0: ', 'lead#m1 text 4: weather']);
    expect(all(texts, early)).toEqual([]);
    expect(all(texts, late)).toEqual([
      'lead#m1 reasoning 0: Hm. ',
      'lead#m1 text 0: The weather',
      'lead#m1 get_time 0: ',
    ]);
  });

  it('forgets a call that has ended, and begins anew when its step does', () => {
    const texts = new LiveTexts();
    const cursor = new LiveCursor();
    texts.add(said('first'));
    all(texts, cursor);
    expect([texts.end('lead#m1'), texts.end('lead#m1'), texts.isEmpty]).toEqual([true, false, true]);
    texts.add(said('again'));
    expect(all(texts, cursor)).toEqual(['lead#m1 text 0: again']);
  });

  it('serves all calls in turn when a reader has little room', () => {
    const texts = new LiveTexts();
    const cursor = new LiveCursor();
    for (const step of ['a#m1', 'b#m1']) texts.add(said('12345', undefined, step));
    expect(texts.take(cursor, 4).pieces.map(brief)).toEqual(['a#m1 text 0: 1234']);
    texts.add(said('6789', undefined, 'a#m1'));
    expect(texts.take(cursor, 4).pieces.map(brief)).toEqual(['b#m1 text 0: 1234']);
    expect(all(texts, cursor, 4)).toEqual(['a#m1 text 4: 5678', 'b#m1 text 4: 5', 'a#m1 text 8: 9']);
  });

  it('reads text that is sent whole each time as one that grows', () => {
    const texts = new LiveTexts();
    const cursor = new LiveCursor();
    texts.add(said('The ', undefined, 'lead#m1', false));
    expect(all(texts, cursor)).toEqual(['lead#m1 text 0: The ']);
    texts.add(said('The weather', undefined, 'lead#m1', false));
    expect(all(texts, cursor)).toEqual(['lead#m1 text 4: weather']);
  });

  it('keeps the end of an endless text, and says where it begins', () => {
    const texts = new LiveTexts();
    const slow = new LiveCursor();
    for (let i = 0; i < 10_000; i += 1) texts.add(said('0123456789'));
    texts.add(said('end'));
    const { pieces } = texts.take(slow, 1_000_000);
    const [only] = pieces;
    expect(pieces).toHaveLength(1);
    expect(only?.text.length).toBeLessThan(40_000);
    expect(only?.text.endsWith('789end')).toBe(true);
    expect((only?.at ?? 0) + (only?.text.length ?? 0)).toBe(100_003);
  });

  test('a copy that is fed with pieces has the same text, also when pieces come twice or one is lost', () => {
    const texts = new LiveTexts();
    const copy = new LiveTexts();
    const cursor = new LiveCursor();
    const feed = (pieces: readonly LivePiece[]) => {
      for (const piece of pieces) copy.put(piece);
    };
    texts.add(said('one '));
    feed(texts.take(cursor, 100).pieces);
    texts.add(said('two '));
    texts.take(cursor, 100);
    texts.add(said('three'));
    feed(texts.take(cursor, 100).pieces);
    expect(all(copy, new LiveCursor())).toEqual(['lead#m1 text 8: three']);
    feed(texts.take(new LiveCursor(), 100).pieces);
    feed(texts.take(new LiveCursor(), 100).pieces);
    expect(all(copy, new LiveCursor())).toEqual(['lead#m1 text 0: one two three']);
  });
});

test('a growing text never cuts a character of two units', () => {
  const text = new GrowingText(3);
  text.put(0, '😀😀😀');
  expect([text.start, text.text(), text.end]).toEqual([4, '😀', 6]);
  expect(text.from(0, 10)).toEqual({ at: 4, text: '😀' });
});
