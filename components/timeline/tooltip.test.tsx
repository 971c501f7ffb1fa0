import { render } from '@testing-library/react';
import { expect, test } from 'vitest';
import { begin, decided, fold, log, modelOff, modelOn, queued, started, vote } from '@/lib/testing/trace-log';
import { clockDate } from './clock-words';
import { HoverTip } from './tooltip';

/** A run with two decisions and a call on its second day. */
const day = 86_400_000;
const trace = fold(
  log(
    [0, begin],
    [0, queued('jury')],
    [0, started('jury')],
    [day, decided('jury', 1, vote(1, 'x', 1, 1))],
    [day, decided('jury', 2, vote(2, 'x', 2, 2))],
    [day, modelOn('jury', 1)],
    [day + 4, modelOff('jury', 1)],
  ),
);
const spansOf = (kind: string) =>
  Array.from({ length: trace.spans.length }, (_, span) => span).filter((span) => trace.spans.kindOf(span) === kind);

function tip(span: number, together: readonly number[] = []): string {
  const now = trace.lastAt;
  const { unmount } = render(<HoverTip {...{ trace, span, together, now }} end={now} x={0} y={0} />);
  const text = document.body.textContent ?? '';
  unmount();
  return text;
}

test('the tooltip of a bar, of a mark and of marks that share a place has the date and the wall clock', () => {
  const decisions = spansOf('decision');
  const [call = -1] = spansOf('model');
  const clock = clockDate(trace, day * 1_000);
  expect(clock).toMatch(/^\d+ \w+ \d{4}, \d\d:\d\d:\d\d\.\d{3}$/);
  expect(decisions).toHaveLength(2);
  expect(tip(call)).toContain(clock);
  expect(tip(decisions[0] ?? -1)).toContain(clock);
  expect(tip(decisions[0] ?? -1, decisions)).toContain(clock);
});
