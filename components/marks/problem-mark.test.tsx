import { render, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { Issue } from '@/lib/base/issue';
import { ProblemMark } from './problem-mark';

const issue = (severity: Issue['severity'], message: string): Issue => ({
  ...{ code: 'card-name', stage: 'validator', severity, message, file: 'lead.md', line: 1, column: 1 },
});

it('counts errors before warnings, and says the first of what it counts', () => {
  render(
    <ProblemMark
      issues={[issue('warning', 'It may be slow.'), issue('error', 'It has no name.'), issue('error', 'It is twice.')]}
    />,
  );
  const mark = screen.getByRole('img', { name: '2 errors, 1 warning' });
  expect(mark.textContent).toBe('2');
  expect(mark.title).toBe('2 errors, 1 warning: It has no name.');
});

it('counts warnings where nothing is wrong', () => {
  render(<ProblemMark issues={[issue('warning', 'It may be slow.'), issue('info', 'It is new.')]} />);
  expect(screen.getByRole('img', { name: '1 warning' }).textContent).toBe('1');
});

it.each([[undefined], [[]], [[issue('info', 'It is new.')]]])('shows nothing for %j', (issues) => {
  const { container } = render(<ProblemMark issues={issues} />);
  expect(container.innerHTML).toBe('');
});
