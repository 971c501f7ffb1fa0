import { expect, it } from 'vitest';
import { centredView, revealBeside, revealView } from './reveal-view';

const frame = { width: 800, height: 400 };
const box = (x: number, y: number) => ({ x, y, width: 200, height: 60 });

it('leaves the view alone while the node is in it', () => {
  expect(revealView({ x: 0, y: 0, zoom: 1 }, box(592, 332), frame)).toBeUndefined();
  expect(revealView({ x: 0, y: 0, zoom: 1 }, box(600, 332), frame)).toBeDefined();
});

it('moves no further than the node needs, so that its neighbour stays in view', () => {
  expect(revealView({ x: 0, y: 0, zoom: 1 }, box(700, 100), frame)).toEqual({ x: -132, y: 0, zoom: 1 });
  expect(revealView({ x: 0, y: 0, zoom: 1 }, box(-500, -100), frame)).toEqual({ x: 532, y: 132, zoom: 1 });
});

it('shows the beginning of a node that is larger than the frame', () => {
  expect(revealView({ x: 0, y: 0, zoom: 2 }, box(300, 0), { width: 300, height: 400 })).toMatchObject({ x: -568 });
});

it('brings a node to the middle at a size that can be read', () => {
  expect(revealView({ x: 0, y: 0, zoom: 0.2 }, box(9_000, 0), frame)).toEqual({ x: -4_150, y: 185, zoom: 0.5 });
});

it('a node that one goes to is in the middle, at a size that can be read', () => {
  expect(centredView({ x: 9, y: 9, zoom: 1 }, box(0, 0), frame)).toEqual({ x: 300, y: 170, zoom: 1 });
  expect(centredView({ x: 9, y: 9, zoom: 0.1 }, box(0, 0), frame)).toEqual({ x: 350, y: 185, zoom: 0.5 });
});

it('a new node is shown together with its parent', () => {
  const frame = { width: 800, height: 600 };
  const parent = { x: 100, y: 100, width: 224, height: 64 };
  const seen = (view: { x: number; y: number; zoom: number }, box: typeof parent) =>
    view.x + box.x * view.zoom >= 8 &&
    view.x + (box.x + box.width) * view.zoom <= frame.width - 8 &&
    view.y + box.y * view.zoom >= 8 &&
    view.y + (box.y + box.height) * view.zoom <= frame.height - 8;
  for (const at of [
    { x: 420, y: 100 },
    { x: 700, y: 100 },
    { x: 420, y: 2_000 },
  ]) {
    const box = { ...parent, ...at };
    const view = revealBeside({ x: 0, y: 0, zoom: 1 }, box, parent, frame) ?? { x: 0, y: 0, zoom: 1 };
    expect([seen(view, box), seen(view, parent)]).toEqual([true, true]);
  }
  expect(revealBeside({ x: 0, y: 0, zoom: 1 }, { ...parent, x: 420 }, parent, frame)).toBeUndefined();
});
