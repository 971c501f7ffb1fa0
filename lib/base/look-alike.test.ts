import { expect, test } from 'vitest';
import { disguisedLetter, skeletonOf } from './look-alike';

test.each([
  ['pay', 'p\u0430y'],
  ['pay', '\u0440\u0430\u0443'],
  ['pay', 'pa\u200by'],
  ['pay', '\uff50ay'],
  ['Export', '\u0395xport'],
  ['na\u00efve', 'na\u0457ve'],
  ['send-mail', 'send\u2010mail'],
  ['worker_l', 'worker_I'],
  ['step-10', 'step-lO'],
])('%j and %j look alike', (one, other) => {
  expect(skeletonOf(other)).toBe(skeletonOf(one));
});

test.each([
  ['pay', 'pays'],
  ['resume', 'r\u00e9sum\u00e9'],
  ['modem', 'modern'],
  ['Pay', 'pay'],
  ['\u043f\u043e\u0447\u0442\u0430', 'pochta'],
])('%j and %j do not', (one, other) => {
  expect(skeletonOf(other)).not.toBe(skeletonOf(one));
});

test('a letter of another script inside a Latin word is found, and whole words of other scripts are not', () => {
  expect(disguisedLetter('my p\u0430y')).toEqual({ letter: '\u0430', looksLike: 'a' });
  expect(disguisedLetter('\u043f\u043e\u0447\u0442\u0430-mail')).toBeUndefined();
  expect(disguisedLetter('\u0394t d\u0131\u011fer \u00fcber')).toBeUndefined();
});
