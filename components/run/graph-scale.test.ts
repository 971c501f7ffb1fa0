import fc from 'fast-check';
import { expect, test } from 'vitest';
import { graphScale } from './graph-scale';

const panel = { width: 800, height: 400 };
const asRead = { isWhole: false, isStacked: false };
const whole = { isWhole: true, isStacked: false };

test('a small graph has its own size, and one that nearly fits is made smaller', () => {
  expect(graphScale({ width: 400, height: 200 }, panel, asRead)).toEqual({ scale: 1, isLarge: false });
  expect(graphScale({ width: 1_000, height: 200 }, panel, asRead)).toEqual({ scale: 0.8, isLarge: false });
});

test('a large graph keeps names that can be read, until it is seen whole', () => {
  const graph = { width: 40_000, height: 9_000 };
  expect(graphScale(graph, panel, asRead)).toEqual({ scale: 0.75, isLarge: true });
  expect(graphScale(graph, panel, whole)).toEqual({ scale: 0.02, isLarge: true });
});

test('a high graph of a stacked page is scrolled with its page, and fits its panel when it is seen whole', () => {
  const graph = { width: 300, height: 3_840 };
  expect(graphScale(graph, { width: 390, height: 384 }, { isWhole: false, isStacked: true }).scale).toBe(1);
  expect(graphScale(graph, { width: 390, height: 384 }, { isWhole: true, isStacked: true }).scale).toBe(0.1);
});

test('whatever is seen whole fits its panel', () => {
  const size = fc.record({ width: fc.integer({ min: 1, max: 100_000 }), height: fc.integer({ min: 1, max: 100_000 }) });
  fc.assert(
    fc.property(size, size, (graph, room) => {
      const { scale } = graphScale(graph, room, whole);
      expect(graph.width * scale).toBeLessThanOrEqual(room.width + 0.001);
      expect(graph.height * scale).toBeLessThanOrEqual(room.height + 0.001);
    }),
  );
});
