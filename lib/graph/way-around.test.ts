import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Point } from './graph';
import { type Box, wayAround } from './way-around';

const box = (left: number, top: number, width = 100, height = 40): Box => ({
  left,
  top,
  right: left + width,
  bottom: top + height,
});

const from = { x: 0, y: 0 };

test('nothing in the way needs no corner', () => {
  expect(wayAround(from, { x: 500, y: 0 }, [])).toEqual([]);
});

test('a wall with one gap is passed through the gap', () => {
  const wall = [box(200, -700, 40, 760), box(200, 100, 40, 700)];
  const way = [from, ...(wayAround(from, { x: 500, y: 0 }, wall) ?? []), { x: 500, y: 0 }];
  expect(meetsAny(way, wall)).toBe(false);
  expect(way.some(({ y }) => y > 60 && y < 100)).toBe(true);
});

test('two walls whose gaps are far apart are passed between them', () => {
  const walls = [box(200, -700, 40, 600), box(200, 0, 40, 900), box(400, -700, 40, 800), box(400, 200, 40, 900)];
  const way = [from, ...(wayAround({ x: 0, y: -20 }, { x: 600, y: 20 }, walls) ?? []), { x: 600, y: 20 }];
  expect(way.length).toBeGreaterThan(4);
  expect(meetsAny([{ x: 0, y: -20 }, ...way.slice(1)], walls)).toBe(false);
});

test('there is no way out of a box without a gap', () => {
  const around = [
    box(-300, -700, 1_000, 40),
    box(-300, 660, 1_000, 40),
    box(200, -700, 40, 1_400),
    box(-340, -700, 40, 1_400),
  ];
  expect(wayAround(from, { x: 500, y: 0 }, around)).toBeUndefined();
});

test('no way meets a box, and each piece is straight', () => {
  const boxes = fc.array(
    fc.tuple(fc.integer({ min: 40, max: 800 }), fc.integer({ min: -500, max: 500 })).map(([x, y]) => box(x, y)),
    { maxLength: 30 },
  );
  fc.assert(
    fc.property(boxes, fc.integer({ min: -300, max: 300 }), (all, y) => {
      const to = { x: 1_000, y };
      const free = all.filter((one) => !meetsAny([from, { x: 20, y: 0 }], [one]) && one.right < 980);
      const corners = wayAround(from, to, free);
      if (corners === undefined) return;
      const way = [from, ...corners, to];
      expect(meetsAny(way, free)).toBe(false);
      for (const [index, point] of way.entries()) {
        const next = way[index + 1];
        if (next !== undefined) expect(point.x === next.x || point.y === next.y).toBe(true);
      }
    }),
    { numRuns: 200 },
  );
});

function meetsAny(way: readonly Point[], boxes: readonly Box[]): boolean {
  return way.some((a, index) => {
    const b = way[index + 1];
    if (b === undefined) return false;
    const [left, right] = [Math.min(a.x, b.x), Math.max(a.x, b.x)];
    const [top, bottom] = [Math.min(a.y, b.y), Math.max(a.y, b.y)];
    return boxes.some((one) => right > one.left && left < one.right && bottom > one.top && top < one.bottom);
  });
}
