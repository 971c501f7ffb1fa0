import { act, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type PolledCount, usePolledCount } from './use-polled-count';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Answers one number after another; `undefined` is an answer that does not come. */
function counting(...answers: readonly (number | undefined)[]) {
  let asked = 0;
  let tell = () => {};
  const source: PolledCount = {
    async read() {
      const answer = answers[Math.min(asked++, answers.length - 1)];
      if (answer === undefined) throw new Error('Failed to fetch');
      return answer;
    },
    onChange(callback) {
      tell = callback;
      return () => {
        tell = () => {};
      };
    },
    everyMs: 10_000,
  };
  return { source, asked: () => asked, tell: () => tell() };
}

function Count({ path, source }: { readonly path: string; readonly source: PolledCount }) {
  return <output>{usePolledCount(path, source)}</output>;
}

const settle = (ms = 0) => act(() => vi.advanceTimersByTimeAsync(ms));
const shown = () => screen.getByRole('status').textContent;

it('asks at once, again and again, and when this page has changed the number', async () => {
  const { source, tell, asked } = counting(2, 3, 1);
  render(<Count path="/runs" source={source} />);
  await settle();
  expect(shown()).toBe('2');
  await settle(10_000);
  expect(shown()).toBe('3');
  tell();
  await settle();
  expect([shown(), asked()]).toEqual(['1', 3]);
});

it('keeps the last number while no answer comes', async () => {
  const { source } = counting(2, undefined);
  render(<Count path="/runs" source={source} />);
  await settle(10_000);
  expect(shown()).toBe('2');
});

it('asks nothing where nobody is signed in, and after the page is gone', async () => {
  const { source, asked } = counting(2);
  const { unmount, rerender } = render(<Count path="/sign-in" source={source} />);
  await settle(30_000);
  expect([shown(), asked()]).toEqual(['0', 0]);
  rerender(<Count path="/runs" source={source} />);
  await settle();
  unmount();
  await settle(30_000);
  expect(asked()).toBe(1);
});
