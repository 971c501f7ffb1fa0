import { expect, it } from 'vitest';
import { begin, fold, log, queued, started } from '@/lib/testing/trace-log';
import { rowHeightPx } from '@/lib/trace/lanes';
import { timelineHeight } from './timeline-height';

const withKids = (kids: number) =>
  fold(
    log(
      [0, begin],
      [0, queued('lead')],
      [0, started('lead')],
      ...Array.from({ length: kids }, (_, i) => [1, queued(`lead/kid[${i + 1}]`)] as const),
    ),
  );

it('grows with the lanes, row by row', () => {
  expect(timelineHeight(withKids(6), 2000) - timelineHeight(withKids(5), 2000)).toBe(rowHeightPx);
});

it('takes no more than half the page, and never too little for a table', () => {
  expect(timelineHeight(withKids(100), 900)).toBe(450);
  expect(timelineHeight(withKids(0), 900)).toBe(160);
  expect(timelineHeight(withKids(100), 200)).toBe(160);
  expect(timelineHeight(fold([]), 900)).toBe(240);
});
