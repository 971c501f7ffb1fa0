import { expect, test } from 'vitest';
import { canvasKey } from './canvas-key';

const press = (key: string, selected = 0, held: 'ctrl' | 'alt' | 'none' = 'none') =>
  canvasKey({ key, ctrlKey: held === 'ctrl', metaKey: false, altKey: held === 'alt' }, selected);

test('arrows walk, with Alt too, and never with Ctrl', () => {
  expect(press('ArrowLeft')).toEqual({ do: 'go', to: 'left' });
  expect(press('ArrowUp', 2, 'alt')).toEqual({ do: 'go', to: 'up' });
  expect(press('ArrowLeft', 1, 'ctrl')).toBeUndefined();
});

test('one node is opened or renamed; several are not', () => {
  expect([press('Enter', 1), press('F2', 1)]).toEqual([{ do: 'open' }, { do: 'rename' }]);
  expect([press('Enter'), press('Enter', 2), press('F2', 2)]).toEqual([undefined, undefined, undefined]);
});

test('letters work in both cases except L, which needs Shift', () => {
  expect([press('n'), press('N')]).toEqual([{ do: 'add' }, { do: 'add' }]);
  expect([press('L'), press('l')]).toEqual([{ do: 'tidy' }, undefined]);
});

test('keys of the browser stay with it', () => {
  expect([press('c', 1, 'ctrl'), press('n', 0, 'ctrl'), press('Delete', 1, 'alt')]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
  expect([press('A', 0, 'ctrl'), press('d', 1, 'ctrl')]).toEqual([{ do: 'select-all' }, { do: 'duplicate' }]);
});

test('the selection is fitted only where there is one', () => {
  expect([press('2'), press('2', 3)]).toEqual([undefined, { do: 'fit-selection' }]);
});

test('with Shift the arrows move what is selected, and without a selection they walk', () => {
  const shift = (key: string, selected: number) =>
    canvasKey({ key, ctrlKey: false, metaKey: false, altKey: false, shiftKey: true }, selected);
  expect(shift('ArrowLeft', 1)).toEqual({ do: 'move', by: { x: -1, y: 0 } });
  expect(shift('ArrowDown', 3)).toEqual({ do: 'move', by: { x: 0, y: 1 } });
  expect(shift('ArrowDown', 0)).toEqual({ do: 'go', to: 'down' });
});

test('one node is connected, and any number is grouped', () => {
  expect([press('c', 1), press('c', 2), press('c')]).toEqual([{ do: 'connect' }, undefined, undefined]);
  expect([press('g', 2, 'ctrl'), press('g', 0, 'ctrl')]).toEqual([{ do: 'group' }, undefined]);
});
