import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { POST as copyProject } from '@/app/api/v1/projects/[project]/copy/route';
import { PATCH as saveFiles } from '@/app/api/v1/projects/[project]/files/route';
import { POST as startRun } from '@/app/api/v1/projects/[project]/runs/route';
import { POST as confirm, GET as readTrust } from '@/app/api/v1/projects/[project]/trust/route';
import { POST as createProject } from '@/app/api/v1/projects/route';
import { POST as createFromSample } from '@/app/api/v1/samples/[sample]/route';
import { testDatabase } from '@/lib/testing/postgres';

const { url, store } = await testDatabase();

beforeAll(() => vi.stubEnv('DATABASE_URL', url));
afterAll(() => vi.unstubAllEnvs());

const host = '127.0.0.1:3000';
const script = {};
/** What every page of a browser sends, and cannot leave out. */
const browser = { Origin: `http://${host}`, 'Sec-Fetch-Site': 'same-origin' };

type Params = Record<string, string>;
type Route = (request: Request, context: { params: Promise<never> }) => Promise<Response>;

async function call(route: Route, method: string, params: Params, headers: Record<string, string>, body?: unknown) {
  const init = body === undefined ? {} : { body: JSON.stringify(body) };
  const request = new Request(`http://${host}/api/v1/projects`, {
    method,
    headers: { Host: host, 'Content-Type': 'application/json', ...headers },
    ...init,
  });
  const response = await route(request, { params: Promise.resolve(params) as never });
  return { status: response.status, body: z.looseObject({}).parse(await response.json()) };
}

const files = {
  'agent-cards/lead.md': '---\nname: lead\nmodel: passthrough\nservers: [time]\n---\nLead.\n',
  'fast-agent.yaml': 'mcp:\n  servers:\n    time: { command: node, args: [time.mjs] }\n',
  'time.mjs': 'one;\n',
};

async function create(headers: Record<string, string>, body: object = { files }): Promise<string> {
  const created = await call(createProject, 'POST', {}, headers, body);
  expect(created.status).toBe(201);
  return z.string().parse(created.body.id);
}

const run = (project: string) => call(startRun, 'POST', { project }, browser, { message: 'Go' });
const trust = async (project: string) => {
  const { body } = await call(readTrust, 'GET', { project }, browser);
  const items = z.array(z.object({ kind: z.string(), name: z.string(), change: z.string() })).parse(body.items);
  const { origin, state, hash } = z.object({ origin: z.string(), state: z.string(), hash: z.string() }).parse(body);
  return { origin, state, hash, items: items.map(({ kind, name, change }) => `${change} ${kind} ${name}`) };
};
const confirmed = (project: string, hash: string) => call(confirm, 'POST', { project }, browser, { hash });

async function save(project: string, baseVersion: number, path: string, text: string, brought = false): Promise<void> {
  const body = { baseVersion, changes: [{ path, text }], ...(brought ? { brought } : {}) };
  const saved = await call(saveFiles, 'PATCH', { project }, browser, body);
  expect(saved.status).toBe(200);
}

describe('a folder that a person brought in the browser', () => {
  test('runs once its list is confirmed, and asks again when the list changes', async () => {
    const project = await create(browser);
    const before = await trust(project);
    expect(before).toMatchObject({ origin: 'import', state: 'unconfirmed' });
    expect(before.items).toEqual(['new command time', 'new file time.mjs']);

    const refused = await run(project);
    expect(refused).toMatchObject({ status: 409, body: { error: { code: 'not_trusted', hash: before.hash } } });
    expect(await store.prisma.run.count({ where: { projectId: project } })).toBe(0);

    expect(await confirmed(project, before.hash)).toMatchObject({ status: 200, body: { state: 'confirmed' } });
    const started = await run(project);
    expect(started.status).toBe(202);
    const stored = await store.prisma.run.findUniqueOrThrow({ where: { id: z.string().parse(started.body.runId) } });
    expect(stored.confirmedHash).toBe(before.hash);

    await save(project, 1, 'agent-cards/lead.md', files['agent-cards/lead.md'].replace('Lead.', 'Lead well.'));
    expect((await run(project)).status).toBe(202);

    await save(project, 2, 'time.mjs', 'two;\n');
    const after = await trust(project);
    expect(after).toMatchObject({ state: 'unconfirmed', items: ['confirmed command time', 'changed file time.mjs'] });
    expect(await run(project)).toMatchObject({ status: 409, body: { error: { hash: after.hash } } });

    await save(project, 3, 'time.mjs', 'one;\n');
    expect((await run(project)).status).toBe(202);
  });

  test('is confirmed only as it is now', async () => {
    const project = await create(browser);
    const { hash } = await trust(project);
    await save(project, 1, 'time.mjs', 'two;\n');
    expect(await confirmed(project, hash)).toMatchObject({ status: 409, body: { error: { code: 'conflict' } } });
    expect(await trust(project)).toMatchObject({ state: 'unconfirmed' });
    expect(await confirmed(project, 'yes')).toMatchObject({ status: 400, body: { error: { code: 'bad_request' } } });
  });

  test('asks for nothing where there is nothing to start or call', async () => {
    const project = await create(browser, { files: { 'a.md': '---\nname: a\nmodel: passthrough\n---\nA.\n' } });
    expect(await trust(project)).toMatchObject({ origin: 'import', state: 'nothing', items: [] });
    expect((await run(project)).status).toBe(202);
  });

  test('keeps being untrusted as a copy, also one that a script makes', async () => {
    const project = await create(browser);
    const copied = await call(copyProject, 'POST', { project }, script);
    const copy = z.string().parse(copied.body.id);
    expect(await run(copy)).toMatchObject({ status: 409, body: { error: { code: 'not_trusted' } } });

    await confirmed(project, (await trust(project)).hash);
    const later = await call(copyProject, 'POST', { project }, browser);
    expect((await run(z.string().parse(later.body.id))).status).toBe(202);
    expect((await run(copy)).status).toBe(409);
  });

  test.each([
    ['a cookie in place of a token', { Cookie: 'a=b' }],
    ['an opaque origin', { 'Sec-Fetch-Site': 'same-origin' }],
  ])('is known by %s', async (_, headers) => {
    expect((await trust(await create(headers))).origin).toBe('import');
  });
});

