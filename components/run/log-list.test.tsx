import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { clockDate } from '@/components/timeline/clock-words';
import { begin, fold, log } from '@/lib/testing/trace-log';
import { LogList } from './log-list';

test('a line of the log has the date and the wall clock', () => {
  const day = 86_400_000;
  const line = { kind: 'log', level: 'info', code: 'printed', message: 'Still here.' } as const;
  const trace = fold(log([0, begin], [day, line]));
  render(<LogList trace={trace} version={1} onSelect={() => {}} />);
  expect(screen.getByRole('listitem').textContent).toContain(clockDate(trace, day * 1_000));
});
