import { render, screen } from '@testing-library/react';
import { renderToString } from 'react-dom/server';
import { expect, test } from 'vitest';
import { Select } from './select';

const options = Array.from({ length: 60 }, (_, n) => ({ value: `m${n}`, label: `Model ${n}` }));
const chosen = (value: string | undefined) => (
  <Select value={value} onValueChange={() => {}} options={options} placeholder="Choose a model" aria-label="Model" />
);

test('the page of the server has the words of what is chosen', () => {
  expect(renderToString(chosen('m7'))).toContain('Model 7');
  expect(renderToString(chosen(undefined))).toContain('Choose a model');
});

test('another choice shows its words, and no choice shows the placeholder', () => {
  const { rerender } = render(chosen('m7'));
  const words = () => screen.getByRole('combobox', { name: 'Model' }).textContent;
  expect(words()).toBe('Model 7');
  rerender(chosen('m41'));
  expect(words()).toBe('Model 41');
  rerender(chosen(undefined));
  expect(words()).toBe('Choose a model');
});
