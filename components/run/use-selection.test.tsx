import { act, renderHook } from '@testing-library/react';
import { expect, test } from 'vitest';
import { begin, fold, log, queued, started, toolOff, toolOn } from '@/lib/testing/trace-log';
import { usePlaceInUrl } from './use-selection';

const events = () =>
  log([0, begin], [0, queued('kid')], [0, started('kid')], [5, toolOn('kid', 1)], [9, toolOff('kid', 1)]);

test('when the run is loaded again, the result stays selected, and nothing stands out whose number is another one', () => {
  const before = fold(events());
  const moments = { moment: undefined, setMoment: () => {}, allSpans: false };
  const { result, rerender } = renderHook(
    ({ trace }) => usePlaceInUrl({ trace, version: trace.version }, {}, moments),
    {
      initialProps: { trace: before },
    },
  );
  const call = before.spans.length - 1;
  act(() => result.current.select(call, true));
  act(() => result.current.setHighlight(new Set([call])));
  rerender({ trace: fold(events()) });
  expect(result.current).toMatchObject({ span: call, atEnd: true, highlight: undefined });
});
