import { pageSizes } from '@/bin/page-sizes.mjs';
import { budgetOf, goals } from './page-budgets';
import { expect, test } from './test';

/** What each page of the built app loads before it can be used. */

test('no page loads more JavaScript than its budget', () => {
  const { pages } = pageSizes();
  expect([...pages.keys()]).toEqual(expect.arrayContaining(Object.keys(goals)));
  const over = [...pages].map(([page, bytes]) => ({
    page,
    kb: Math.round(bytes / 102.4) / 10,
    budget: budgetOf(page),
  }));
  expect(over.filter(({ kb, budget }) => kb > budget)).toEqual([]);
});
