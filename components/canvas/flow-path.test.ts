import { expect, test } from 'vitest';
import { flowPath, gate, gatePoint } from './flow-path';

const at = (left: number, top: number) => ({ left, top, width: 224, height: 64 });

test('between neighbours of a column a flow goes straight down, and back beside the way there', () => {
  expect(flowPath('next', at(0, 0), at(0, 92)).path).toBe('M33.6 68L33.6 88');
  expect(flowPath('draft', at(0, 0), at(0, 92)).path).toBe('M24.6 68L24.6 88');
  expect(flowPath('feedback', at(0, 92), at(0, 0)).path).toBe('M42.6 88L42.6 68');
});

test('it passes at the side of a node that may stand between', () => {
  const { path, label } = flowPath('next', at(0, 0), at(0, 184));
  expect(path).toBe('M224 51.2C272 51.2 272 196.8 228 196.8');
  expect(label.x).toBeGreaterThan(224);
});

test('a step back up the column passes at the side too, so that it cannot be taken for a step down', () => {
  expect(flowPath('next', at(0, 92), at(0, 0)).path).toMatch(/^M224 /);
});

test('nodes that stand beside each other are joined from side to side', () => {
  expect(flowPath('next', at(0, 0), at(400, 0)).path).toMatch(/^M224 48C.* 396 48$/);
  expect(flowPath('next', at(400, 0), at(0, 0)).path).toMatch(/^M400 48C.* 228 48$/);
});

test('answers arrive at the gate in their order, within its height', () => {
  const points = [0, 1, 2].map((index) => gatePoint({ x: 500, y: 100 }, { index, of: 3 }));
  expect(points).toEqual([90, 100, 110].map((y) => ({ x: 500 - gate.beforePx, y })));
  expect(gatePoint({ x: 500, y: 100 }, { index: 0, of: 1 }).y).toBe(100);
  for (const index of [0, 499]) {
    const { y } = gatePoint({ x: 500, y: 100 }, { index, of: 500 });
    expect(Math.abs(y - 100)).toBeLessThanOrEqual(gate.halfPx);
  }
});
