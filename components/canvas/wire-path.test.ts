import { describe, expect, it } from 'vitest';
import { fanPath } from './wire-path';

/** The corners of a path: where its lines end and what its rounds turn about. */
const corners = (path: string | undefined) =>
  [...(path ?? '').matchAll(/[MQ](-?[\d.]+) (-?[\d.]+)/g)].map(([, x, y]) => [Number(x), Number(y)]);

describe('fanPath', () => {
  it('goes by the trunk to the first column', () => {
    const way = fanPath({ into: { trunkX: 60, gutterY: undefined } }, { x: 0, y: 0 }, { x: 100, y: 200 });
    expect(corners(way?.path)).toEqual([
      [0, 0],
      [60, 0],
      [60, 200],
    ]);
    expect(way?.path.endsWith('L100 200')).toBe(true);
  });

  it('goes through the gutter above the row to a later column, where its words are', () => {
    const way = fanPath({ into: { trunkX: 60, gutterY: 150 } }, { x: 0, y: 0 }, { x: 400, y: 200 });
    expect(corners(way?.path)).toEqual([
      [0, 0],
      [60, 0],
      [60, 150],
      [386, 150],
      [386, 200],
    ]);
    expect(way?.label).toEqual({ x: 400, y: 150 });
  });

  it('leaves an earlier column through the gutter below the row', () => {
    const way = fanPath({ outOf: { trunkX: 500, gutterY: 50 } }, { x: 0, y: 0 }, { x: 600, y: 300 });
    expect(corners(way?.path)).toEqual([
      [0, 0],
      [14, 0],
      [14, 50],
      [500, 50],
      [500, 300],
    ]);
  });

  it('has its words in the middle of its long piece, where they cover neither arrow nor node', () => {
    const way = fanPath({ outOf: { trunkX: 500, gutterY: 50 } }, { x: 0, y: 0 }, { x: 600, y: 300 });
    expect(way).toMatchObject({ label: { x: 257, y: 50 }, begins: false, room: 470 });
  });

  it('is none where it would lead backwards', () => {
    const into = { trunkX: 60, gutterY: undefined };
    expect(fanPath({ into }, { x: 80, y: 0 }, { x: 100, y: 0 })).toBeUndefined();
    expect(fanPath({ into }, { x: 0, y: 0 }, { x: 40, y: 0 })).toBeUndefined();
    expect(fanPath({ outOf: into }, { x: 80, y: 0 }, { x: 100, y: 0 })).toBeUndefined();
  });
});
