import { expect, test } from 'vitest';
import { hasOwnUse, replayKey } from './replay-keys';

const press = (key: string, shiftKey = false) => replayKey({ key, shiftKey });

test('keys of the play-head', () => {
  expect(press(' ')).toEqual({ do: 'toggle' });
  expect([press('Home'), press('End')]).toEqual([{ do: 'start' }, { do: 'end' }]);
  expect([press('ArrowRight'), press('ArrowLeft', true)]).toEqual([
    { do: 'event', by: 1 },
    { do: 'lane', by: -1 },
  ]);
  expect([press('e'), press('E', true)]).toEqual([
    { do: 'error', by: 1 },
    { do: 'error', by: -1 },
  ]);
  expect([press('x'), press(' ', true), press('Home', true), press('Enter')]).toEqual(Array(4).fill(undefined));
});

/** An element that is inside everything whose selector holds one of the words. */
const within = (...words: readonly string[]) => ({
  closest: (selector: string) =>
    words.some((word) => selector.split(', ').some((one) => one.replace(/:not\(.*/, '') === word)) ? document : null,
});
const document = {} as Element;

test('fields, dialogs and menus keep every key; sliders and tabs keep arrows; buttons keep Space', () => {
  for (const word of ['textarea', 'select', '[role=dialog]', '[role=menu]']) {
    for (const key of [' ', 'e', 'ArrowLeft', 'Home']) expect(hasOwnUse(within(word), { key })).toBe(true);
  }
  for (const word of ['input[type=range]', '[role=separator]']) {
    expect(hasOwnUse(within(word), { key: 'Home' })).toBe(true);
    expect(hasOwnUse(within(word), { key: 'e' })).toBe(false);
    expect(hasOwnUse(within(word), { key: ' ' })).toBe(false);
  }
  expect(hasOwnUse(within('button'), { key: ' ' })).toBe(true);
  expect(hasOwnUse(within('button'), { key: 'ArrowRight' })).toBe(false);
  expect(hasOwnUse(within(), { key: ' ' })).toBe(false);
});
