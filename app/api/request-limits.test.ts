import { beforeAll, expect, it } from 'vitest';
import { POST as callAgent } from '@/app/api/v1/projects/[project]/a2a/route';
import { POST as callTools } from '@/app/api/v1/projects/[project]/mcp/route';
import { GET as listProjects } from '@/app/api/v1/projects/route';
import { POST as sendTraces } from '@/app/v1/traces/route';
import type { Actor } from '@/lib/base/actor';
import type { ProjectId } from '@/lib/base/ids';
import { folderOf } from '@/lib/cards/files';
import { hashOfSecret } from '@/lib/server/accounts/token-text';
import { listOwnTokens } from '@/lib/server/accounts/tokens';
import { countTry, type LimitName } from '@/lib/server/limits/tries';
import { insertProject } from '@/lib/store/projects';
import { testDatabase } from '@/lib/testing/postgres';
import { personInBrowser, scriptRequest, tokenFor, withTokens } from '@/lib/testing/token-people';

const { url, store } = await testDatabase();
withTokens(url);

let project: ProjectId;
let ann: Actor;
beforeAll(async () => {
  project = await insertProject(store, 'Here', folderOf({ 'a.md': '---\nname: a\n---\nA.\n' }));
  ann = await personInBrowser(store, 'ann@limits.example', { administrator: true });
});

type Route = (request: Request, context: { params: Promise<never> }) => Promise<Response>;

async function ask(route: Route, token: string, init: RequestInit = {}) {
  const response = await route(scriptRequest(`Bearer ${token}`, init), {
    params: Promise.resolve({ project }) as never,
  });
  const text = await response.text();
  return { status: response.status, retryAfter: response.headers.get('retry-after'), text };
}

async function use(name: LimitName, key: string, times: number): Promise<void> {
  for (let done = 0; done < times; done += 100) {
    await Promise.all(Array.from({ length: Math.min(100, times - done) }, () => countTry(store, name, key)));
  }
}

async function idOf(name: string): Promise<string> {
  return (await listOwnTokens(ann)).find((token) => token.name === name)?.id ?? 'none';
}

it('a token has 1,200 requests a minute, and others of the same person go on', async () => {
  const [busy, other] = [await tokenFor(ann, ['read']), await tokenFor(ann, ['read'])];
  await use('token', hashOfSecret(busy), 1_199);
  expect((await ask(listProjects, busy)).status).toBe(200);
  const refused = await ask(listProjects, busy);
  expect([refused.status, Number(refused.retryAfter) > 0]).toEqual([429, true]);
  expect(refused.text).toContain('Too many requests came with this token.');
  expect((await ask(listProjects, other)).status).toBe(200);
});

it('a sender of traces has 600 requests a minute, refused before the spans are read', async () => {
  const token = await tokenFor(ann, ['ingest'], { name: 'traces' });
  await use('traces', await idOf('traces'), 599);
  const spans = (body: string) =>
    ask(sendTraces, token, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  expect((await spans('{"resourceSpans":[]}')).status).toBe(200);
  const refused = await spans('not even JSON');
  expect([refused.status, Number(refused.retryAfter) > 0]).toEqual([429, true]);
  expect(refused.text).toContain('Too many traces came from this sender.');
});

it('a sender of A2A has 1,200 requests a minute', async () => {
  const token = await tokenFor(ann, ['run'], { name: 'agents' });
  await use('a2a', await idOf('agents'), 1_199);
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tasks/get', params: { id: 'none' } });
  const call = () => ask(callAgent, token, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  expect((await call()).status).toBe(200);
  const refused = await call();
  expect([refused.status, Number(refused.retryAfter) > 0]).toEqual([429, true]);
});

it('a sender of MCP has 1,200 requests a minute', async () => {
  const token = await tokenFor(ann, ['run'], { name: 'tools' });
  await use('mcp', await idOf('tools'), 1_199);
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const call = () => ask(callTools, token, { method: 'POST', headers, body });
  expect((await call()).status).toBe(200);
  const refused = await call();
  expect([refused.status, Number(refused.retryAfter) > 0]).toEqual([429, true]);
  expect(refused.text).toContain('Too many requests of MCP came from this sender.');
});
