import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { Markdown } from './markdown';

test('characters that nobody sees are marked, in text and in code', () => {
  render(<Markdown text={'Pay **DE\u202e33** with `ab\u200bc`\n\n```\nx\u2066y\n```'} />);
  for (const code of ['U+202E', 'U+200B', 'U+2066']) expect(screen.getByText(code)).toBeTruthy();
});

test('joiners inside words and emoji are no hidden characters', () => {
  const { container } = render(<Markdown text={'A family: 👨‍👩‍👧 and *more*'} />);
  expect(container.textContent).toBe('A family: 👨‍👩‍👧 and more');
});
