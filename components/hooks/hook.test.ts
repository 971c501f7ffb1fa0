import { expect, test } from 'vitest';
import { dropPlace } from './drop-place';
import { hookKey } from './hook-key';

const key = (name: string, held: Partial<Record<'altKey' | 'ctrlKey' | 'shiftKey' | 'metaKey', boolean>> = {}) =>
  hookKey({ key: name, altKey: false, ctrlKey: false, metaKey: false, shiftKey: false, ...held }, true);

test('arrows go along the chain, with Alt they move the hook, in both directions of a list', () => {
  expect(['ArrowLeft', 'ArrowUp', 'ArrowRight', 'ArrowDown'].map((name) => key(name))).toEqual(
    [-1, -1, 1, 1].map((by) => ({ do: 'go', by })),
  );
  expect(key('ArrowRight', { altKey: true })).toEqual({ do: 'move', by: 1 });
  expect(key('F10')).toBeUndefined();
  expect(key('F10', { shiftKey: true })).toEqual({ do: 'menu' });
  expect(key('Delete')).toEqual({ do: 'remove' });
  expect([key('o'), key('O', { shiftKey: true })]).toEqual([{ do: 'switch' }, { do: 'switch' }]);
  expect([key('Enter'), key('a'), key('ArrowLeft', { ctrlKey: true })]).toEqual([undefined, undefined, undefined]);
});

test('where files may only be read, keys go along the chain and change nothing', () => {
  const read = (name: string, altKey = false) =>
    hookKey({ key: name, altKey, ctrlKey: false, metaKey: false, shiftKey: false }, false);
  expect(['Delete', 'Insert', 'o'].map((name) => read(name))).toEqual([undefined, undefined, undefined]);
  expect(read('ArrowLeft', true)).toBeUndefined();
  expect([read('ArrowLeft'), read('Escape')]).toEqual([{ do: 'go', by: -1 }, { do: 'leave' }]);
});

test('a hook is dropped behind those whose middle the pointer has passed', () => {
  const extents = ['a', 'b', 'c'].map((id, index) => ({ id, from: index * 20, to: index * 20 + 20 }));
  expect([0, 29, 31, 51, 99].map((at) => dropPlace(extents, 'a', at))).toEqual([0, 0, 1, 2, 2]);
  expect([0, 9, 11, 51].map((at) => dropPlace(extents, 'c', at))).toEqual([0, 0, 1, 2]);
});
