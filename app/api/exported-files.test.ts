import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { GET as readFiles } from '@/app/api/v1/projects/[project]/files/route';
import { POST as create } from '@/app/api/v1/projects/route';
import { readZip } from '@/lib/server/folders/zip';
import { testDatabase } from '@/lib/testing/postgres';

const { url } = await testDatabase();
beforeAll(() => vi.stubEnv('DATABASE_URL', url));
afterAll(() => vi.unstubAllEnvs());

const headers = { Host: '127.0.0.1:3000', 'Content-Type': 'application/json', Authorization: 'Bearer none' };
const files = {
  'agent-cards/poet.md': '---\nname: poet\n---\nWrite.\n',
  '.env': 'KEY=hidden\n',
  '.env.example': 'KEY=\n',
  'fastagent.secrets.yaml': 'openai: {api_key: hidden}\n',
};

test('a zip is whole, or without the files that hold secrets', async () => {
  const body = JSON.stringify({ name: 'Keys', files });
  const made = await create(new Request('http://127.0.0.1:3000/api/v1/projects', { method: 'POST', headers, body }), {
    params: Promise.resolve({}),
  });
  const { id } = z.object({ id: z.string() }).parse(await made.json());
  const read = (query: string) =>
    readFiles(new Request(`http://127.0.0.1:3000/api/v1/x?${query}`, { headers }), {
      params: Promise.resolve({ project: id }),
    });
  const paths = async (query: string) =>
    [...readZip(new Uint8Array(await (await read(query)).arrayBuffer())).keys()].sort();

  expect(await paths('format=zip')).toEqual(Object.keys(files).sort());
  expect(await paths('format=zip&secrets=omit')).toEqual(['.env.example', 'agent-cards/poet.md']);
  expect(await paths('format=zip&for=fast-agent')).toContain('.env');
  expect((await paths('format=zip&for=fast-agent&secrets=omit')).join()).not.toMatch(/\.env,|\.env$|secrets/);
  const refused = await read('secrets=omit');
  expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining('format=zip')]);
});
