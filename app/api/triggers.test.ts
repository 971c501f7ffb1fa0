import { beforeAll, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { PATCH as edit, DELETE as remove } from '@/app/api/v1/projects/[project]/triggers/[trigger]/route';
import { POST as run } from '@/app/api/v1/projects/[project]/triggers/[trigger]/run/route';
import { POST as renew } from '@/app/api/v1/projects/[project]/triggers/[trigger]/secret/route';
import { POST as add, GET as list } from '@/app/api/v1/projects/[project]/triggers/route';
import type { ProjectId } from '@/lib/base/ids';
import { folderOf } from '@/lib/cards/files';
import { release } from '@/lib/server/revisions';
import { writeHookKeys } from '@/lib/store/hook-secret';
import { insertProject } from '@/lib/store/projects';
import { openingKey } from '@/lib/store/sealing';
import { localActor } from '@/lib/testing/local-actor';
import { testDatabase } from '@/lib/testing/postgres';

const { url, store } = await testDatabase();
let project: ProjectId;
beforeAll(async () => {
  vi.stubEnv('DATABASE_URL', url);
  vi.stubEnv('CALLBOARD_OPEN', '1');
  vi.stubEnv('CALLBOARD_HOOKS_KEY', writeHookKeys([openingKey(Buffer.alloc(32, 3))]));
  const folder = folderOf({ 'lead.md': '---\nname: lead\nmodel: passthrough\n---\nLead.\n' });
  project = await insertProject(store, 'Shop', folder, { origin: 'api' });
  await release(localActor, project, { label: 'live', target: { draft: 'main' }, note: '', override: undefined });
});

type Route = (request: Request, context: { params: Promise<never> }) => Promise<Response>;
const json = z.looseObject({ error: z.looseObject({ message: z.string() }).optional() });

async function call(route: Route, method: string, body?: unknown, trigger = '') {
  const request = new Request('http://127.0.0.1:3000/api/v1/x', {
    method,
    headers: { host: '127.0.0.1:3000', 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const response = await route(request, { params: Promise.resolve({ project, trigger }) as never });
  const text = await response.text();
  return { status: response.status, body: text === '' ? {} : json.parse(JSON.parse(text)) };
}

const nightly = {
  kind: 'schedule',
  name: 'Nightly',
  message: 'Go',
  schedule: { cron: '30 2 * * *', zone: 'Europe/Berlin' },
};
const made = z.looseObject({ id: z.string(), secret: z.string().optional() });
const listed = z.object({ triggers: z.array(z.looseObject({ id: z.string(), next: z.array(z.number()) })) });

test('a schedule is made, listed with its due times, changed, switched off and deleted', async () => {
  const { status, body } = await call(add, 'POST', nightly);
  const { id, secret } = made.parse(body);
  expect([status, secret]).toEqual([201, undefined]);
  const only = async () => listed.parse((await call(list, 'GET')).body).triggers[0];
  const first = await only();
  expect(first).toMatchObject({
    ...{ id, name: 'Nightly', target: { label: 'live' }, stopAfter: 5, enabled: true, failures: 0, firings: [] },
  });
  expect(first?.next).toHaveLength(3);
  expect((await call(edit, 'PATCH', { schedule: { cron: '0 7 * * 1', zone: 'UTC' }, stopAfter: 2 }, id)).status).toBe(
    204,
  );
  const monday = await only();
  expect(monday?.next.map((at) => new Date(at).toISOString().slice(11, 16))).toEqual(['07:00', '07:00', '07:00']);
  const row = () => store.prisma.trigger.findUniqueOrThrow({ where: { id } });
  expect((await row()).nextAt?.getTime()).toBe(monday?.next[0]);
  await call(edit, 'PATCH', { enabled: false }, id);
  expect([(await only())?.next, (await row()).nextAt]).toEqual([[], null]);
  await call(edit, 'PATCH', { message: 'Stop' }, id);
  expect((await row()).nextAt).toBeNull();
  await call(edit, 'PATCH', { enabled: true }, id);
  expect((await row()).nextAt?.getTime()).toBe(monday?.next[0]);
  expect((await call(remove, 'DELETE', undefined, id)).status).toBe(204);
  expect((await call(remove, 'DELETE', undefined, id)).status).toBe(404);
  const actions = (await store.prisma.audit.findMany({ where: { object: id }, orderBy: { seq: 'asc' } })).map(
    ({ action, body: said }) => `${action} ${said}`,
  );
  expect(actions).toEqual([
    'trigger.added {"name":"Nightly","kind":"schedule"}',
    'trigger.changed {"name":"Nightly","change":"settings"}',
    'trigger.changed {"name":"Nightly","change":"off"}',
    'trigger.changed {"name":"Nightly","change":"settings"}',
    'trigger.changed {"name":"Nightly","change":"on"}',
    'trigger.removed {"name":"Nightly"}',
  ]);
});

test('a person starts the run of a trigger now, also while it is switched off, and its end counts for nothing', async () => {
  const { id } = made.parse((await call(add, 'POST', { ...nightly, name: 'Now' })).body);
  await call(edit, 'PATCH', { enabled: false }, id);
  const started = z.looseObject({ run: z.string(), revision: z.number() });
  const { status, body } = await call(run, 'POST', undefined, id);
  expect([status, started.parse(body).revision]).toEqual([202, 1]);
  expect(await store.prisma.run.findUniqueOrThrow({ where: { id: started.parse(body).run } })).toMatchObject({
    ...{ startedBy: 'local', triggerId: id },
  });
  expect(await store.prisma.triggerFiring.findMany({ where: { triggerId: id } })).toMatchObject([{ counted: true }]);
});

test('the secret of a webhook is shown when it is made, and is not in the database', async () => {
  const { id, secret = '' } = made.parse(
    (await call(add, 'POST', { kind: 'webhook', name: 'Hook', message: '{{body}}' })).body,
  );
  expect(secret).toMatch(/^whsec_[\w+/]{43}=$/);
  const { body } = await call(renew, 'POST', undefined, id);
  expect(z.looseObject({ secret: z.string() }).parse(body).secret).not.toBe(secret);
  const rows = JSON.stringify([await store.prisma.trigger.findMany(), await call(list, 'GET')]);
  expect(rows).not.toContain('whsec_');
});

test.each([
  ['a name that is taken', { ...nightly, name: 'Twice' }, 409, "has a trigger 'Twice' already"],
  ['a schedule without one', { ...nightly, name: 'A', schedule: undefined }, 400, 'a schedule needs one'],
  ['a webhook with one', { ...nightly, name: 'A', kind: 'webhook' }, 400, 'a webhook has none'],
  [
    'fields that cannot be read',
    { ...nightly, name: 'A', schedule: { cron: '99 * * * *', zone: 'UTC' } },
    400,
    'cannot be read',
  ],
  ['an unknown zone', { ...nightly, name: 'A', schedule: { cron: '0 * * * *', zone: 'Moon' } }, 400, 'no time zone'],
  ['an unknown placeholder', { ...nightly, name: 'A', message: '{{body}}' }, 400, 'is no placeholder'],
  ['a revision that is not there', { ...nightly, name: 'A', target: { revision: 99 } }, 404, '99'],
  ['two targets', { ...nightly, name: 'A', target: { revision: 1, label: 'live' } }, 400, 'Give either'],
])('%s is refused with a sentence', async (_what, body, status, words) => {
  await call(add, 'POST', { ...nightly, name: 'Twice' });
  const answer = await call(add, 'POST', body);
  expect([answer.status, answer.body.error?.message]).toEqual([status, expect.stringContaining(words)]);
});

test('a project has at most a hundred triggers', async () => {
  const rows = Array.from({ length: 100 }, (_, index) => ({
    ...{ id: `many-${index}`, projectId: project, kind: 'webhook', name: `many ${index}`, message: '', by: 'local' },
  }));
  await store.prisma.trigger.createMany({ data: rows });
  const { status, body } = await call(add, 'POST', { ...nightly, name: 'One more' });
  expect([status, body.error?.message]).toEqual([409, expect.stringContaining('at most 100')]);
});