describe('what never asks', () => {
  test('a folder of a script', async () => {
    const project = await create(script);
    expect(await trust(project)).toMatchObject({ origin: 'api', state: 'own' });
    expect((await run(project)).status).toBe(202);
  });

  test('a project that is made empty, also with a command that the person adds', async () => {
    const project = await create(browser, { name: 'Mine', template: 'blank' });
    for (const [index, [path, text]] of Object.entries(files).entries()) await save(project, index + 1, path, text);
    expect(await trust(project)).toMatchObject({ origin: 'blank', state: 'own' });
    expect((await run(project)).status).toBe(202);
  });

  test('what is brought into it from elsewhere asks, and what the person wrote before does not', async () => {
    const project = await create(browser, { name: 'Mine', template: 'blank' });
    await save(project, 1, 'agent-cards/poet.md', '---\nname: poet\nmodel: passthrough\n---\nWrite.\n', true);
    expect(await trust(project)).toMatchObject({ origin: 'blank', state: 'own' });
    for (const [index, [path, text]] of Object.entries(files).entries()) await save(project, index + 2, path, text);
    const pasted = `${files['fast-agent.yaml']}    more: { command: npx, args: [more] }\n`;
    const waiting = z.string().parse((await run(project)).body.runId);
    await save(project, 5, 'fast-agent.yaml', pasted, true);
    // The run that waits starts what the person wrote.
    const row = await store.prisma.run.findUniqueOrThrow({ where: { id: waiting } });
    expect(row.confirmedHash).toBe((await trust(project)).hash);
    expect((await run(project)).status).toBe(202);
    // Nobody uses the server yet. It asks when somebody does.
    await save(project, 6, 'agent-cards/lead.md', files['agent-cards/lead.md'].replace('[time]', '[time, more]'));
    const asked = await trust(project);
    expect(asked).toMatchObject({ origin: 'import', state: 'unconfirmed' });
    expect(asked.items.filter((item) => !item.startsWith('confirmed'))).toEqual(['new command more']);
    expect(await run(project)).toMatchObject({ status: 409, body: { error: { code: 'not_trusted' } } });
    expect((await confirmed(project, asked.hash)).status).toBe(200);
    expect((await run(project)).status).toBe(202);
  });

  test('files cannot come under the name of an empty project', async () => {
    const mixed = await call(createProject, 'POST', {}, browser, { template: 'blank', files });
    expect(mixed).toMatchObject({ status: 400, body: { error: { code: 'bad_request' } } });
  });

  test('a sample, until what it starts is changed', async () => {
    const created = await call(createFromSample, 'POST', { sample: 'pmo' }, browser);
    const project = z.string().parse(created.body.id);
    const { state, items } = await trust(project);
    expect(state).toBe('confirmed');
    expect(items.length).toBeGreaterThan(0);
    expect((await run(project)).status).toBe(202);
    await save(project, 1, 'extra.mjs', 'new;\n');
    expect((await trust(project)).items.filter((item) => !item.startsWith('confirmed'))).toEqual([
      'new file extra.mjs',
    ]);
    expect((await run(project)).status).toBe(409);
  });
});
