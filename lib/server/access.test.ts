import { expect, test } from 'vitest';
import { cookieName, cookieValue, createAccess } from './access';

const token = 'the-token-of-this-installation';
const access = createAccess(token, 3000);
const signedIn = (headers: Record<string, string>) => access.isSignedIn(new Headers(headers));
const cookie = `callboard_3000=${cookieValue(token, 3000)}`;

test.each<Record<string, string>>([
  { authorization: `Bearer ${token}` },
  { authorization: `bearer  ${token} ` },
  { cookie },
  { cookie: `theme=dark; ${cookie};other=1` },
  { cookie, authorization: 'Bearer something-of-a-proxy' },
  { cookie: `callboard_3000=set-by-another-port; ${cookie}` },
])('%j is signed in', (headers) => {
  expect(signedIn(headers)).toBe(true);
});

test.each<Record<string, string>>([
  {},
  { authorization: token },
  { authorization: `Basic ${token}` },
  { authorization: `Bearer ${token}x` },
  { authorization: `Bearer ${token.slice(1)}` },
  { authorization: `Bearer ${token} ${token}` },
  { authorization: `Bearer ${'x'.repeat(15_000)}` },
  { authorization: `Bearer ${' '.repeat(15_000)}${token}` },
  { authorization: 'Bearer ' },
  { cookie: `callboard_3000=${token}` },
  { cookie: 'callboard_3000=' },
  { cookie: `callboard_4000=${cookieValue(token, 3000)}` },
  { cookie: `callboard_3000=${cookieValue(token, 4000)}` },
  { cookie: `xcallboard_3000=${cookieValue(token, 3000)}` },
  { cookie: `callboard_3000=${cookieValue('another token', 3000)}` },
  { cookie: `${'callboard_3000=no; '.repeat(500)}${cookie}` },
])('a request with %j is not signed in', (headers) => {
  expect(signedIn(headers)).toBe(false);
});

test('the cookie is only for pages of the app, outlives the browser, and does not contain the token', () => {
  const { setCookie } = access;
  expect(setCookie).toMatch(/^callboard_3000=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=34560000$/);
  expect(setCookie).not.toContain(token);
});

test('two Callboards of one host keep cookies of their own', () => {
  expect(cookieName(3000)).not.toBe(cookieName(3001));
  expect(cookieValue(token, 3000)).not.toBe(cookieValue(token, 3001));
});
