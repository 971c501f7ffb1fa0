import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ensureAccessToken } from './access-token';
import { freePort } from './ports';
import { readEnv } from './settings/env';
import { appAddress, openAnEditor, openFirstPage, webAnswers, webListens } from './web-readiness';

let dataFolder: string;
let port: number;
const servers: Server[] = [];
beforeEach(async () => {
  dataFolder = mkdtempSync(path.join(tmpdir(), 'callboard-ready-'));
  port = await freePort();
});
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
  rmSync(dataFolder, { recursive: true });
});

const env = () => readEnv({ PORT: String(port), CALLBOARD_DATA: dataFolder });
const never = new AbortController().signal;

function serve(listener: RequestListener): Promise<void> {
  const server = createServer(listener);
  servers.push(server);
  return new Promise((resolve) => server.listen(port, '127.0.0.1', resolve));
}

test('the first page is asked for again until the web process listens, with the token', async () => {
  const token = ensureAccessToken(dataFolder);
  const opened = openFirstPage(env(), never);
  const seen: unknown[] = [];
  await serve((request, response) => {
    seen.push([request.url, request.headers.authorization]);
    response.writeHead(500).end('The page does not compile.');
  });
  await opened;
  expect(seen).toEqual([['/', `Bearer ${token}`]]);
});

test('the app answers when web and database do, not while the database starts', async () => {
  const statuses = [503, 503, 200];
  const asked: (string | undefined)[] = [];
  await serve((request, response) => {
    asked.push(request.url);
    response.writeHead(statuses.shift() ?? 500).end();
  });
  await webAnswers(env(), never);
  expect(asked).toEqual(['/api/health', '/api/health', '/api/health']);
});

test('the web process listens when it answers, whatever it answers', async () => {
  await serve((_request, response) => response.writeHead(401).end());
  await expect(webListens(env(), never)).resolves.toBeUndefined();
});

test.each([
  ['the last changed project', { projects: [{ id: 'p1', name: 'Sample' }], total: 1 }, '/p/p1'],
  ['an address without one, if there is no project', { projects: [], total: 0 }, '/p/none'],
])('the editor of %s is opened once the database answers', async (_, list, page) => {
  const token = ensureAccessToken(dataFolder);
  const statuses = [503, 200];
  const seen: unknown[] = [];
  await serve((request, response) => {
    seen.push([request.url, request.headers.authorization]);
    if (request.url?.startsWith('/p/')) response.writeHead(200).end('<html></html>');
    else response.writeHead(statuses.shift() ?? 500).end(JSON.stringify(list));
  });
  await openAnEditor(env(), never);
  const asked = ['/api/v1/projects?fields=name&limit=1', `Bearer ${token}`];
  expect(seen).toEqual([asked, asked, [page, `Bearer ${token}`]]);
});

test('a start goes on although no editor can be opened', async () => {
  await serve((request, response) => {
    if (request.url?.startsWith('/p/')) request.socket.destroy();
    else response.writeHead(200).end('no list');
  });
  await expect(openAnEditor(env(), never)).resolves.toBeUndefined();
});

test('nobody waits for a web process once the start is cancelled', async () => {
  const stopping = new AbortController();
  const { signal } = stopping;
  const waiting = Promise.all([webAnswers(env(), signal), openFirstPage(env(), signal), openAnEditor(env(), signal)]);
  stopping.abort();
  await waiting;
});

test.each([
  ['127.0.0.1', 'http://127.0.0.1:3000'],
  ['::1', 'http://[::1]:3000'],
])('the address on host %s is %s', (host, address) => {
  expect(appAddress({ host, port: 3000 })).toBe(address);
});
