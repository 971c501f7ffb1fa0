import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { align, distribute, gridPx, onGrid, placesOf, snapTo } from './arrange';

const boxes = new Map([
  ['a', { x: 0, y: 0, width: 100, height: 50 }],
  ['b', { x: 130, y: 300, width: 40, height: 20 }],
  ['c', { x: 400, y: 90, width: 100, height: 50 }],
]);

describe('align', () => {
  test.each([
    ['left', { a: { x: 0, y: 0 }, b: { x: 0, y: 300 }, c: { x: 0, y: 90 } }],
    ['centre', { a: { x: 200, y: 0 }, b: { x: 230, y: 300 }, c: { x: 200, y: 90 } }],
    ['right', { a: { x: 400, y: 0 }, b: { x: 460, y: 300 }, c: { x: 400, y: 90 } }],
    ['top', { a: { x: 0, y: 0 }, b: { x: 130, y: 0 }, c: { x: 400, y: 0 } }],
    ['middle', { a: { x: 0, y: 135 }, b: { x: 130, y: 150 }, c: { x: 400, y: 135 } }],
    ['bottom', { a: { x: 0, y: 270 }, b: { x: 130, y: 300 }, c: { x: 400, y: 270 } }],
  ] as const)('%s', (how, places) => {
    expect(align(boxes, how)).toEqual(places);
  });

  test('aligning edges twice changes nothing more', () => {
    const box = fc.record({ x: fc.integer(), y: fc.integer(), width: fc.nat(500), height: fc.nat(500) });
    fc.assert(
      fc.property(
        fc.array(box, { minLength: 1, maxLength: 6 }),
        fc.constantFrom('left', 'right', 'top', 'bottom'),
        (list, how) => {
          const all = new Map(list.map((each, index) => [`n${index}`, each]));
          const once = align(all, how);
          const moved = new Map([...all].map(([id, each]) => [id, { ...each, ...once[id] }]));
          expect(align(moved, how)).toEqual(once);
        },
      ),
    );
  });
});

test('distribute makes equal gaps, and the outermost stay', () => {
  expect(distribute(boxes, 'across')).toEqual({ a: { x: 0, y: 0 }, b: { x: 230, y: 300 }, c: { x: 400, y: 90 } });
  expect(distribute(boxes, 'down')).toEqual({ a: { x: 0, y: 0 }, b: { x: 130, y: 300 }, c: { x: 400, y: 150 } });
  const two = new Map([...boxes].slice(0, 2));
  expect(distribute(two, 'across')).toEqual({ a: { x: 0, y: 0 }, b: { x: 130, y: 300 } });
});

test('a move by keys goes to the next line of the grid on its axis alone', () => {
  expect(onGrid({ x: 10, y: 10 }, { x: 1, y: 0 })).toEqual({ x: gridPx, y: 10 });
  expect(onGrid({ x: 10, y: 10 }, { x: 0, y: -1 })).toEqual({ x: 10, y: 0 });
  expect(onGrid({ x: 24, y: -24 }, { x: -1, y: 1 })).toEqual({ x: 0, y: 0 });
});

test('the places of a group are those of its members', () => {
  const canvas = {
    notes: [{ id: 'n1', text: '', x: 5, y: 6 }],
    groups: [{ id: 'g', title: '', members: ['agent:a', 'note:n1'] }],
  };
  const places = placesOf({ 'agent:a': { x: 1, y: 2 }, 'agent:b': { x: 3, y: 4 } }, canvas, ['group:g', 'agent:b']);
  expect(Object.fromEntries(places)).toEqual({
    'agent:a': { x: 1, y: 2 },
    'agent:b': { x: 3, y: 4 },
    'note:n1': { x: 5, y: 6 },
  });
});

describe('snapTo', () => {
  const other = { x: 200, y: 100, width: 100, height: 40 };

  test('a box near a line of another goes to it, and a guide shows the line', () => {
    const { at, guides } = snapTo({ x: 203, y: 300, width: 60, height: 40 }, [other], 6);
    expect(at).toEqual({ x: 200, y: 300 });
    expect(guides).toEqual([{ axis: 'x', at: 200, from: 100, to: 340 }]);
  });

  test('both axes snap at once, each to its nearest line', () => {
    const far = { x: 0, y: 302, width: 100, height: 40 };
    const { at, guides } = snapTo({ x: 196, y: 300, width: 100, height: 40 }, [other, far], 6);
    expect(at).toEqual({ x: 200, y: 302 });
    expect(guides.map(({ axis }) => axis)).toEqual(['x', 'y']);
  });

  test('a box far from all lines stays', () => {
    const box = { x: 500, y: 500, width: 60, height: 40 };
    expect(snapTo(box, [other], 6)).toEqual({ at: { x: 500, y: 500 }, guides: [] });
  });
});
