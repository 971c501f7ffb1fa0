import { expect, it } from 'vitest';
import { filterFromUrl, filterToUrl } from './run-filter';

it('reads back what it wrote, in one order', () => {
  const filter = { text: 'what & why', status: 'failed' };
  expect(filterToUrl(filter)).toBe('status=failed&text=what+%26+why');
  expect(filterFromUrl(new URLSearchParams(filterToUrl(filter)))).toEqual(filter);
});

it('keeps a filter that has no value yet, and does not ask with it', () => {
  const filter = filterFromUrl(new URLSearchParams('agent=&other=1'));
  expect(filter).toEqual({ agent: '' });
  expect(filterToUrl(filter, 'complete')).toBe('');
});
