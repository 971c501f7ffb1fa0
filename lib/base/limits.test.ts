import { expect, it, test } from 'vitest';
import {
  budgetInForce,
  budgetUse,
  dollars,
  nextMonth,
  noBudget,
  projectMayRaise,
  sentenceOfSpent,
  sentenceOfUse,
} from './limits';

const spent = { month: '2026-12', runs: 40, usd: 4.1, tokens: 2_500_000, unpricedCalls: 0 };

it('a project stays below the budget of every project, unless an administrator has set another one', () => {
  const common = { ...noBudget, maxUsd: 10, maxRuns: 100 };
  const own = { maxUsd: 50, maxTokens: 1_000, maxRuns: null };
  expect(budgetInForce(undefined, common)).toEqual(common);
  expect(budgetInForce({ ...own, byAdministrator: false }, common)).toEqual({
    maxUsd: 10,
    maxTokens: 1_000,
    maxRuns: 100,
  });
  expect(budgetInForce({ ...own, byAdministrator: true }, common)).toEqual({
    maxUsd: 50,
    maxTokens: 1_000,
    maxRuns: 100,
  });
});

it('the refusal says what the budget is, what was used, when it renews and who can raise it', () => {
  const [fullest, next] = budgetUse({ maxUsd: 5, maxTokens: null, maxRuns: 40 }, spent);
  if (fullest === undefined || next === undefined) throw new Error('Both are limited');
  expect([fullest.what, fullest.part, next.what, next.part]).toEqual(['runs', 1, 'usd', 0.82]);
  expect(sentenceOfUse(next, spent.month)).toBe(
    'The runs of this project have used $4.10 of $5 in December 2026 (UTC).',
  );
  expect(sentenceOfSpent(fullest, spent.month)).toBe(
    'The runs of this project have used 40 of 40 runs in December 2026 (UTC). That is the budget of the month. The budget renews on 1 January 2027. An administrator can raise it.',
  );
  expect(nextMonth('2026-02').toISOString()).toBe('2026-03-01T00:00:00.000Z');
});

test('a budget of nothing is used up from the start', () => {
  expect(budgetUse({ ...noBudget, maxUsd: 0 }, { ...spent, usd: 0 })[0]?.part).toBe(1);
});

test.each([
  [0, '$0'],
  [0.001, 'less than $0.01'],
  [4.1, '$4.10'],
  [12, '$12'],
  [1_234.5, '$1,234.50'],
])('%d dollars read %s', (usd, text) => {
  expect(dollars(usd)).toBe(text);
});

test('admins of a project may raise its own budget up to that of every project', () => {
  const own = { ...noBudget, maxUsd: 5, byAdministrator: false };
  const common = { ...noBudget, maxUsd: 10 };
  expect(projectMayRaise('usd', own, common)).toBe(true);
  expect(projectMayRaise('usd', own, noBudget)).toBe(true);
  expect(projectMayRaise('usd', own, { ...noBudget, maxUsd: 5 })).toBe(false);
  expect(projectMayRaise('tokens', own, common)).toBe(false);
  expect(projectMayRaise('usd', { ...own, byAdministrator: true }, common)).toBe(false);
  expect(projectMayRaise('usd', undefined, common)).toBe(false);
});
