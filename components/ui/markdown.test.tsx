import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { Markdown } from './markdown';

test('characters that nobody sees are marked, in text and in code', () => {
  render(<Markdown text={'Pay **DE\u202e33** with `ab\u200bc`\n\n```\nx\u2066y\n```'} />);
  for (const code of ['U+202E', 'U+200B', 'U+2066']) expect(screen.getByText(code)).toBeTruthy();
});

test('pieces that can be opened are drawn by the caller, but not inside a link', () => {
  const { container } = render(
    <Markdown
      text={'See **a.ts:1** and `a.ts:2`, or [a.ts:3](https://example.org)'}
      drawLinks={(text, plain) => (text.includes('a.ts') ? <button type="button">{text}</button> : plain(text))}
    />,
  );
  expect(screen.getAllByRole('button').map(({ textContent }) => textContent)).toEqual(['a.ts:1', 'a.ts:2']);
  expect(container.textContent).toBe('See a.ts:1 and a.ts:2, or a.ts:3');
});

test('joiners inside words and emoji are no hidden characters', () => {
  const { container } = render(<Markdown text={'A family: 👨‍👩‍👧 and *more*'} />);
  expect(container.textContent).toBe('A family: 👨‍👩‍👧 and more');
});
