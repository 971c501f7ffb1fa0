import { act, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { showToast, Toaster } from './toast';

let isPhone = false;

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(window, 'matchMedia').mockImplementation((media) =>
    Object.assign(new EventTarget(), {
      matches: isPhone,
      media,
      onchange: null,
      addListener() {},
      removeListener() {},
    }),
  );
  render(<Toaster />);
});

afterEach(() => {
  act(() => vi.runAllTimers());
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const show = (toast: Parameters<typeof showToast>[0]) => act(() => showToast(toast));
const press = () => act(() => void document.body.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true })));
const pass = (ms: number) => act(() => vi.advanceTimersByTime(ms));
const isShown = (text: string) => screen.queryByText(text) !== null;

test('a message goes after six seconds', () => {
  isPhone = false;
  show({ text: 'The key is stored.' });
  pass(2_000);
  press();
  pass(3_900);
  expect(isShown('The key is stored.')).toBe(true);
  pass(200);
  expect(isShown('The key is stored.')).toBe(false);
});

test('on a phone a message goes with the next press, and stays long enough to be read', () => {
  isPhone = true;
  show({ text: 'The key is stored.' });
  press();
  pass(1_400);
  expect(isShown('The key is stored.')).toBe(true);
  pass(200);
  expect(isShown('The key is stored.')).toBe(false);
  show({ text: 'Copied' });
  pass(3_000);
  press();
  pass(0);
  expect(isShown('Copied')).toBe(false);
});

test('on a phone a press takes no message away that can be acted on', () => {
  isPhone = true;
  show({ text: 'Deleted', action: { label: 'Undo', onClick() {} } });
  pass(3_000);
  press();
  pass(1_000);
  expect(isShown('Deleted')).toBe(true);
});
