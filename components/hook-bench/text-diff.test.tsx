import { render, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { PlainText, TextDiff } from './text-diff';

it('shows which lines of a text came and went', () => {
  render(<TextDiff label="Arguments" before={'a: 1\nb: 2'} after={'a: 1\nb: 3'} />);
  const lines = [...screen.getByRole('figure', { name: 'Arguments' }).querySelectorAll('pre > div')];
  expect(lines.map((line) => line.textContent)).toEqual(['  a: 1', '− b: 2', '+ b: 3']);
});

it('says that a text is empty', () => {
  render(<PlainText label="Result" text="" />);
  expect(screen.getByRole('figure', { name: 'Result' }).querySelector('pre')?.textContent).toBe('Empty');
});
