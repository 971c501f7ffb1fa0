import fc from 'fast-check';
import { expect, test } from 'vitest';
import { drawnRows, type RowRange, rowsAtFirst, rowsInView } from './rows-in-view';

const list = (count: number) => Array.from({ length: count }, (_, at) => at);

/** Returns the rows of a list of `count` numbers that are in the page. Each number is its place in the list. */
function shown(count: number, range: RowRange, kept?: number): readonly number[] {
  const drawn = drawnRows(list(count), range, kept);
  expect(drawn.map(({ place }) => place)).toEqual(drawn.map(({ row }) => row));
  return drawn.map(({ row }) => row);
}

test('every row in view is in the page, and the number of rows does not grow with the list', () => {
  fc.assert(
    fc.property(
      fc.record({ count: fc.nat(5_000), viewTop: fc.integer({ min: -500, max: 150_000 }), viewHeight: fc.nat(1_200) }),
      ({ count, viewTop, viewHeight }) => {
        const rowHeight = 28;
        const drawn = shown(count, rowsInView({ viewTop, viewHeight, rowHeight }));
        const inView = list(count).filter(
          (at) => (at + 1) * rowHeight > viewTop && at * rowHeight < viewTop + viewHeight,
        );
        expect(drawn).toEqual(expect.arrayContaining(inView));
        expect(drawn.length).toBeLessThan(120);
      },
    ),
  );
});

test('a small scroll changes no row', () => {
  const at = (viewTop: number) => rowsInView({ viewTop, viewHeight: 500, rowHeight: 28 });
  expect(at(0)).toEqual({ from: 0, to: 48 });
  expect(at(300)).toEqual(at(310));
  expect(at(2_000)).toEqual({ from: 48, to: 112 });
});

test('a list that is not shown, and has no heights, keeps the first rows', () => {
  expect(rowsInView({ viewTop: 0, viewHeight: 0, rowHeight: 0 })).toEqual(rowsAtFirst);
});

test('the row of the tab order stays in the page, in its place', () => {
  const range = { from: 200, to: 203 };
  expect(shown(500, range, 7)).toEqual([7, 200, 201, 202]);
  expect(shown(500, range, 201)).toEqual([200, 201, 202]);
  expect(shown(500, range, 499)).toEqual([200, 201, 202, 499]);
  expect(shown(500, range)).toEqual([200, 201, 202]);
});

test('a list that has become shorter than the view was scrolled has no rows that it does not have', () => {
  expect(shown(150, { from: 400, to: 500 }, 3)).toEqual([3]);
});

test('a short list is there as a whole', () => {
  expect(shown(4, { from: 48, to: 64 }, 0)).toEqual([0, 1, 2, 3]);
});
