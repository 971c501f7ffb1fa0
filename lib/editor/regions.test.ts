import { expect, test } from 'vitest';
import { nextRegion, type Region } from './regions';

/** Walks over the open regions, beginning outside of them. */
function walk(open: readonly Region[], to: 'next' | 'previous', steps: number): (Region | undefined)[] {
  const seen: (Region | undefined)[] = [];
  for (let step = 0; step < steps; step++) seen.push(nextRegion(open, seen.at(-1), to));
  return seen;
}

test('regions are walked in the order of the page, round and round, both ways', () => {
  const open: Region[] = ['dock', 'canvas', 'inspector', 'outline'];
  expect(walk(open, 'next', 5)).toEqual(['outline', 'canvas', 'inspector', 'dock', 'outline']);
  expect(walk(open, 'previous', 5)).toEqual(['dock', 'inspector', 'canvas', 'outline', 'dock']);
});

test('closed regions are passed by, and the wide editor has its place before the dock', () => {
  expect(walk(['canvas', 'text', 'dock'], 'next', 4)).toEqual(['canvas', 'text', 'dock', 'canvas']);
  expect(walk(['canvas'], 'next', 2)).toEqual(['canvas', 'canvas']);
  expect(nextRegion([], undefined, 'next')).toBeUndefined();
});

test('a region that has just been closed still has its place', () => {
  expect(nextRegion(['outline', 'canvas', 'dock'], 'inspector', 'next')).toBe('dock');
});
