import { expect, test } from 'vitest';
import { readCompareLink, swapped, withComparePlace } from './compare-link';

const base = new URL('http://localhost/compare?a=one&b=two');

function reopened(query: string): string {
  const url = new URL(`http://localhost/compare?a=one&b=two&${query}`);
  return decodeURIComponent(withComparePlace(base, readCompareLink(Object.fromEntries(url.searchParams))).search);
}

test('an address keeps the whole place', () => {
  const query = 't=10-20.5&step=12.14&tab=differences&sort=-cost&file=agent-cards/a.md&ca=1_3&cb=2&ua=0&ub=5';
  expect(reopened(query)).toBe(`?a=one&b=two&${query}`);
});

test('a plain place has no parameters, and what cannot be read is left out', () => {
  expect(reopened('')).toBe('?a=one&b=two');
  expect(reopened('t=20-10&step=x.y&tab=none&sort=-nothing&ca=-1')).toBe('?a=one&b=two');
});

test('one of the steps may be missing', () => {
  expect(reopened('step=12.')).toBe('?a=one&b=two&step=12.');
  expect(reopened('step=.7')).toBe('?a=one&b=two&step=.7');
});

test('swapping the runs swaps what belongs to them, and swapping twice changes nothing', () => {
  const url = new URL('http://localhost/compare?a=one&b=two&t=1-2&step=3.&ca=1&ub=4');
  expect(swapped(url).searchParams.toString()).toBe('a=two&b=one&t=1-2&step=.3&cb=1&ua=4');
  expect(Object.fromEntries(swapped(swapped(url)).searchParams)).toEqual(Object.fromEntries(url.searchParams));
});
