import http from 'node:http';
import { type AddressInfo, isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { err, ok } from '@/lib/base/result';
import { createTextReader } from '@/lib/tools/urls/text-reader';
import { createAddressGuard } from './address-guard';
import { createGuardedFetch } from './guarded-fetch';
import { ownAddresses, ownPort } from './own-addresses';

/** Plays the role of Callboard. The second server redirects to it. */
let asked = 0;
const ours = http.createServer((_, response) => {
  asked += 1;
  response.end('secret');
});
const other = http.createServer((request, response) => {
  if (request.url === '/away') response.writeHead(302, { location: `http://localhost:${portOf(ours)}/api` }).end();
  else response.end('fine');
});
const portOf = (server: http.Server) => (server.address() as AddressInfo).port;
const listen = (server: http.Server) =>
  new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });

beforeAll(() => Promise.all([listen(ours), listen(other)]));
afterAll(() => {
  for (const server of [ours, other]) server.close();
});

const guardOf = async (databaseUrl?: string) =>
  createAddressGuard('1', { own: await ownAddresses({ webPort: 3000, databaseUrl }) });

test.each([
  'http://localhost:3000/api/v1/projects',
  'http://LOCALHOST.:3000/',
  'http://anything.localhost:3000/',
  'http://127.0.0.1:3000/',
  'http://127.1:3000/',
  'http://127.9.8.7:3000/',
  'http://0.0.0.0:3000/',
  'http://0:3000/',
  'http://2130706433:3000/',
  'http://0x7f000001:3000/',
  'http://0x7f.0.0.1:3000/',
  'http://0177.0.0.1:3000/',
  'http://017700000001:3000/',
  'http://①②⑦.⓪.⓪.①:3000/',
  'http://[::1]:3000/',
  'http://[::]:3000/',
  'http://[::ffff:127.0.0.1]:3000/',
  'http://[::ffff:0:127.0.0.1]:3000/',
  'http://[::127.0.0.1]:3000/',
  'http://[64:ff9b::7f00:1]:3000/',
  'http://[64:ff9b:1::7f00:1]:3000/',
  'http://[2002:7f00:1::]:3000/',
  'https://localhost:3000/',
])('%s is Callboard itself, whatever is allowed', async (url) => {
  expect((await guardOf()).problemOf(new URL(url))).toMatch(
    /:3000' is Callboard itself, which a project may not call\.$/,
  );
});

test.each(['http://localhost:3001/', 'http://127.0.0.1/', 'http://[::1]:8000/', 'https://example.com:3000/'])(
  '%s is not',
  async (url) => {
    expect((await guardOf()).problemOf(new URL(url))).toBeUndefined();
  },
);

test('a port without a number is the one of its protocol', () => {
  const own = [ownPort('Callboard itself', 80)];
  expect(createAddressGuard('1', { own }).problemOf(new URL('http://localhost/'))).toContain("'localhost:80' is");
  expect(createAddressGuard('1', { own }).problemOf(new URL('https://localhost/'))).toBeUndefined();
});

const mine = Object.values(networkInterfaces())
  .flatMap((each) => each ?? [])
  .map(({ address }) => address)
  .filter((address) => isIP(address) === 4);

test.each([
  ['postgresql://u:p@127.0.0.1:55432/callboard', ['http://localhost:55432/', 'http://[::ffff:0:7f00:1]:55432/']],
  ['postgresql://u:p@localhost:55432/callboard', mine.map((address) => `http://${address}:55432/`)],
  ['postgresql://u:p@/callboard?host=127.0.0.1&port=55432', ['http://127.0.0.2:55432/']],
  ['postgresql://u:p@[::1]/callboard', ['http://127.0.0.1:5432/']],
  ['postgresql://u:p@10.1.2.3:5433/callboard', ['http://10.1.2.3:5433/', 'http://[::ffff:10.1.2.3]:5433/']],
  ['postgres://u:p@DB.example.invalid/callboard', ['http://db.example.invalid:5432/']],
])('the database %s is not called', async (databaseUrl, urls) => {
  const guard = await guardOf(databaseUrl);
  for (const url of urls)
    expect([url, guard.problemOf(new URL(url))]).toEqual([url, expect.stringContaining("is Callboard's database")]);
});

test('another port of the host of the database is called', async () => {
  const guard = await guardOf('postgresql://u:p@10.1.2.3:5433/callboard');
  expect(guard.problemOf(new URL('http://10.1.2.3:8080/'))).toBeUndefined();
  expect(await ownAddresses({ databaseUrl: 'postgresql://u@/callboard?host=/var/run/postgresql' })).toEqual([]);
});

test('a name that resolves to this machine is refused when connecting', async () => {
  const own = [ownPort('Callboard itself', portOf(ours))];
  const guard = createAddressGuard('1', { own });
  // The name in the request looks harmless, but resolves to loopback.
  const rebinding = createGuardedFetch({
    problemOf: guard.problemOf,
    lookupFor: (url) => (_, options, callback) => guard.lookupFor(url)('127.0.0.1', options, callback),
  });
  asked = 0;
  await expect(rebinding.fetch(`http://tools.example:${portOf(ours)}/mcp`)).rejects.toMatchObject({
    cause: { code: 'ERR_ADDRESS_REFUSED', message: expect.stringContaining('is Callboard itself') },
  });
  const fine = await rebinding.fetch(`http://tools.example:${portOf(other)}/`);
  expect([await fine.text(), asked]).toEqual(['fine', 0]);
  rebinding.close();
});

test('an included text is not read from Callboard, and not over a redirect', async () => {
  const own = [ownPort('Callboard itself', portOf(ours))];
  const reader = createTextReader({ allowPrivateUrls: '1', own });
  const read = (url: string) => reader.read(url, { signal: new AbortController().signal, namedBy: undefined });
  asked = 0;
  const refused = (host: string) => err(`'${host}:${portOf(ours)}' is Callboard itself, which a project may not call`);
  expect(await read(`http://127.0.0.1:${portOf(other)}/away`)).toEqual(refused('localhost'));
  expect(await read(`http://[::ffff:127.0.0.1]:${portOf(ours)}/`)).toEqual(refused('::ffff:7f00:1'));
  expect(await read(`http://127.0.0.1:${portOf(other)}/`)).toEqual(ok('fine'));
  expect(asked).toBe(0);
  reader.close();
});

test('where other machines can connect, Callboard is at every address of this machine', async () => {
  const [everywhere] = await ownAddresses({ webPort: 3000, webHost: '0.0.0.0' });
  expect(mine.filter((address) => everywhere?.has(address) !== true)).toEqual([]);
  expect(everywhere?.has('127.0.0.1')).toBe(true);
  expect(everywhere?.has('203.0.113.9')).toBe(false);
});
