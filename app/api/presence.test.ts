import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { GET as readFiles, PATCH as save } from '@/app/api/v1/projects/[project]/files/route';
import { DELETE as leave, PUT as say, GET as stream } from '@/app/api/v1/projects/[project]/presence/route';
import { POST as createProject } from '@/app/api/v1/projects/route';
import { testDatabase } from '@/lib/testing/postgres';

const { url } = await testDatabase();
beforeAll(() => vi.stubEnv('DATABASE_URL', url));
afterAll(() => vi.unstubAllEnvs());

const host = '127.0.0.1:3000';
const files = { 'a.md': '---\nname: a\nmodel: passthrough\n---\nA.\n' };

type Route = (request: Request, context: { params: Promise<never> }) => Promise<Response>;

async function call(route: Route, method: string, project: string, query = '', body?: unknown) {
  const request = new Request(`http://${host}/api/v1/x${query}`, {
    method,
    headers: { Host: host, 'Content-Type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return await route(request, { params: Promise.resolve({ project }) as never });
}

async function project(): Promise<string> {
  const made = await call(createProject, 'POST', '', '', { files });
  return z.object({ id: z.string() }).parse(await made.json()).id;
}

/** Opens the stream of a project. `next` returns the first message that is as wanted. */
async function open(id: string, query = '') {
  const response = await call(stream, 'GET', id, query);
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  if (reader === undefined) throw new Error('no body');
  let text = '';
  return {
    async next(wanted: (present: { people: { id: string; selected: string[] }[]; version: number }) => boolean) {
      for (;;) {
        for (let end = text.indexOf('\n\n'); end !== -1; end = text.indexOf('\n\n')) {
          const message = /^data: (.*)$/m.exec(text.slice(0, end))?.[1];
          text = text.slice(end + 2);
          if (message === undefined) continue;
          const present = JSON.parse(message);
          if (wanted(present)) return present;
        }
        const { value, done } = await reader.read();
        if (done) throw new Error('The stream ended.');
        text += value;
      }
    },
    close: () => reader.cancel(),
  };
}

const at = (window: string, selected: string[] = []) => ({
  window,
  draft: 'main',
  place: { page: 'editor', selected },
});

test('the stream of a project tells who comes, where they are, and who leaves', async () => {
  const [id, other] = [await project(), await project()];
  const watched = await open(id);
  expect(await watched.next(() => true)).toEqual({ people: [], version: 1 });
  expect((await call(say, 'PUT', id, '', at('one'))).status).toBe(204);
  await watched.next(({ people }) => people.length === 1);
  await call(say, 'PUT', other, '', at('elsewhere', ['agent:secret']));
  await call(say, 'PUT', id, '', at('one', ['agent:a']));
  const moved = await watched.next(({ people }) => people[0]?.selected.length === 1);
  expect(moved.people).toEqual([
    { page: 'editor', id: 'one', you: true, draft: 'main', since: expect.any(Number), selected: ['agent:a'] },
  ]);
  expect((await call(leave, 'DELETE', id, '?window=one')).status).toBe(204);
  await watched.next(({ people }) => people.length === 0);
  await watched.close();
});

test('the stream tells when the draft was saved, and the files say who saved since', async () => {
  const id = await project();
  const watched = await open(id, '?draft=main');
  await watched.next(({ version }) => version === 1);
  const changes = [{ path: 'a.md', text: files['a.md'].replace('A.', 'B.') }];
  expect((await call(save, 'PATCH', id, '', { baseVersion: 1, changes })).status).toBe(200);
  await watched.next(({ version }) => version === 2);
  await watched.close();
  const savedBy = async (since: number) => {
    const answer = await call(readFiles, 'GET', id, `?binary=hash&since=${since}`);
    return (await answer.json()).savedBy;
  };
  expect(await savedBy(1)).toEqual({ names: [], you: true });
  expect(await savedBy(2)).toEqual({ names: [], you: false });
  expect((await call(readFiles, 'GET', id, '?since=x')).status).toBe(400);
});

test('nobody is in a project that is not there', async () => {
  expect((await call(stream, 'GET', 'nowhere')).status).toBe(404);
  expect((await call(say, 'PUT', 'nowhere', '', at('one'))).status).toBe(404);
  expect((await call(leave, 'DELETE', 'nowhere', '?window=one')).status).toBe(404);
});
