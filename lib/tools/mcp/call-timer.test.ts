import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { CallTimer } from './call-timer';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('the time limit of a call stands still while people are asked', () => {
  const ended = vi.fn();
  const timer = new CallTimer(1_000, ended);
  vi.advanceTimersByTime(600);
  timer.pause();
  timer.pause();
  vi.advanceTimersByTime(60_000);
  timer.goOn();
  vi.advanceTimersByTime(60_000);
  timer.goOn();
  vi.advanceTimersByTime(399);
  expect(ended).not.toHaveBeenCalled();
  vi.advanceTimersByTime(2);
  expect(ended).toHaveBeenCalledOnce();
});

test('progress begins the time anew, also while it stands still, and a stopped one never ends', () => {
  const ended = vi.fn();
  const timer = new CallTimer(1_000, ended);
  vi.advanceTimersByTime(900);
  timer.restart();
  vi.advanceTimersByTime(900);
  timer.pause();
  timer.restart();
  timer.goOn();
  vi.advanceTimersByTime(900);
  expect(ended).not.toHaveBeenCalled();
  timer.stop();
  vi.advanceTimersByTime(5_000);
  expect(ended).not.toHaveBeenCalled();
});
