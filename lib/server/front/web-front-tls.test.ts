import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test, vi } from 'vitest';
import { before } from './web-front';

const name = 'callboard.example.org';
let server: http.Server | undefined;
afterEach(() => {
  vi.unstubAllEnvs();
  server?.close();
});

/** Asks a server whose listener fails, and returns status and headers of the answer. */
async function ask(publicUrl: string, headers: Readonly<Record<string, string>>, status = 500) {
  vi.stubEnv('CALLBOARD_PUBLIC_URL', publicUrl);
  const made = http.createServer(before((_, response) => response.writeHead(status).end('failed')));
  server = made;
  await new Promise<void>((resolve) => made.listen(0, '127.0.0.1', resolve));
  // A server that listens on TCP has an address of this kind.
  const { port } = made.address() as AddressInfo;
  vi.stubEnv('PORT', String(port));
  return await new Promise<http.IncomingMessage>((resolve, reject) => {
    const given = { host: `127.0.0.1:${port}`, ...headers };
    http.get({ port, host: '127.0.0.1', headers: given }, (response) => resolve(response.resume())).on('error', reject);
  });
}

test('an error of the app has the headers too, and behind TLS the one that demands TLS', async () => {
  const { statusCode, headers } = await ask(`https://${name}`, { host: name, 'x-forwarded-proto': 'https' });
  expect([statusCode, headers]).toMatchObject([
    500,
    {
      'strict-transport-security': 'max-age=31536000',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'permissions-policy': expect.stringContaining('microphone=()'),
      'x-content-type-options': 'nosniff',
    },
  ]);
});

test.each([
  ['a public address without TLS', `http://${name}`, { host: name }],
  ['this machine, past the proxy', `https://${name}`, {}],
  ['a proxy that got it without TLS', `https://${name}`, { host: name, 'x-forwarded-proto': 'http' }],
])('%s: nothing demands TLS', async (_, publicUrl, headers) => {
  expect((await ask(publicUrl, headers)).headers['strict-transport-security']).toBeUndefined();
});
