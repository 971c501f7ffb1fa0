import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { err, ok } from '@/lib/base/result';
import { createTextReader } from './text-reader';

const redirects: Readonly<Record<string, string>> = {
  '/moved': '/text',
  '/moved-twice': 'moved',
  '/to-metadata': 'http://169.254.169.254/latest/meta-data/',
  '/to-private': 'http://10.1.2.3/secret',
  '/to-file': 'file:///etc/passwd',
  '/loop': '/loop',
};

let asked: string[] = [];
const server = http.createServer((request, response) => {
  const path = request.url ?? '';
  asked.push(path);
  const target = redirects[path];
  if (target !== undefined) response.writeHead(302, { location: target }).end('moved');
  else if (path === '/text') response.writeHead(200, { 'content-type': 'text/markdown' }).end('Be kind. ü');
  else if (path === '/latin') response.end(Buffer.from('Be kind. ü', 'latin1'));
  else if (path === '/long') response.end('x'.repeat(101));
  else if (path === '/endless') {
    const more = () => {
      while (!response.destroyed && response.write('x'.repeat(1_000))) {}
    };
    response.on('drain', more);
    more();
  } else if (path !== '/silent') response.writeHead(404).end('nothing here');
});
let base = '';

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

async function read(address: string, options: { namedBy?: string; allow?: string; timeoutMs?: number } = {}) {
  asked = [];
  const reader = createTextReader({ allowPrivateUrls: options.allow, timeoutMs: options.timeoutMs, maxBytes: 100 });
  const signal = new AbortController().signal;
  const answer = await reader.read(address, { signal, namedBy: options.namedBy });
  reader.close();
  return answer;
}

describe('the text at an address', () => {
  test('is read as UTF-8, over redirects too', async () => {
    expect(await read(`${base}/text`)).toEqual(ok('Be kind. ü'));
    expect(await read(`${base}/moved-twice`)).toEqual(ok('Be kind. ü'));
    expect(asked).toEqual(['/moved-twice', '/moved', '/text']);
  });

  test.each([
    ['/missing', 'the server answered 404'],
    ['/latin', 'it is not UTF-8 text'],
    ['/long', 'it has more than 100 bytes'],
    ['/endless', 'it has more than 100 bytes'],
    ['/loop', 'it redirects more than 5 times'],
    ['/to-metadata', "'169.254.169.254' is a link-local, cloud metadata or multicast address"],
    ['/to-private', "'10.1.2.3' is a private address. An operator allows it with CALLBOARD_ALLOW_PRIVATE_URLS"],
    ['/to-file', "'file:' addresses are not supported"],
  ])('%s is refused: %s', async (path, reason) => {
    expect(await read(`${base}${path}`)).toEqual(err(reason));
  });

  test('that never comes is given up after its time', async () => {
    expect(await read(`${base}/silent`, { timeoutMs: 30 })).toEqual(err('it did not answer within 0.03 s'));
  });

  test.each([
    ['http://169.254.169.254/', "'169.254.169.254' is a link-local, cloud metadata or multicast address"],
    [
      'http://192.168.0.1/',
      "'192.168.0.1' is a private address. An operator allows it with CALLBOARD_ALLOW_PRIVATE_URLS",
    ],
    ['hf://datasets/a/b/c.md', "'hf:' addresses are not supported; use the file's https address"],
    ['https://me:secret@example.com/', 'it has a user name or password in it'],
    ['http://', 'it is not an address'],
  ])('%s is not called: %s', async (address, reason) => {
    expect(await read(address)).toEqual(err(reason));
  });

  test('on this machine is not read because a text from elsewhere names it', async () => {
    const namedBy = 'https://example.com/prompt.md';
    const refusal = "'127.0.0.1' is a private address. An operator allows it with CALLBOARD_ALLOW_PRIVATE_URLS";
    expect(await read(`${base}/text`, { namedBy })).toEqual(err(refusal));
    expect(asked).toEqual([]);
    expect(await read(`${base}/text`, { namedBy, allow: '127.0.0.1' })).toEqual(ok('Be kind. ü'));
    expect(await read(`${base}/text`, { namedBy: 'http://localhost:1/a' })).toEqual(ok('Be kind. ü'));
  });

  test('is no longer waited for once the run is stopped', async () => {
    const stop = new AbortController();
    const reader = createTextReader({ allowPrivateUrls: undefined });
    const answer = reader.read(`${base}/silent`, { signal: stop.signal, namedBy: undefined });
    stop.abort();
    expect(await answer).toEqual(err('it was stopped'));
    reader.close();
  });
});
