import { expect, test } from 'vitest';
import { queryOf } from '@/lib/trace/run-filter';
import { queryOfMark } from './run-marks';

test('a mark leads to the runs that have it too', () => {
  for (const field of ['user', 'tag', 'metadata'] as const) {
    const clause = { field, operator: 'is', value: ' a&b=ü, c ' } as const;
    expect(queryOfMark(clause)).toBe(queryOf([clause]));
  }
});
