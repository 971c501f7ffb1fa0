import { screen } from '@testing-library/react';
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
const takeLate = () => focusWhenDrawn(() => screen.queryByText('late'), [document.activeElement]);

test('what is drawn many frames later takes the focus', async () => {
  takeLate();
  await frames(10);
  const late = add('late');
  await frames(4);
  expect(document.activeElement).toBe(late);
});

test('a field that stays for some frames more gives the focus away', async () => {
  const field = add('field');
  field.focus();
  takeLate();
  await frames(10);
  expect(document.activeElement).toBe(field);
  const late = add('late');
  await frames(4);
  expect(document.activeElement).toBe(late);
});

test('an element that is drawn anew gets the focus back', async () => {
  takeLate();
  const first = add('late');
  await frames(5);
  expect(document.activeElement).toBe(first);
  first.remove();
  await frames(2);
  const second = add('late');
  await frames(4);
  expect(document.activeElement).toBe(second);
});

test('the focus goes on to an element that stands for the first one later', async () => {
  const first = add('first');
  let name = 'first';
  focusWhenDrawn(() => screen.queryByText(name), []);
  await frames(4);
  expect(document.activeElement).toBe(first);
  // Its name is known before it is drawn, and the first one is still there.
  name = 'second';
  await frames(4);
  const second = add('second');
  await frames(4);
  expect(document.activeElement).toBe(second);
});

test('a focus that has moved elsewhere meanwhile stays there', async () => {
  const other = add('other');
  takeLate();
  await frames(4);
  other.focus();
  add('late');
  await frames(10);
  expect(document.activeElement).toBe(other);
});

test('a focus that has moved elsewhere after the element had it stays there', async () => {
  const other = add('other');
  const late = add('late');
  takeLate();
  await frames(5);
  expect(document.activeElement).toBe(late);
  other.focus();
  await frames(10);
  expect(document.activeElement).toBe(other);
});

test('after the next key of a person the focus is theirs', async () => {
  takeLate();
  await frames(4);
  document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'Tab', bubbles: true }));
  add('late');
  await frames(10);
  expect(document.activeElement).toBe(document.body);
});
