import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { POST as start } from '@/app/api/v1/projects/[project]/runs/route';
import { GET as read } from '@/app/api/v1/runs/[run]/route';
import { GET as exported } from '@/app/api/v1/runs/export/route';
import { GET as names } from '@/app/api/v1/runs/names/route';
import { GET as list } from '@/app/api/v1/runs/route';
import type { ProjectId } from '@/lib/base/ids';
import { folderOf } from '@/lib/cards/files';
import { insertProject } from '@/lib/store/projects';
import { testDatabase } from '@/lib/testing/postgres';

/** User, tags and metadata of a run, from the request on to lists and tables. */

const { url, store } = await testDatabase();
const host = '127.0.0.1:3000';
const none = { params: Promise.resolve({}) as never };
let project: ProjectId;

beforeAll(async () => {
  vi.stubEnv('DATABASE_URL', url);
  project = await insertProject(store, 'Marked', folderOf({ 'a.md': '---\nname: a\n---\nHelp.\n' }), { origin: 'api' });
});
afterAll(() => vi.unstubAllEnvs());

async function post(body: Record<string, unknown>): Promise<Response> {
  const headers = { Host: host, 'Content-Type': 'application/json' };
  const request = new Request(`http://${host}/api/v1`, { method: 'POST', headers, body: JSON.stringify(body) });
  return await start(request, { params: Promise.resolve({ project }) as never });
}

const get = (path: string) => new Request(`http://${host}/api/v1/${path}`, { headers: { Host: host } });

async function found(filter: string): Promise<readonly string[]> {
  const { groups } = await (await list(get(`runs?project=${project}&${filter}`), none)).json();
  return groups.flatMap(({ runs }: { runs: { message: string }[] }) => runs.map(({ message }) => message)).sort();
}

test('a run keeps what its caller says of it, and filters, names and the CSV have it', async () => {
  const marks = { user: 'ada-7', tags: ['nightly', 'eu'], metadata: { tier: 'gold', 'git.sha': '3f1c' } };
  const { runId } = await (await post({ message: 'marked', ...marks, tags: ['nightly', 'eu', 'eu'] })).json();
  await post({ message: 'other', user: 'ben', tags: ['nightly'], metadata: { tier: 'silver' } });
  await post({ message: 'plain' });

  const run = await (await read(get(`runs/${runId}`), { params: Promise.resolve({ run: runId }) as never })).json();
  expect(run).toMatchObject(marks);

  expect(await found('user=ada-7')).toEqual(['marked']);
  expect(await found('user.not=ada-7')).toEqual(['other', 'plain']);
  expect(await found('tag=nightly')).toEqual(['marked', 'other']);
  expect(await found('tag=nightly&tag=eu')).toEqual(['marked']);
  expect(await found('tag.not=eu')).toEqual(['other', 'plain']);
  expect(await found('metadata=tier%3Dgold')).toEqual(['marked']);
  expect(await found('metadata.not=tier%3Dgold')).toEqual(['other', 'plain']);
  expect(await found('user=ADA-7')).toEqual([]);

  expect(await (await names(get('runs/names?field=tag&text='), none)).json()).toEqual({ names: ['eu', 'nightly'] });
  expect(await (await names(get('runs/names?field=user&text=a'), none)).json()).toEqual({ names: ['ada-7'] });

  const csv = await (await exported(get('runs/export?user=ada-7'), none)).text();
  expect(csv).toContain(',errors,user,tags,metadata');
  expect(csv).toContain('ada-7,"nightly, eu","{""tier"":""gold"",""git.sha"":""3f1c""}"');
});

test.each([
  [{ user: '' }, 'user'],
  [{ tags: ['a\u0000b'] }, 'tags'],
  [{ tags: Array.from({ length: 51 }, (_, n) => `t${n}`) }, 'At most 50 tags.'],
  [{ metadata: { 'a b': 'x' } }, 'Names have 1 to 64 letters'],
  [{ metadata: { a: 1 } }, 'metadata'],
])('marks that cannot be kept are refused: %j', async (marks, words) => {
  const response = await post({ message: 'x', ...marks });
  expect(response.status).toBe(400);
  expect(JSON.stringify(await response.json())).toContain(words);
});
