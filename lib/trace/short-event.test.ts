import { expect, test } from 'vitest';
import { brandAs } from '@/lib/base/ids';
import { wellFormed } from '@/lib/base/well-formed';
import type { RunEvent } from '@/lib/runtime/record/events';
import { noUsage } from '@/lib/runtime/record/messages';
import { payloadText } from './payload-text';
import { payloadsOf } from './payloads';
import { partPage, shortEvent } from './short-event';
import { pageOf, pageUnits } from './text-pages';

const stamp = { seq: 9, at: brandAs<RunEvent['at']>(1) };

function answered(text: string, calls: number, argumentsText = '{}'): RunEvent {
  return {
    ...stamp,
    kind: 'model.ended',
    path: brandAs('lead'),
    step: brandAs('lead#m1'),
    message: {
      role: 'assistant',
      content: [{ type: 'text', text }],
      toolCalls: Array.from({ length: calls }, (_, n) => ({ id: brandAs(`c${n}`), name: 'add', argumentsText })),
      stopReason: 'tool_use',
    },
    usage: noUsage,
    requests: 1,
  };
}

test('a small event stays as it is', () => {
  const event = answered('hi', 2);
  expect(shortEvent(event)).toEqual(event);
});

test('a large answer is cut, and each part says how long it is', () => {
  const event = answered('x'.repeat(32_000_000), 2, `{"text":"${'y'.repeat(100_000)}"}`);
  const short = shortEvent(event);
  expect(JSON.stringify(short).length).toBeLessThan(100_000);
  expect(short.cut).toEqual(payloadsOf(event).map(({ value }, part) => ({ part, total: payloadText(value).length })));
  expect(payloadsOf(short).map(({ title }) => title)).toEqual(payloadsOf(event).map(({ title }) => title));
});

test('many calls, and a result of many values, stay bounded', () => {
  const calls = shortEvent(answered('', 4_096, 'z'.repeat(8_000)));
  expect(payloadsOf(calls)).toHaveLength(4_096);
  const result: RunEvent = {
    ...stamp,
    kind: 'tool.ended',
    path: brandAs('lead'),
    step: brandAs('lead#t1'),
    callId: brandAs('c1'),
    result: { content: [], isError: false, structuredContent: Array.from({ length: 1_000_000 }, (_, n) => n) },
  };
  const short = shortEvent(result);
  expect(JSON.stringify(short).length).toBeLessThan(400_000);
  expect(short.cut).toEqual([{ part: 1, total: payloadText(Array.from({ length: 1_000_000 }, (_, n) => n)).length }]);
});

test('pages join to the whole, and cut no character', () => {
  const whole = '😀'.repeat(25_001);
  const event = answered(whole, 0);
  let text = '';
  while (text.length < whole.length) {
    const page = partPage(event, 0, text.length);
    expect(page).toMatchObject({ title: 'Message', offset: text.length, total: whole.length });
    expect(wellFormed(page?.text ?? '')).toBe(page?.text);
    text += page?.text;
  }
  expect(text).toBe(whole);
  expect(pageOf(whole, pageUnits + 1)).toEqual({ text: whole.slice(pageUnits, 2 * pageUnits), offset: pageUnits });
  expect(pageOf(whole, 1_000_000).text).toBe('');
  expect(partPage(event, 1, 0)).toBeUndefined();
});
