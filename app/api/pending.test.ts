import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { DELETE as revoke } from '@/app/api/v1/grants/[grant]/route';
import { GET as readGrants } from '@/app/api/v1/grants/route';
import { POST as answer } from '@/app/api/v1/pending/[item]/answer/route';
import { GET as read } from '@/app/api/v1/pending/[item]/route';
import { POST as answerAll } from '@/app/api/v1/pending/answers/route';
import { GET as readDetails } from '@/app/api/v1/pending/details/route';
import { GET as list } from '@/app/api/v1/pending/route';
import { GET as stream } from '@/app/api/v1/pending/stream/route';
import type { RunId } from '@/lib/base/ids';
import { testDatabase } from '@/lib/testing/postgres';
import { storedItem, storedItems } from '@/lib/testing/stored-item';
import { storedRun } from '@/lib/testing/stored-run';

const { url, store } = await testDatabase();

beforeAll(() => vi.stubEnv('DATABASE_URL', url));
afterAll(() => vi.unstubAllEnvs());

const host = '127.0.0.1:3000';
type Route = (request: Request, context: { params: Promise<never> }) => Promise<Response>;

async function call(route: Route, method: string, params: Record<string, string>, body?: unknown, query = '') {
  const request = new Request(`http://${host}/api/v1/pending${query}`, {
    method,
    headers: { Host: host, 'Content-Type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const response = await route(request, { params: Promise.resolve(params) as never });
  const text = await response.text();
  return { status: response.status, body: text === '' ? undefined : z.looseObject({}).parse(JSON.parse(text)) };
}

async function suspendedRun(): Promise<RunId> {
  const runId = await storedRun(store);
  await store.prisma.run.update({ where: { id: runId }, data: { status: 'suspended', lastSeq: 5 } });
  return runId;
}

const page = z.object({
  items: z.array(z.looseObject({ id: z.string() })),
  next: z.string().nullable(),
  open: z.number(),
});
const listed = async (query: string) => page.parse((await call(list, 'GET', {}, undefined, query)).body);

test('open questions of a run are listed page by page, the oldest first', async () => {
  const runId = await suspendedRun();
  const ids = await storedItems(store, runId, 25);
  const found: string[] = [];
  for (let after = ''; ; ) {
    const { items, next, open } = await listed(`?run=${runId}&limit=10${after}`);
    expect(open).toBe(25);
    found.push(...items.map(({ id }) => id));
    if (next === null) break;
    after = `&after=${next}`;
  }
  expect(found).toEqual(ids);
  const { projectId } = await store.prisma.run.findUniqueOrThrow({ where: { id: runId } });
  expect((await listed(`?project=${projectId}&status=all&limit=1`)).items).toEqual([
    expect.objectContaining({
      id: ids.at(-1),
      kind: 'approval',
      status: 'open',
      run: runId,
      projectName: 'Test',
      path: 'lead',
    }),
  ]);
  expect(await listed(`?run=${runId}&status=answered`)).toEqual({ items: [], next: null, open: 25 });
  expect((await call(list, 'GET', {}, undefined, '?status=closed')).status).toBe(400);
});

test('an answer that does not fit changes nothing, and the refusal names the field', async () => {
  const item = await storedItem(store, await suspendedRun());
  const refused = async (body: unknown) => {
    const { status, body: answered } = await call(answer, 'POST', { item }, body);
    const { error } = z.object({ error: z.looseObject({ message: z.string() }) }).parse(answered);
    return [status, error.field ?? error.message.split(':')[0]];
  };
  expect(await refused({ decision: 'edit', arguments: { to: 5 } })).toEqual([400, 'arguments.to']);
  expect(await refused({ decision: 'edit', arguments: {} })).toEqual([400, 'arguments.to']);
  expect(await refused({ decision: 'edit' })).toEqual([400, 'arguments']);
  expect(await refused({ decision: 'answer', content: 'yes' })).toEqual([400, 'decision']);
  expect(await refused({ decision: 'approve', arguments: { to: 'eve' } })).toEqual([400, 'arguments']);
  expect(await refused({ decision: 'maybe' })).toEqual([400, 'decision']);
  expect(await refused({ decision: 'approve', ifVersion: 3 })).toEqual([400, 'There is no field "ifVersion". Known']);
  expect(await refused({ decision: 'deny', remember: { scope: 'run' } })).toEqual([400, 'remember']);
  expect(await refused({ decision: 'approve', remember: { scope: 'run', match: { cc: '*' } } })).toEqual([
    400,
    'remember.match.cc',
  ]);
  expect((await call(read, 'GET', { item })).body).toMatchObject({
    status: 'open',
    decisions: ['approve', 'edit', 'deny'],
    question: { arguments: { to: 'ana' }, argumentsHash: 'arguments' },
  });
  const asked = await storedItem(store, await suspendedRun(), {
    what: 'input',
    form: { type: 'string', maxLength: 3 },
  });
  expect((await call(answer, 'POST', { item: asked }, { decision: 'answer', content: 'long' })).status).toBe(400);
  expect((await call(answer, 'POST', { item: asked }, { decision: 'approve' })).status).toBe(400);
  expect(await call(answer, 'POST', { item: asked }, { decision: 'answer', content: 'yes' })).toMatchObject({
    status: 200,
    body: { status: 'answered', decisions: [], given: { decision: 'answer', content: 'yes', by: 'local', via: 'api' } },
  });
});

test('a later answer is refused with who was first, through what and when', async () => {
  const item = await storedItem(store, await suspendedRun());
  const first = await call(answer, 'POST', { item }, { decision: 'deny', note: ' Not today. ' });
  expect(first).toMatchObject({ status: 200, body: { answer: { decision: 'deny', note: 'Not today.', by: 'local' } } });
  expect(await call(answer, 'POST', { item }, { decision: 'approve' })).toEqual({
    status: 409,
    body: {
      error: {
        code: 'conflict',
        message: expect.stringContaining('local has answered this question before (deny, api, '),
        status: 'answered',
        answeredBy: 'local',
        via: 'api',
        decision: 'deny',
        answeredAt: expect.stringContaining('T'),
      },
    },
  });
  expect((await call(answer, 'POST', { item: 'unknown' }, { decision: 'approve' })).status).toBe(404);
  expect((await call(read, 'GET', { item: '..%2F' })).status).toBe(404);
});

test('questions are filtered by tool, and several are read whole in the order that was asked for', async () => {
  const runId = await suspendedRun();
  const [mail = '', other = ''] = await storedItems(store, runId, 2);
  await store.prisma.pendingItem.update({ where: { id: other }, data: { tool: 'bank__pay' } });
  expect((await listed(`?run=${runId}&tool=bank__pay`)).items.map(({ id }) => id)).toEqual([other]);
  const read = await call(readDetails, 'GET', {}, undefined, `?ids=${other},unknown,${mail}`);
  expect(read.body?.items).toMatchObject([{ id: other, decisions: ['approve', 'edit', 'deny'] }, { id: mail }]);
  expect((await call(readDetails, 'GET', {}, undefined, '?ids=')).status).toBe(400);
});

test('of two hundred answers the valid ones count in one stint, and each other one says why it does not', async () => {
  const [runId, ended] = [await suspendedRun(), await suspendedRun()];
  const items = await storedItems(store, runId, 190);
  const closed = await storedItems(store, ended, 5);
  await call(answerAll, 'POST', {}, { answers: closed.map((id) => ({ id, decision: 'approve' })) });
  const answers = [...items, ...closed, ...Array.from({ length: 5 }, (_, index) => `unknown-${index}`)].map(
    (id, index) => ({
      id,
      ...(index % 10 === 3 ? { decision: 'edit', arguments: { to: 1 } } : { decision: 'deny', note: `${index}` }),
    }),
  );
  const { body } = await call(answerAll, 'POST', {}, { answers });
  const results = z
    .array(z.object({ id: z.string(), ok: z.boolean(), code: z.string().optional() }))
    .parse(body?.results);
  expect(results.map(({ id }) => id)).toEqual(answers.map(({ id }) => id));
  const codes = results.map(({ ok, code }) => (ok ? 'kept' : code));
  expect(codes.slice(0, 190)).toEqual(items.map((_, index) => (index % 10 === 3 ? 'bad_request' : 'kept')));
  expect(codes.slice(190)).toEqual([...Array(5).fill('conflict'), ...Array(5).fill('not_found')]);
  expect((await listed(`?run=${runId}`)).open).toBe(19);
  expect(await store.prisma.run.findUnique({ where: { id: runId } })).toMatchObject({ status: 'queued', stint: 1 });
});

test('each answer of a batch counts alone, and a question without an answer stays open', async () => {
  const runId = await suspendedRun();
  const [a = '', b = '', c = ''] = await storedItems(store, runId, 4);
  const answers = [
    { id: a, decision: 'approve' },
    { id: b, decision: 'edit', arguments: { to: 1 } },
    { id: a, decision: 'deny' },
    { id: 'unknown', decision: 'approve' },
    { id: c, decision: 'edit', arguments: { to: 'eve' } },
  ];
  const { body } = await call(answerAll, 'POST', {}, { answers });
  expect(body?.results).toEqual([
    { id: a, ok: true },
    { id: b, ok: false, code: 'bad_request', message: expect.stringContaining('arguments.to: must be string') },
    { id: a, ok: false, code: 'conflict', message: expect.any(String) },
    { id: 'unknown', ok: false, code: 'not_found', message: expect.any(String) },
    { id: c, ok: true },
  ]);
  expect((await listed(`?run=${runId}`)).open).toBe(2);
  expect(await store.prisma.run.findUnique({ where: { id: runId } })).toMatchObject({ status: 'queued', stint: 1 });
  const tooMany = Array.from({ length: 501 }, () => ({ id: a, decision: 'approve' }));
  expect((await call(answerAll, 'POST', {}, { answers: tooMany })).status).toBe(400);
});

test('an approval is remembered with what it was given for, and can be revoked', async () => {
  const runId = await suspendedRun();
  const item = await storedItem(store, runId);
  const remember = { scope: 'session', match: { to: '*@example.org' } };
  expect((await call(answer, 'POST', { item }, { decision: 'approve', remember })).status).toBe(200);
  const { projectId } = await store.prisma.run.findUniqueOrThrow({ where: { id: runId } });
  const grants = async () => {
    const { body } = await call(readGrants, 'GET', {}, undefined, `?project=${projectId}`);
    return z.object({ grants: z.array(z.looseObject({ id: z.string() })) }).parse(body).grants;
  };
  const [grant, ...others] = await grants();
  expect(others).toEqual([]);
  expect(grant).toMatchObject({
    scope: 'session',
    tool: 'mail__send',
    serverName: 'mail',
    schemaHash: 'schema',
    patterns: { to: '*@example.org' },
    by: 'local',
    run: runId,
  });
  expect((await call(revoke, 'DELETE', { grant: grant?.id ?? '' })).status).toBe(204);
  expect((await call(revoke, 'DELETE', { grant: grant?.id ?? '' })).status).toBe(404);
  expect(await grants()).toEqual([]);
});

test('the stream tells the number of open questions when it changes', async () => {
  const runId = await suspendedRun();
  const [item = ''] = await storedItems(store, runId, 2);
  const request = new Request(`http://${host}/api/v1/pending/stream?run=${runId}`, { headers: { Host: host } });
  const response = await stream(request, { params: Promise.resolve({}) });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  if (reader === undefined) throw new Error('no body');
  const seen = async (wanted: string) => {
    for (let text = ''; !text.includes(wanted); ) {
      const { value, done } = await reader.read();
      if (done) throw new Error(`The stream ended before ${wanted}`);
      text += value;
    }
  };
  await seen('data: {"open":2}');
  await call(answer, 'POST', { item }, { decision: 'approve' });
  await seen('data: {"open":1}');
  await reader.cancel();
});
