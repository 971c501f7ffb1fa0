import { afterEach, expect, test } from 'vitest';
import { hearStatus, isSignedOut, onSignedOut } from './signed-out';

afterEach(() => hearStatus(200));

test('the first 401 reports that the session has ended, and the next good answer that it is back', () => {
  const heard: boolean[] = [];
  const stop = onSignedOut(() => heard.push(isSignedOut()));
  for (const status of [200, 401, 401, 304, 200, 401]) hearStatus(status);
  stop();
  hearStatus(200);
  expect(heard).toEqual([true, false, true]);
});

test('a missing right or a fault of the server does not mean that the session has ended', () => {
  for (const status of [403, 404, 500, 503]) {
    hearStatus(status);
    expect(isSignedOut()).toBe(false);
  }
});
