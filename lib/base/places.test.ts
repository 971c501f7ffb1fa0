import { expect, test } from 'vitest';
import { misplaced, placeOfStarted } from './places';

test.each([
  ['api.example.org', []],
  ['api.example.org', ['api.example.org']],
  ['api.example.org:8443', ['api.example.org:8443', 'server:mail']],
  [placeOfStarted('mail'), ['server:mail']],
])('a value may go to %s if its places are %j', (place, places) => {
  expect(misplaced(['TOKEN'], place, new Map([['TOKEN', places]]))).toBeUndefined();
});

test.each([
  ['api.example.org', ['*']],
  [placeOfStarted('mail'), ['*']],
  ['api.example.org', ['*.example.org']],
  ['api.example.org:8443', ['api.example.org']],
  [placeOfStarted('mail'), ['mail']],
])('a value may not go to %s if its places are %j', (place, places) => {
  const bound = new Map([['TOKEN', places]]);
  expect(misplaced(['TOKEN'], place, bound)).toContain(`may go to ${places.join(', ')} only, not to ${place}.`);
});
