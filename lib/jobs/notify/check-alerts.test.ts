import { afterEach, expect, test, vi } from 'vitest';
import type { Actor } from '@/lib/base/actor';
import type { ProjectId } from '@/lib/base/ids';
import { addAlert, editAlert, readAlerts, removeAlert } from '@/lib/server/alerts';
import { readNotices } from '@/lib/server/person-notices';
import { findAudit } from '@/lib/store/audit';
import { localActor } from '@/lib/testing/local-actor';
import { noticeShop } from '@/lib/testing/notice-shop';
import { ownDatabase } from '@/lib/testing/postgres';
import { personInBrowser } from '@/lib/testing/token-people';
import type { AlertRule } from '@/lib/trace/alerts';
import { checkAlerts } from './check-alerts';

const { url, store } = await ownDatabase();
vi.stubEnv('DATABASE_URL', url);
const { project, team, endedRun, wordsOf, clear } = noticeShop(store);
afterEach(async () => {
  await clear();
  await store.pool.query('TRUNCATE "Alert", "RunTally"');
});

const rate: AlertRule = { figure: 'errorRate', kind: 'run', name: '', threshold: 0.2, hours: 24, least: 3 };

/** Stores ended runs with their parts, which the database counts. */
async function ran(id: ProjectId, ...statuses: readonly string[]) {
  for (const status of statuses) {
    const run = await endedRun(id, { by: 'x', status, usd: 2, seconds: 3 });
    const parts = JSON.stringify([['model', 'gpt', 4, 1, 0, 10, 2]]);
    await store.pool.query('UPDATE "Run" SET parts = $2::jsonb WHERE id = $1', [run, parts]);
  }
}

const read = async (actor: Actor, project?: ProjectId) => (await readAlerts(actor, { project, limit: 1_000 })).alerts;

/** Lets the next check come at once. */
async function check() {
  await store.pool.query(`UPDATE "Alert" SET "checkedAt" = "checkedAt" - interval '1 hour'`);
  return await checkAlerts(store, Date.now());
}

const raised = 'Alert: Error rate, runs of Shop: 33.3 %, above the line of 20 % (3 runs in the last 24 hours)';

test('an alert is told to the admins once when it is raised, once when it is over, and again when it is raised anew', async () => {
  const id = await project();
  const { ada, ed } = await team(id);
  await addAlert(ada, id, rate);
  await ran(id, 'failed', 'completed');
  await check();
  expect(await wordsOf(ada)).toEqual([]);
  await ran(id, 'completed');
  await check();
  await check();
  expect(await wordsOf(ada)).toEqual([raised]);
  expect(await wordsOf(ed)).toEqual([]);
  expect(await read(ed)).toMatchObject([{ value: 1 / 3, calls: 3, mayChange: false, raisedAt: expect.any(Number) }]);
  await ran(id, 'completed', 'completed');
  await check();
  expect(await wordsOf(ada)).toEqual([raised]);
  await ran(id, 'completed');
  await check();
  const over = 'Over: Error rate, runs of Shop: 16.7 % (6 runs in the last 24 hours). The line is 20 %';
  expect((await wordsOf(ada)).toSorted()).toEqual([raised, over].toSorted());
  await ran(id, 'failed');
  await check();
  expect(await wordsOf(ada)).toHaveLength(3);
});

test('several workers that check at the same time tell once, and an alert is checked once a minute', async () => {
  const id = await project();
  await addAlert(localActor, id, { ...rate, figure: 'costDay', threshold: 1 });
  await ran(id, 'completed');
  const checked = await Promise.all([1, 2, 3, 4].map(() => checkAlerts(store, Date.now())));
  expect(checked.toSorted()).toEqual([0, 0, 0, 1]);
  expect(await checkAlerts(store, Date.now())).toBe(0);
  expect(await wordsOf(localActor)).toEqual([
    'Alert: Cost of the day, runs of Shop: $2.00, above the line of $1.00 (today in UTC)',
  ]);
});

test('an alert of every project counts all, is shown to administrators only, and its notice has no project', async () => {
  const [one, two] = [await project(), await project()];
  const { ada } = await team(one);
  const root = await personInBrowser(store, 'root@x.org', { administrator: true });
  await addAlert(root, undefined, { ...rate, figure: 'costMonth', kind: 'model', name: 'gpt', threshold: 3 });
  await expect(addAlert(ada, undefined, rate)).rejects.toMatchObject({ code: 'not_allowed' });
  await ran(one, 'completed');
  await ran(two, 'completed');
  await check();
  expect(await read(root)).toMatchObject([{ value: 4, calls: 2, mayChange: true }]);
  expect(await read(ada)).toEqual([]);
  const { notices } = await readNotices(root, { after: undefined, limit: 9 });
  expect(notices).toMatchObject([{ kind: 'alert.raised', href: '/runs/dashboard?range=30d&by=model#alerts' }]);
  expect(notices[0]).not.toHaveProperty('project');
  expect(await wordsOf(ada)).toEqual([]);
});

