import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { GET as readBytes } from '@/app/api/v1/projects/[project]/bytes/[hash]/route';
import { POST as upload } from '@/app/api/v1/projects/[project]/bytes/route';
import {
  DELETE as deleteConversation,
  GET as readConversation,
} from '@/app/api/v1/projects/[project]/conversations/[conversation]/route';
import { PATCH as save } from '@/app/api/v1/projects/[project]/files/route';
import { POST as pin } from '@/app/api/v1/projects/[project]/pins/route';
import { POST as startRun } from '@/app/api/v1/projects/[project]/runs/route';
import { POST as createProject } from '@/app/api/v1/projects/route';
import { testDatabase } from '@/lib/testing/postgres';

/** An id of one project in an address or a body of another one: it is no key to what it names. */

const { url, store } = await testDatabase();
beforeAll(() => vi.stubEnv('DATABASE_URL', url));
afterAll(() => vi.unstubAllEnvs());

type Route = (request: Request, context: { params: Promise<never> }) => Promise<Response>;

async function call(route: Route, method: string, params: Record<string, string>, body?: unknown) {
  const request = new Request('http://127.0.0.1:3000/api/v1/x', {
    method,
    headers: { Host: '127.0.0.1:3000', 'Content-Type': 'application/json' },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const response = await route(request, { params: Promise.resolve(params) as never });
  const text = await response.text();
  return { status: response.status, text };
}

const field = (text: string, name: string) => z.string().parse(z.looseObject({}).parse(JSON.parse(text))[name]);
const files = { 'a.md': '---\nname: a\nmodel: passthrough\n---\nA.\n' };

async function project(): Promise<string> {
  const made = await call(createProject, 'POST', {}, { files });
  return field(made.text, 'id');
}

describe('an id of another project', () => {
  test('of a run is not run again, and nothing of it is pinned', async () => {
    const [mine, theirs] = [await project(), await project()];
    const run = field((await call(startRun, 'POST', { project: theirs }, { message: 'Secret words' })).text, 'runId');
    for (const again of [
      { kind: 'again', run },
      { kind: 'from', run, at: 1 },
      { kind: 'instance', run, path: 'a' },
    ]) {
      const refused = await call(startRun, 'POST', { project: mine }, { again });
      expect([again.kind, refused.status, refused.text.includes('Secret')]).toEqual([again.kind, 404, false]);
    }
    expect((await call(pin, 'POST', { project: mine }, { run, seq: 1 })).status).toBe(404);
    expect(await store.prisma.run.count({ where: { projectId: mine } })).toBe(0);
  });

  test('of a conversation is neither read, continued nor deleted', async () => {
    const [mine, theirs] = [await project(), await project()];
    const begun = await call(startRun, 'POST', { project: theirs }, { message: 'Secret words', conversationId: 'new' });
    const conversation = field(begun.text, 'conversationId');
    const params = { project: mine, conversation };
    expect((await call(readConversation, 'GET', params)).status).toBe(404);
    expect((await call(deleteConversation, 'DELETE', params)).status).toBe(404);
    const continued = await call(
      startRun,
      'POST',
      { project: mine },
      { message: 'Go on', conversationId: conversation },
    );
    expect([continued.status, continued.text.includes('Secret')]).toEqual([404, false]);
    expect((await call(readConversation, 'GET', { project: theirs, conversation })).status).toBe(200);
  });

  test('of bytes opens nothing, by address or by a save', async () => {
    const [mine, theirs] = [await project(), await project()];
    const hash = field((await call(upload, 'POST', { project: theirs }, 'Secret bytes\0')).text, 'hash');
    expect((await call(readBytes, 'GET', { project: theirs, hash })).text).toBe('Secret bytes\0');
    expect((await call(readBytes, 'GET', { project: mine, hash })).status).toBe(404);
    const stolen = await call(
      save,
      'PATCH',
      { project: mine },
      { baseVersion: 1, changes: [{ path: 'stolen', hash }] },
    );
    expect(stolen.status).toBeGreaterThanOrEqual(400);
    expect((await call(readBytes, 'GET', { project: mine, hash })).status).toBe(404);
  });
});
