import { afterAll, expect, test, vi } from 'vitest';
import { GET as readCard } from '@/app/api/v1/projects/[project]/a2a/.well-known/agent-card.json/route';
import { POST as call } from '@/app/api/v1/projects/[project]/mcp/route';
import { folderOf } from '@/lib/cards/files';
import { insertProject } from '@/lib/store/projects';
import { testDatabase } from '@/lib/testing/postgres';
import { storedRun } from '@/lib/testing/stored-run';

/** What other programs are told of addresses, where a proxy takes TLS connections for Callboard. */

const { url, store } = await testDatabase();
vi.stubEnv('DATABASE_URL', url);
vi.stubEnv('CALLBOARD_PUBLIC_URL', 'https://callboard.example.org');
afterAll(() => vi.unstubAllEnvs());

const run = await storedRun(store);
const card = '---\nname: lead\nmodel: passthrough\n---\nLead.\n';
const project = await insertProject(store, 'Shop', folderOf({ 'lead.md': card }), { origin: 'blank' });
const ended = { status: 'completed', finishedAt: new Date(), projectId: project };
await store.prisma.run.update({ where: { id: run }, data: ended });
const inProject = { params: Promise.resolve({ project }) };

/** The proxy keeps the name that the client asked for, and speaks HTTP. */
function asked(host: string, body?: unknown): Request {
  const headers = { host, accept: 'application/json, text/event-stream', 'content-type': 'application/json' };
  const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
  return new Request(`http://127.0.0.1:3000/api/v1/projects/${project}`, { ...init, headers });
}

const origins = [
  ['callboard.example.org', 'https://callboard.example.org'],
  ['localhost:3000', 'http://localhost:3000'],
] as const;

test.each(origins)('the page of a run is at the address that a client of %s can open', async (host, origin) => {
  const params = { name: 'get_run_result', arguments: { run_id: run } };
  const answer = await call(asked(host, { jsonrpc: '2.0', id: 1, method: 'tools/call', params }), inProject);
  expect(await answer.text()).toContain(`"url":"${origin}/r/${run}"`);
});

test.each(origins)('the agent card names the endpoint that a client of %s can reach', async (host, origin) => {
  const told = await (await readCard(asked(host), inProject)).json();
  expect(told).toMatchObject({ url: `${origin}/api/v1/projects/${project}/a2a` });
});
