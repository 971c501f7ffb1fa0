import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { PUT as put, DELETE as remove } from '@/app/api/v1/secrets/[name]/route';
import { GET as list } from '@/app/api/v1/secrets/route';
import { folderOf } from '@/lib/cards/files';
import { installationFor } from '@/lib/server/installation';
import { insertProject } from '@/lib/store/projects';
import { openingKey, unseal } from '@/lib/store/sealing';
import { sealedSecretsOf } from '@/lib/store/secrets';
import { testDatabase } from '@/lib/testing/postgres';

const { url, store } = await testDatabase();
const key = openingKey(Buffer.alloc(32, 5));
const value = 'ghp-of-the-team-1234567890';

beforeAll(() => {
  vi.stubEnv('DATABASE_URL', url);
  vi.stubEnv('CALLBOARD_SEALING_KEY', key.publicKey);
});
afterAll(() => vi.unstubAllEnvs());

const host = '127.0.0.1:3000';
type Route = (request: Request, context: { params: Promise<never> }) => Promise<Response>;

async function call(route: Route, method: string, name: string, query: string, body?: unknown) {
  const request = new Request(`http://${host}/api/v1/secrets/${name}${query}`, {
    method,
    headers: { Host: host, 'Content-Type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const response = await route(request, { params: Promise.resolve({ name }) as never });
  return { status: response.status, text: await response.text() };
}

const names = (text: string) =>
  z
    .object({ secrets: z.array(z.object({ name: z.string() })) })
    .parse(JSON.parse(text))
    .secrets.map(({ name }) => name);

test('a secret is written, listed without its value, replaced and removed', async () => {
  const project = await insertProject(store, 'Poems', folderOf({ 'a.md': 'a' }));
  const place = `?project=${project}`;
  expect((await call(put, 'PUT', 'GITHUB_TOKEN', place, { value, hosts: ['api.github.com'] })).status).toBe(204);
  const { text } = await call(list, 'GET', '', place);
  expect(names(text)).toEqual(['GITHUB_TOKEN']);
  expect(text).not.toContain(value);
  expect(text).not.toContain('sealed');
  expect((await call(put, 'PUT', 'GITHUB_TOKEN', place, { value: `${value}-2` })).status).toBe(204);
  const [stored] = await sealedSecretsOf(store, project, { accounts: true });
  expect(stored && unseal(stored.sealed, `${project}/GITHUB_TOKEN`, key)).toBe(`${value}-2`);
  expect((await call(remove, 'DELETE', 'GITHUB_TOKEN', place)).status).toBe(204);
  expect((await call(remove, 'DELETE', 'GITHUB_TOKEN', place)).status).toBe(404);
});

test('checks know secrets of the installation in every project, and secrets of a project there alone', async () => {
  const project = await insertProject(store, 'Poems', folderOf({ 'a.md': 'a' }));
  await call(put, 'PUT', 'ANTHROPIC_API_KEY', '', { value });
  await call(put, 'PUT', 'GITHUB_TOKEN', `?project=${project}`, { value });
  const [here, elsewhere] = [await installationFor(project), await installationFor()];
  expect(here.models.ANTHROPIC_API_KEY).toBe('set');
  expect(here.secrets).toEqual(['GITHUB_TOKEN']);
  expect(elsewhere.models.ANTHROPIC_API_KEY).toBe('set');
  expect(elsewhere.secrets).toEqual([]);
});

test.each([
  ['DATABASE_URL', value, "opens Callboard's own database"],
  ['CALLBOARD_OPEN', value, 'a setting of Callboard'],
  ['OPENAI_BASE_URL', value, 'is an address'],
  ['not-a-name', value, 'is not the name of a variable'],
  ['SHORT', 'short', 'at least 8 characters'],
  ['ODD', 'with\0a NUL inside', 'no NUL'],
])('%s is refused with the reason: %s', async (name, given, why) => {
  const { status, text } = await call(put, 'PUT', name, '', { value: given });
  expect(status).toBe(400);
  expect(text).toContain(why);
});
