import { expect, test } from 'vitest';
import { pagePolicy, refuseAddress, refuseRequest, serveRequestGuard } from './request-guard';

const request = (headers: Record<string, string>, method = 'GET') => ({ method, headers: new Headers(headers) });

test.each([
  [{ host: 'localhost:3000' }],
  [{ host: '127.0.0.1:3000' }],
  [{ host: '[::1]:3000' }],
  [{ host: 'LOCALHOST:3000', origin: 'http://localhost:3000', 'sec-fetch-site': 'same-origin' }],
  [{ host: '127.0.0.1:3000', 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate' }],
  [{ host: '127.0.0.1:3000', 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }],
])('lets our own request through: %j', (headers) => {
  expect(refuseRequest(request(headers), 3000)).toBeUndefined();
});

test.each([
  ['a name that was rebound to loopback', { host: 'evil.example:3000' }],
  ['a name that only starts like ours', { host: 'localhost.evil.example:3000' }],
  ['another port', { host: 'localhost:4000' }],
  ['no port', { host: 'localhost' }],
  ['no host', {}],
  ['an address of the network', { host: '192.168.1.4:3000' }],
  ['an origin elsewhere', { host: 'localhost:3000', origin: 'https://evil.example' }],
  ['an origin on another port', { host: 'localhost:3000', origin: 'http://localhost:5173' }],
  ['an opaque origin', { host: 'localhost:3000', origin: 'null' }],
  ['an origin over https', { host: 'localhost:3000', origin: 'https://localhost:3000' }],
  ['an image tag elsewhere', { host: 'localhost:3000', 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' }],
  ['a page on another port', { host: 'localhost:3000', 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'no-cors' }],
])('the guard refuses %s', (_what, headers) => {
  expect(refuseRequest(request(headers), 3000)).toEqual(expect.any(String));
});

test('behind a reverse proxy the public address is ours too, and nothing else of its host', () => {
  const open = new URL('https://Callboard.example.org');
  const refused = (headers: Record<string, string>) => refuseRequest(request(headers), 3000, open) !== undefined;
  const host = 'callboard.example.org';
  expect(refused({ host, origin: 'https://callboard.example.org', 'sec-fetch-site': 'same-origin' })).toBe(false);
  expect(refused({ host: 'localhost:3000', origin: 'http://localhost:3000' })).toBe(false);
  for (const origin of ['http://callboard.example.org', 'https://callboard.example.org:8443', 'https://evil.example']) {
    expect([origin, refused({ host, origin })]).toEqual([origin, true]);
  }
  expect(refused({ host: 'other.example.org' })).toBe(true);
  expect(refuseRequest(request({ host }), 3000, undefined)).toEqual(expect.any(String));
});

test('refuses a form that another site submits, even as a navigation', () => {
  const headers = { host: 'localhost:3000', 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' };
  expect(refuseRequest(request(headers, 'POST'), 3000)).toEqual(expect.any(String));
});

test('answers a refusal with 403 and a sentence', async () => {
  const response = serveRequestGuard(request({ host: 'evil.example' }));
  expect(response?.status).toBe(403);
  expect(await response?.json()).toEqual({ error: { code: 'not_allowed', message: expect.any(String) } });
});

test('a page may load nothing from another host', () => {
  expect(pagePolicy('abc', false)).not.toMatch(/https?:|\*|unsafe-eval|ws:/);
});

test.each(['/api/v1/projects/%ff', '/p/%', '/%E0%A4%A', '/api/%zz'])('the address %s cannot be read', (address) => {
  expect(refuseAddress(address)).toContain(`The address ${address} has a "%"`);
});

test.each(['/', '/p/abc', '/p/%00', '/api/v1/samples/a%2fb', '/%F0%9F%99%82', `/p/${'a'.repeat(5000)}`])(
  'the address %s can be read',
  (address) => {
    expect(refuseAddress(address)).toBeUndefined();
  },
);
