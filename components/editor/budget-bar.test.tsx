import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { BudgetBar } from './budget-bar';

test('the bar about a budget links to the limits for people who may raise it', () => {
  expect(renderToStaticMarkup(<BudgetBar notice={null} />)).toBe('');
  const near = renderToStaticMarkup(<BudgetBar notice={{ isSpent: false, text: 'Words.', mayRaise: false }} />);
  expect(near).toMatch(/Budget nearly used\..*Words\./);
  expect(near).not.toContain('/settings');
  const spent = renderToStaticMarkup(<BudgetBar notice={{ isSpent: true, text: 'Words.', mayRaise: true }} />);
  expect(spent).toMatch(/Budget used up\..*Words\..*href="\/settings\/limits"/);
});
