import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openLasting } from './lasting-stream';

/** Takes the place of the browser's `EventSource`. */
class Stream extends EventTarget {
  static readonly CLOSED = 2;
  static all: Stream[] = [];
  readyState = 1;

  constructor() {
    super();
    Stream.all.push(this);
  }

  close() {
    this.readyState = Stream.CLOSED;
  }

  refuse() {
    this.close();
    this.dispatchEvent(new Event('error'));
  }
}

const page = Object.assign(new EventTarget(), { visibilityState: 'visible' });
const show = (visibilityState: 'visible' | 'hidden') => {
  page.visibilityState = visibilityState;
  page.dispatchEvent(new Event('visibilitychange'));
};
/** How many streams were opened, and how many of them are open. */
const streams = () => [Stream.all.length, Stream.all.filter(({ readyState }) => readyState === 1).length];

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('EventSource', Stream);
  vi.stubGlobal('document', page);
  page.visibilityState = 'visible';
  Stream.all = [];
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

test('a page that stays hidden gives its stream back, and opens another one when it is seen again', () => {
  const close = openLasting('/stream', () => undefined);
  show('hidden');
  vi.advanceTimersByTime(29_000);
  show('visible');
  vi.advanceTimersByTime(60_000);
  expect(streams()).toEqual([1, 1]);
  show('hidden');
  vi.advanceTimersByTime(31_000);
  expect(streams()).toEqual([1, 0]);
  show('visible');
  expect(streams()).toEqual([2, 1]);
  close();
  show('hidden');
  show('visible');
  expect(streams()).toEqual([2, 0]);
});

test('a refused stream is asked for again after some seconds, but not by a hidden page', () => {
  const close = openLasting('/stream', () => undefined);
  Stream.all[0]?.refuse();
  vi.advanceTimersByTime(5_000);
  expect(streams()).toEqual([2, 1]);
  show('hidden');
  vi.advanceTimersByTime(29_000);
  Stream.all[1]?.refuse();
  vi.advanceTimersByTime(600_000);
  expect(streams()).toEqual([2, 0]);
  show('visible');
  expect(streams()).toEqual([3, 1]);
  close();
});

test('a stream that its reader closed is not opened again', () => {
  openLasting('/stream', (stream) => stream.close());
  show('hidden');
  vi.advanceTimersByTime(60_000);
  show('visible');
  expect(streams()).toEqual([1, 0]);
});
