import { expect, test } from 'vitest';
import { eventsOf } from '@/lib/testing/events-of';
import { emptyTrace } from './empty-trace';
import { foldEvent } from './fold';
import { RunTexts, summariseRun } from './run-summary';

function summaryOf(...lanes: readonly string[]) {
  const trace = emptyTrace();
  for (const event of eventsOf(...lanes)) foldEvent(trace, event);
  return summariseRun(trace);
}

test('waiting is counted once while several children wait, and the waiting of the root is not', () => {
  const { waitedMs } = summaryOf('lead 0-900', 'a[1] 10>100-200', 'b[1] 50>150-200', 'c[1] 400>450-500');
  expect(waitedMs).toBe(190);
});

test('agents, tools and tokens are summarised, each name once', () => {
  expect(
    summaryOf('lead 0-90: model 0-10', 'w[1] 10-40: t__x 12-20', 'w[2] 10-40: t__x 12-20, t__y 20-30'),
  ).toMatchObject({
    agents: ['lead', 'w'],
    tools: expect.arrayContaining(['t__x', 't__y']),
    hooks: [],
    tokens: 15,
  });
});

test('texts are cut, and the later parts are left out', () => {
  const texts = new RunTexts();
  for (const event of eventsOf('lead 0-90: model 0-10')) {
    texts.add(event.kind === 'run.started' ? { ...event, message: 'm'.repeat(900) } : event);
    if (event.kind !== 'model.ended') continue;
    for (let index = 0; index < 20; index++) {
      const content = [{ type: 'text' as const, text: `part ${index} ${'x'.repeat(900)}` }];
      texts.add({ ...event, message: { role: 'assistant', content, toolCalls: [], stopReason: 'end_turn' } });
    }
  }
  const text = texts.toText();
  expect(text.startsWith(`${'m'.repeat(500)}\ndone`)).toBe(true);
  expect(text).toContain('part 5 x');
  expect(text).not.toContain('part 9 x');
  expect(text.length).toBeLessThan(2_100);
});
