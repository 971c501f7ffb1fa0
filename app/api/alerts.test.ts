import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { DELETE, PATCH } from '@/app/api/v1/alerts/[alert]/route';
import { GET, POST } from '@/app/api/v1/alerts/route';
import { folderOf } from '@/lib/cards/files';
import { findAudit } from '@/lib/store/audit';
import { insertProject } from '@/lib/store/projects';
import { testDatabase } from '@/lib/testing/postgres';

const { url, store } = await testDatabase();
beforeAll(() => vi.stubEnv('DATABASE_URL', url));
afterAll(() => vi.unstubAllEnvs());

const newProject = async () =>
  await insertProject(store, 'Shop', folderOf({ 'a.md': '---\nname: a\n---\nA.\n' }), { origin: 'api' });

function asked(method: string, path: string, body?: unknown): Request {
  const headers = { Host: '127.0.0.1:3000', 'Content-Type': 'application/json' };
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  return new Request(`http://127.0.0.1:3000/api/v1/alerts${path}`, { method, headers, ...sent });
}

const none = { params: Promise.resolve({}) };
const at = (alert: string) => ({ params: Promise.resolve({ alert }) });
const list = async (query = '') => await (await GET(asked('GET', query), none)).json();
const make = async (body: unknown) => await POST(asked('POST', '', body), none);
const change = async (alert: string, body: unknown) => await PATCH(asked('PATCH', `/${alert}`, body), at(alert));
const remove = async (alert: string) => await DELETE(asked('DELETE', `/${alert}`), at(alert));
const refusal = async (answer: Response) => [answer.status, (await answer.json()).error.message];

test('an alert is made with the usual window, listed, changed in part, switched off and deleted', async () => {
  const project = await newProject();
  const made = await make({ project, figure: 'errorRate', threshold: 0.05 });
  const { id } = await made.json();
  expect([made.status, made.headers.get('location')]).toEqual([201, `/api/v1/alerts/${id}`]);
  const fresh = { id, project, projectName: 'Shop', figure: 'errorRate', kind: 'run', name: '', threshold: 0.05 };
  const state = { hours: 24, least: 10, enabled: true, calls: 0, mayChange: true };
  expect(await list(`?project=${project}`)).toEqual({ alerts: [{ ...fresh, ...state }], next: null });

  expect((await change(id, { kind: 'agent', name: ' a ', hours: 6 })).status).toBe(204);
  expect((await change(id, { enabled: false })).status).toBe(204);
  expect((await list()).alerts).toMatchObject([
    { kind: 'agent', name: 'a', hours: 6, threshold: 0.05, enabled: false },
  ]);

  expect((await remove(id)).status).toBe(204);
  expect((await remove(id)).status).toBe(404);
  expect(await list()).toEqual({ alerts: [], next: null });
  const entries = await findAudit(store, { limit: 9 }, undefined);
  const line = { figure: 'errorRate', kind: 'agent', name: 'a', threshold: 0.05, hours: 6, least: 10 };
  expect(entries.filter(({ object }) => object === id).map(({ action, body }) => [action, JSON.parse(body)])).toEqual([
    ['alert.removed', {}],
    ['alert.changed', { enabled: false }],
    ['alert.changed', line],
    ['alert.added', { ...line, kind: 'run', name: '', hours: 24 }],
  ]);
});

test('a list of alerts comes in pages, and one of a project has those of every project too', async () => {
  const [one, other] = [await newProject(), await newProject()];
  const thresholds = [1, 2, 3, 4];
  for (const threshold of thresholds) {
    const project = threshold === 2 ? {} : { project: threshold === 3 ? other : one };
    const { id } = await (await make({ ...project, figure: 'costDay', threshold })).json();
    await store.prisma.alert.update({ where: { id }, data: { createdAt: new Date(threshold * 1_000) } });
  }
  const seen: number[] = [];
  let after = '';
  for (let pages = 0; pages < 3; pages++) {
    const { alerts, next } = await list(`?limit=2${after}`);
    seen.push(...alerts.map(({ threshold }: { threshold: number }) => threshold));
    if (next === null) break;
    after = `&after=${next}`;
  }
  expect(seen).toEqual(thresholds);
  const ofOne = await list(`?project=${one}`);
  expect(ofOne.alerts.map(({ threshold }: { threshold: number }) => threshold)).toEqual([1, 2, 4]);
  await store.pool.query('DELETE FROM "Alert"');
});

test.each([
  [{ figure: 'errorRate' }, 'threshold: The line is a number.'],
  [{ figure: 'errorRate', threshold: 1 }, 'The line of an error rate is at least 0 % and below 100 %.'],
  [{ figure: 'speed', threshold: 1 }, 'figure: The figure is one of errorRate, p50, p95, costDay, costMonth.'],
  [{ figure: 'p95', threshold: 10, hours: 2 }, 'hours: The window is one of 1, 6, 24, 168 hours.'],
  [{ figure: 'p95', threshold: 10, kind: 'model' }, 'Write the name of the model, or choose runs.'],
  [{ figure: 'p95', threshold: 10, window: 6 }, 'window'],
])('an alert of %j is refused with a sentence', async (body, sentence) => {
  expect(await refusal(await make(body))).toEqual([400, expect.stringContaining(sentence)]);
});

test('parts that are not known are refused, and so is a change that makes no sense', async () => {
  expect((await GET(asked('GET', '?state=raised'), none)).status).toBe(400);
  expect((await GET(asked('GET', '?after=x'), none)).status).toBe(400);
  const { id } = await (await make({ figure: 'p95', threshold: 10 })).json();
  expect((await change(id, { project: 'other' })).status).toBe(400);
  expect(await refusal(await change(id, { figure: 'errorRate' }))).toEqual([
    400,
    expect.stringContaining('below 100 %'),
  ]);
  expect((await change('no-such', { enabled: false })).status).toBe(404);
  expect((await remove('a b')).status).toBe(404);
});
