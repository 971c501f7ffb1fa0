import { expect, test, vi } from 'vitest';
import { z } from 'zod';
import { AppError } from '@/lib/base/app-error';
import { log } from './log';
import { readBytes, readJson } from './read-body';
import { respond } from './respond';

const ask = (init?: RequestInit & { headers?: Record<string, string> }) =>
  new Request('http://localhost:3000/api/x', { ...init, headers: { host: 'localhost:3000', ...init?.headers } });
const context = { params: Promise.resolve({}) };

test.each([
  ['bad_request', 400],
  ['not_allowed', 403],
  ['not_found', 404],
  ['conflict', 409],
  ['too_large', 413],
  ['unsupported', 415],
  ['unavailable', 503],
] as const)('an expected failure %s is answered with %i and its sentence', async (code, status) => {
  const route = respond(() => Promise.reject(new AppError(code, 'Say why.')));
  const response = await route(ask(), context);
  expect([response.status, await response.json()]).toEqual([status, { error: { code, message: 'Say why.' } }]);
});

test('a bug is logged and tells nothing of itself', async () => {
  const logged = vi.spyOn(log, 'error').mockImplementation(() => {});
  const response = await respond(() => Promise.reject(new Error('secret path /home/ann')))(ask(), context);
  expect(response.status).toBe(500);
  expect(await response.text()).not.toContain('secret');
  expect(logged).toHaveBeenCalledOnce();
  logged.mockRestore();
});

test('a request that is not ours never reaches the handler', async () => {
  const handler = vi.fn(async () => 'x');
  const response = await respond(handler)(ask({ headers: { host: 'evil.example' } }), context);
  expect([response.status, handler.mock.calls.length]).toEqual([403, 0]);
});

test('every answer forbids sniffing, framing and caching', async () => {
  const { headers } = await respond(async () => ({}))(ask(), context);
  expect([headers.get('x-content-type-options'), headers.get('x-frame-options'), headers.get('cache-control')]).toEqual(
    ['nosniff', 'DENY', 'no-store'],
  );
});

test('a body without a declared length is cut off at the limit', async () => {
  let sent = 0;
  const endless = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      sent += 1024;
      controller.enqueue(new Uint8Array(1024));
    },
  });
  // `duplex` is asked for by Node and not in the DOM's types.
  const init = { method: 'POST', body: endless, duplex: 'half' };
  const request = ask(init);
  await expect(readBytes(request, 10_000)).rejects.toMatchObject({ code: 'too_large' });
  expect(sent).toBeLessThan(20_000);
});

test.each([
  ['{"name": 5}', 'name: Invalid input: expected string, received number'],
  ['{"name": "x", "extra": 1}', 'Unrecognized key: "extra"'],
  ['{', 'The body is not JSON.'],
  ['null', 'Invalid input: expected object, received null'],
])('a wrong body %s is refused naming the field', async (body, message) => {
  const read = readJson(ask({ method: 'POST', body }), z.strictObject({ name: z.string() }));
  await expect(read).rejects.toMatchObject({ code: 'bad_request', message });
});
