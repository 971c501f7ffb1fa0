import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { createAddressGuard } from './address-guard';
import { createGuardedFetch } from './guarded-fetch';

const servers: http.Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

const problem = (url: string, allow?: string) => createAddressGuard(allow).problemOf(new URL(url));

test.each([
  'http://169.254.169.254/mcp',
  'http://[::ffff:169.254.169.254]/',
  'http://[64:ff9b::a9fe:a9fe]/',
  'http://[2002:a9fe:a9fe::]/',
  'http://2852039166/',
  'http://[fe80::1]/',
  'http://[fd00:ec2::254]/',
  'http://100.100.100.200/',
  'http://metadata.google.internal/',
  'http://224.0.0.1/',
])('the URL %s is never called', (url) => {
  expect(problem(url, '1')).toMatch(/metadata/);
});

test.each(['http://10.1.2.3/', 'http://192.168.0.9/', 'http://172.20.0.2/', 'http://[fd12::1]/', 'http://100.64.0.1/'])(
  '%s is private',
  (url) => {
    expect(problem(url)).toMatch(/is a private address\. An operator allows it with CALLBOARD_ALLOW_PRIVATE_URLS\./);
    expect(problem(url, '0')).toBeDefined();
    expect(problem(url, '1')).toBeUndefined();
  },
);

test('private networks are allowed one by one', () => {
  expect(problem('http://10.1.2.3/', '10.1.0.0/16, 192.168.0.9')).toBeUndefined();
  expect(problem('http://192.168.0.9/', '10.1.0.0/16, 192.168.0.9')).toBeUndefined();
  expect(problem('http://10.2.2.3/', '10.1.0.0/16, 192.168.0.9')).toBeDefined();
});

test.each([
  'http://127.0.0.1:3000/mcp',
  'http://localhost/',
  'http://[::1]/',
  'http://0.0.0.0:8000/',
  'https://93.184.216.34/',
  'https://[2606:2800:220:1:248:1893:25c8:1946]/',
])('%s is open', (url) => {
  expect(problem(url)).toBeUndefined();
});

test('a name is checked by what it resolves to, when connecting', async () => {
  const server = http.createServer((_, response) => response.end('hello'));
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const guard = createAddressGuard(undefined);
  const good = createGuardedFetch(guard);
  expect(await (await good.fetch(`http://localhost:${port}/`)).text()).toBe('hello');
  good.close();

  // A resolver whose second answer is the metadata address.
  let asked = 0;
  const rebinding = createGuardedFetch({
    problemOf: guard.problemOf,
    lookupFor: (url) => (_, options, callback) => {
      asked += 1;
      guard.lookupFor(url)(asked === 1 ? '127.0.0.1' : '169.254.169.254', options, callback);
    },
  });
  const first = await rebinding.fetch(`http://name.example:${port}/`, { headers: { connection: 'close' } });
  expect(await first.text()).toBe('hello');
  await expect(rebinding.fetch(`http://name.example:${port}/`)).rejects.toMatchObject({
    cause: { code: 'ERR_ADDRESS_REFUSED', message: expect.stringContaining('169.254.169.254') },
  });
  rebinding.close();
});
