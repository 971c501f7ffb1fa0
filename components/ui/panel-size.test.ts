import { expect, test } from 'vitest';
import { parsePanel, resizePanel } from './panel-size';

test.each([
  ['', { size: 280, open: true }],
  ['320', { size: 320, open: true }],
  ['320 closed', { size: 320, open: false }],
  ['-5', { size: 280, open: true }],
  ['NaN closed', { size: 280, open: true }],
])('reads the remembered panel %j', (stored, expected) => {
  expect(parsePanel(stored, 280)).toEqual(expected);
});

test('a panel may be closed at first, and is as it was left from then on', () => {
  expect(parsePanel('', 280, false)).toEqual({ size: 280, open: false });
  expect(parsePanel('320', 280, false)).toEqual({ size: 320, open: true });
});

test('arrows grow a panel away from its edge and stay within its bounds', () => {
  const at = { big: false, size: 300, min: 200, max: 310 };
  expect(resizePanel({ ...at, side: 'left', key: 'ArrowRight' })).toBe(310);
  expect(resizePanel({ ...at, side: 'right', key: 'ArrowRight' })).toBe(284);
  expect(resizePanel({ ...at, side: 'bottom', key: 'ArrowDown', big: true })).toBe(236);
  expect(resizePanel({ ...at, side: 'bottom', key: 'Home' })).toBe(200);
  expect(resizePanel({ ...at, side: 'bottom', key: 'ArrowLeft' })).toBeUndefined();
});