test('what is raised when it is switched off, changed or removed is told no more; another line is checked anew', async () => {
  const id = await project();
  await addAlert(localActor, id, rate);
  await ran(id, 'failed', 'failed', 'completed');
  await check();
  const [alert] = await read(localActor);
  if (alert === undefined) return expect.unreachable();
  await editAlert(localActor, alert.id, { enabled: false });
  expect(await check()).toBe(0);
  expect(await read(localActor)).toMatchObject([{ enabled: false, raisedAt: undefined }]);
  await editAlert(localActor, alert.id, { enabled: true });
  await editAlert(localActor, alert.id, { threshold: 0.9 });
  await check();
  expect(await read(localActor)).toMatchObject([{ raisedAt: undefined, threshold: 0.9 }]);
  expect(await wordsOf(localActor)).toHaveLength(1);
  await editAlert(localActor, alert.id, { ...rate, threshold: 0.9, enabled: true });
  const { ada } = await team(await project());
  await expect(editAlert(ada, alert.id, { threshold: 0.5 })).rejects.toMatchObject({ code: 'not_found' });
  await expect(editAlert(localActor, alert.id, { threshold: 1 })).rejects.toMatchObject({ code: 'bad_request' });
  await removeAlert(localActor, alert.id);
  await expect(removeAlert(localActor, alert.id)).rejects.toMatchObject({ code: 'not_found' });
  const entries = await findAudit(store, { limit: 9 }, undefined);
  const actions = entries.map(({ action }) => action).filter((action) => action.startsWith('alert.'));
  expect(actions.slice(0, 5)).toEqual([
    ...['alert.removed', 'alert.changed', 'alert.changed', 'alert.changed', 'alert.added'],
  ]);
});

test('alerts on the same runs with different figures each have their own, from one sum', async () => {
  const id = await project();
  const other = await project();
  await addAlert(localActor, id, rate);
  await addAlert(localActor, id, { ...rate, figure: 'p95', threshold: 60_000 });
  await addAlert(localActor, id, { ...rate, figure: 'costMonth', kind: 'model', name: 'gpt', threshold: 100 });
  await addAlert(localActor, other, rate);
  await ran(id, 'failed', 'completed');
  await check();
  const found = (await read(localActor)).map(({ value, calls }) => [value, calls]);
  expect(found).toEqual([
    [0.5, 2],
    [expect.closeTo(3_000, -3), 2],
    [4, 2],
    [undefined, 0],
  ]);
});

test('a run of yesterday that ends after midnight counts for the cost of yesterday, and the notice says so', async () => {
  const id = await project();
  const { ada } = await team(id);
  await addAlert(ada, id, { ...rate, figure: 'costDay', threshold: 100 });
  const midnight = new Date().setUTCHours(24, 0, 0, 0);
  const run = await endedRun(id, { by: 'x', status: 'completed', usd: 200, seconds: 3 });
  await store.pool.query(
    `UPDATE "Run" SET "createdAt" = to_timestamp($2), "startedAt" = to_timestamp($2), "finishedAt" = to_timestamp($3),
       parts = '[]' WHERE id = $1`,
    [run, midnight / 1_000 - 20 * 60, midnight / 1_000 + 20 * 60],
  );
  const checkAt = async (minutes: number) => {
    await store.pool.query(`UPDATE "Alert" SET "checkedAt" = NULL`);
    await checkAlerts(store, midnight + minutes * 60_000);
    return await wordsOf(ada);
  };
  const told = 'Alert: Cost of the day, runs of Shop: $200.00, above the line of $100.00 (yesterday in UTC)';
  expect(await checkAt(25)).toEqual([told]);
  expect(await checkAt(26)).toEqual([told]);
  expect(await read(ada)).toMatchObject([{ value: 200, raisedAt: midnight - 1 }]);
  const over = 'Over: Cost of the day, runs of Shop: $0 (today in UTC). The line is $100.00';
  expect((await checkAt(360)).toSorted()).toEqual([told, over].toSorted());
});

test('the dashboard of a project has its alerts and those of every project, however many others have', async () => {
  const id = await project();
  const other = await project();
  await store.pool.query(
    `INSERT INTO "Alert" (id, "projectId", by, figure, kind, name, threshold, hours, least)
     SELECT 'of-other-' || n, $1, 'x', 'errorRate', 'run', '', 0.2, 24, 3 FROM generate_series(1, 500) n`,
    [other],
  );
  await addAlert(localActor, id, { ...rate, threshold: 0.3 });
  await addAlert(localActor, undefined, { ...rate, threshold: 0.4 });
  const found = (await read(localActor, id)).map(({ threshold }) => threshold);
  expect(found).toEqual([0.3, 0.4]);
  const { ada } = await team(id);
  expect(await read(ada, id)).toMatchObject([{ threshold: 0.3 }]);
  expect(await read(ada, other)).toEqual([]);
  expect(await read(localActor)).toHaveLength(502);
});

test('a dashboard of all projects has every alert, the raised ones first', async () => {
  const id = await project();
  await store.pool.query(
    `INSERT INTO "Alert" (id, "projectId", by, figure, kind, name, threshold, hours, least, "createdAt")
     SELECT 'many-' || n, $1, 'x', 'errorRate', 'run', '', 0.2, 24, 3, now() - interval '1 hour' FROM generate_series(1, 600) n`,
    [id],
  );
  const { id: newest } = await addAlert(localActor, await project(), { ...rate, figure: 'costDay', threshold: 1 });
  await store.pool.query(`UPDATE "Alert" SET "raisedAt" = now() WHERE id = $1`, [newest]);
  const first = await readAlerts(localActor, { project: undefined, limit: 100 });
  expect([first.alerts.length, first.alerts[0]?.id, first.hasMore]).toEqual([100, newest, true]);
  const whole = await readAlerts(localActor, { project: undefined, limit: 700 });
  expect([whole.alerts.length, whole.hasMore]).toEqual([601, false]);
});

test('a project has at most 20 alerts', async () => {
  const id = await project();
  const all = await Promise.allSettled(Array.from({ length: 22 }, () => addAlert(localActor, id, rate)));
  expect(all.filter(({ status }) => status === 'rejected')).toHaveLength(2);
  await expect(addAlert(localActor, id, rate)).rejects.toMatchObject({
    code: 'conflict',
    message: 'The project has 20 alerts, which is the most. Remove one first.',
  });
});
