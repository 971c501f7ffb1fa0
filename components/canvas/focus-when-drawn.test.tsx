import { screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { focusWhenDrawn } from './focus-when-drawn';

afterEach(() => document.body.replaceChildren());

const frames = async (count: number) => {
  for (let n = 0; n < count; n += 1) await new Promise((resolve) => requestAnimationFrame(resolve));
};
const add = (name: string) => {
  const button = document.body.appendChild(document.createElement('button'));
  button.textContent = name;
  return button;
};
const isFree = () => document.activeElement === document.body || document.activeElement === null;

test('what is drawn many frames later takes the focus', async () => {
  focusWhenDrawn(() => screen.queryByText('late'), isFree);
  await frames(10);
  const late = add('late');
  await waitFor(() => expect(document.activeElement).toBe(late));
});

test('a focus that has moved elsewhere meanwhile stays there', async () => {
  const other = add('other');
  focusWhenDrawn(() => screen.queryByText('late'), isFree);
  await frames(4);
  other.focus();
  add('late');
  await frames(10);
  expect(document.activeElement).toBe(other);
});
