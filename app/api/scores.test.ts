import { beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { GET as readRun } from '@/app/api/v1/runs/[run]/route';
import { DELETE as remove } from '@/app/api/v1/runs/[run]/scores/[score]/route';
import { POST as give, GET as list } from '@/app/api/v1/runs/[run]/scores/route';
import { GET as listRuns } from '@/app/api/v1/runs/route';
import { brandAs, type ProjectId, type RunId } from '@/lib/base/ids';
import { testDatabase } from '@/lib/testing/postgres';
import { storedRun } from '@/lib/testing/stored-run';
import { personInBrowser, scriptRequest, tokenFor, withTokens } from '@/lib/testing/token-people';

const { url, store } = await testDatabase();
withTokens(url);

let run: RunId;
let tokens: Readonly<Record<'evaluator' | 'bo' | 'viewer' | 'admin' | 'reader' | 'stranger', string>>;

beforeAll(async () => {
  run = await storedRun(store);
  const { projectId } = await store.prisma.run.findUniqueOrThrow({ where: { id: run } });
  await store.prisma.event.create({
    data: { runId: run, seq: 4, at: 1, kind: 'tool.started', path: 'lead', step: 'lead#t1', body: '{}' },
  });
  const project = brandAs<ProjectId>(projectId);
  const person = (name: string, role?: 'viewer' | 'editor' | 'admin') =>
    personInBrowser(store, `${name}@score.example`, role && { in: { [project]: role } });
  const eva = await person('eva', 'editor');
  tokens = {
    evaluator: await tokenFor(eva, ['edit']),
    reader: await tokenFor(eva, ['read']),
    bo: await tokenFor(await person('bo', 'editor'), ['edit']),
    viewer: await tokenFor(await person('vic', 'viewer'), ['read', 'edit']),
    admin: await tokenFor(await person('ada', 'admin'), ['edit', 'manage']),
    stranger: await tokenFor(await person('sam'), ['edit', 'manage']),
  };
});

type Route = (request: Request, context: { params: Promise<never> }) => Promise<Response>;

async function call(route: Route, who: keyof typeof tokens, method: string, body?: unknown, params = {}, path = '/') {
  const init = { method, path, ...(body !== undefined && { body: JSON.stringify(body) }) };
  const request = scriptRequest(`Bearer ${tokens[who]}`, init);
  const response = await route(request, { params: Promise.resolve({ run, ...params }) as never });
  const text = await response.text();
  const parsed: unknown = text === '' ? undefined : JSON.parse(text);
  return { status: response.status, body: parsed };
}

const scoreShape = z.looseObject({ id: z.string(), author: z.string() });
const listed = z.object({ scores: z.array(scoreShape) });
const scores = async () => listed.parse((await call(list, 'reader', 'GET')).body).scores;

test('a program with a token scores a run and a call, and its next score replaces the first', async () => {
  const posted = await call(give, 'evaluator', 'POST', {
    name: 'accuracy',
    value: 0.25,
    note: '  One fact is wrong. ',
  });
  expect(posted).toMatchObject({
    status: 201,
    body: { name: 'accuracy', value: 0.25, note: 'One fact is wrong.', span: null, author: 'eva@score.example' },
  });
  await call(give, 'evaluator', 'POST', { name: 'accuracy', value: 0.5 });
  await call(give, 'evaluator', 'POST', { span: 4, value: 1 });
  await call(give, 'bo', 'POST', { value: 1 });
  await call(give, 'bo', 'POST', { name: 'remark', note: 'Look at the second call.' });
  expect(await scores()).toMatchObject([
    { name: 'accuracy', value: 0.5, note: null, authorName: 'eva' },
    { name: 'quality', value: 1, span: { seq: 4, kind: 'tool', path: 'lead' } },
    { name: 'quality', value: 1, author: 'bo@score.example' },
    { name: 'remark', value: null, note: 'Look at the second call.' },
  ]);
  const mean = { mean: 0.75, count: 2 };
  expect((await call(readRun, 'reader', 'GET')).body).toMatchObject({ score: mean });
  const page = await call(listRuns, 'reader', 'GET', undefined, {}, '/api/v1/runs?score.min=0.7&score.lt=accuracy:0.6');
  expect(page.body).toMatchObject({ groups: [{ runs: [{ id: run, score: mean }] }] });
});

test.each<[unknown, RegExp]>([
  [{}, /^Give a value, a note, or both\.$/],
  [{ note: '  ' }, /a value, a note/],
  [{ value: 1.1 }, /^value: At most 1\.$/],
  [{ value: -0.1 }, /^value: At least 0\.$/],
  [{ value: '1' }, /^value: /],
  [{ value: 1, name: 'Quality' }, /^name: A name has 1 to 40/],
  [{ value: 1, name: 'any' }, /no names/],
  [{ value: 1, note: 'x'.repeat(4_001) }, /^note: At most 4,000 characters\.$/],
  [{ value: 1, note: 'a\0b' }, /^note: Leave out/],
  [{ value: 1, span: 0 }, /^span: /],
])('the score %j is refused with a sentence', async (body, message) => {
  const { status, body: said } = await call(give, 'bo', 'POST', body);
  expect([status, z.object({ error: z.object({ message: z.string() }) }).parse(said).error.message]).toEqual([
    400,
    expect.stringMatching(message),
  ]);
});

test('editors add scores, authors delete their own, admins delete any, and strangers see nothing', async () => {
  const status = async (...asked: Parameters<typeof call>) => (await call(...asked)).status;
  expect(await status(give, 'viewer', 'POST', { value: 1 })).toBe(403);
  expect(await status(give, 'reader', 'POST', { value: 1 })).toBe(403);
  expect(await status(give, 'stranger', 'POST', { value: 1 })).toBe(404);
  expect(await status(list, 'viewer', 'GET')).toBe(200);
  expect(await status(list, 'stranger', 'GET')).toBe(404);
  expect(await status(give, 'bo', 'POST', { span: 5, value: 1 })).toBe(404);
  const [one, ...others] = (await scores()).filter(({ author }) => author === 'eva@score.example');
  const drop = (who: keyof typeof tokens, id = '') => status(remove, who, 'DELETE', undefined, { score: id });
  expect(await drop('bo', one?.id)).toBe(403);
  expect(await drop('viewer', one?.id)).toBe(403);
  expect(await drop('stranger', one?.id)).toBe(404);
  expect(await drop('evaluator', one?.id)).toBe(204);
  expect(await drop('evaluator', one?.id)).toBe(404);
  for (const { id } of others) expect(await drop('admin', id)).toBe(204);
  expect((await scores()).map(({ author }) => author)).toEqual(['bo@score.example', 'bo@score.example']);
});
