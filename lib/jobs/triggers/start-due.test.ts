import { afterAll, afterEach, expect, test, vi } from 'vitest';
import { brandAs, type ProjectId, type RunId } from '@/lib/base/ids';
import { noReviewPolicy } from '@/lib/base/review-policy';
import { folderOf } from '@/lib/cards/files';
import { tellRecorded } from '@/lib/jobs/notify/tell';
import { readNotices } from '@/lib/server/person-notices';
import { setReviewPolicy } from '@/lib/server/reviews';
import { release, rollBack, saveRevision } from '@/lib/server/revisions';
import { openStore, type Store } from '@/lib/store/database';
import { saveOwnBudget } from '@/lib/store/limit-rules';
import { findProject, insertProject, saveDraft } from '@/lib/store/projects';
import { findRun } from '@/lib/store/runs';
import { countEnds } from '@/lib/store/trigger-firings';
import { changeTrigger, findTrigger } from '@/lib/store/triggers';
import { localActor } from '@/lib/testing/local-actor';
import { testDatabase } from '@/lib/testing/postgres';
import { makeTriggerDue, storedTrigger } from '@/lib/testing/stored-trigger';
import { openRunQueue } from '../enqueue';
import type { TriggerPorts } from './fire';
import { startDue } from './start-due';

const { url, store } = await testDatabase();
vi.stubEnv('DATABASE_URL', url);
const other = openStore(url);
afterAll(() => other.close());
afterEach(() => store.pool.query('TRUNCATE "Trigger", "StoredRun" CASCADE'));

const limits = { files: 100, totalBytes: 1_000_000 };
const card = (text: string) => `---\nname: lead\nmodel: passthrough\n---\n${text}\n`;

const portsOf = (of: Store): TriggerPorts => ({
  ...{ store: of, accounts: false, queue: openRunQueue(of) },
  list: () => Promise.resolve({ hash: 'h', items: [], models: [], commands: [] }),
});
const ports = portsOf(store);
const publish = (id: ProjectId) =>
  release(localActor, id, { label: 'live', target: { draft: 'main' }, note: '', override: undefined });

async function project({ isLive = true } = {}): Promise<ProjectId> {
  const id = await insertProject(store, 'Shop', folderOf({ 'lead.md': card('one') }), { origin: 'api' });
  if (isLive) await publish(id);
  return id;
}

async function write(id: ProjectId, text: string): Promise<void> {
  const { version } = await findProject(store, id);
  const changes = [{ path: 'lead.md', file: { kind: 'text', text: card(text) } as const }];
  await saveDraft(store, id, { draft: 'main', baseVersion: version, changes, limits });
}

const runsOf = (trigger: string) =>
  store.prisma.run.findMany({ where: { triggerId: trigger }, orderBy: { createdAt: 'asc' } });
const firingsOf = (triggerId: string) => store.prisma.triggerFiring.findMany({ where: { triggerId } });

async function end(status: 'completed' | 'failed' | 'cancelled', message = 'It broke.'): Promise<void> {
  const error = status === 'failed' ? JSON.stringify({ code: 'x', message }) : null;
  await store.pool.query(`UPDATE "Run" SET status = $1, error = $2, "finishedAt" = now() WHERE "finishedAt" IS NULL`, [
    status,
    error,
  ]);
  await countEnds(store);
}

test('a due schedule starts what is live, and the run says which trigger and which revision', async () => {
  const id = await project();
  await write(id, 'two');
  const trigger = await storedTrigger(store, id, { name: 'Nightly', message: '{{trigger}} at {{due}}' });
  const [fired] = await startDue(ports);
  if (fired?.kind !== 'started') throw new Error('Not started');
  const run = await findRun(store, fired.runId);
  expect(run).toMatchObject({
    ...{ status: 'queued', revision: 1, label: 'live', draft: undefined, startedBy: 'trigger:nightly' },
    trigger: { id: trigger, name: 'Nightly' },
  });
  expect(run.message).toMatch(/^Nightly at \d{4}-\d\d-\d\dT\d\d:\d\d:00\.000Z$|^Nightly at /);
  const { nextAt } = await findTrigger(store, id, trigger);
  expect(nextAt?.getTime()).toBeGreaterThan(Date.now());
  expect(await startDue(ports)).toEqual([]);
});

test('workers that look at the same time start one run for each due time', async () => {
  const id = await project();
  const triggers = await Promise.all(Array.from({ length: 8 }, () => storedTrigger(store, id)));
  const both = [ports, portsOf(other), portsOf(other), ports];
  for (let round = 1; round <= 3; round += 1) {
    const fired = (await Promise.all(both.map(startDue))).flat();
    expect(fired.filter(({ kind }) => kind === 'started')).toHaveLength(8);
    expect(fired.filter(({ kind }) => kind === 'refused')).toEqual([]);
    for (const trigger of triggers) {
      expect(await runsOf(trigger)).toHaveLength(round);
      // Each round has a due time of its own.
      const nextAt = new Date(Date.now() - 60_000 * (4 - round));
      await store.pool.query(`UPDATE "Trigger" SET "nextAt" = $2, cron = $3 WHERE id = $1`, [
        trigger,
        nextAt,
        '0 0 1 1 *',
      ]);
    }
  }
});

test('a worker that died after it stored the run leaves no second run to start', async () => {
  const id = await project();
  const trigger = await storedTrigger(store, id, { schedule: { cron: '0 0 1 1 *', zone: 'UTC' } });
  const dueAt = (await findTrigger(store, id, trigger)).nextAt;
  await startDue(ports);
  // The same due time comes back, as from a backup of a moment before.
  await store.prisma.trigger.update({ where: { id: trigger }, data: { nextAt: dueAt ?? null } });
  expect(await startDue(ports)).toMatchObject([{ kind: 'taken' }]);
  expect(await runsOf(trigger)).toHaveLength(1);
});

test('after a time without workers one run is started, and the list says how many due times passed', async () => {
  const id = await project();
  const trigger = await storedTrigger(store, id, {
    schedule: { cron: '0 * * * *', zone: 'Europe/Berlin' },
    nextAt: new Date(Math.floor(Date.now() / 3_600_000) * 3_600_000 - 30 * 3_600_000),
  });
  expect(await startDue(ports)).toHaveLength(1);
  expect(await startDue(ports)).toEqual([]);
  expect(await runsOf(trigger)).toHaveLength(1);
  expect(await firingsOf(trigger)).toMatchObject([{ missed: 30 }]);
});

test('a trigger follows a roll back and a label, and one of a revision keeps it', async () => {
  const id = await project();
  await write(id, 'two');
  await publish(id);
  const live = await storedTrigger(store, id);
  const second = await storedTrigger(store, id, { target: { revision: 2 } });
  const staging = await storedTrigger(store, id, { target: { label: 'staging' } });
  await rollBack(localActor, id, { label: 'live', expected: undefined, to: undefined, note: '' });
  await startDue(ports);
  const ran = async (trigger: string) =>
    await Promise.all(
      (await runsOf(trigger)).map(async (run) => (await findRun(store, brandAs<RunId>(run.id))).revision),
    );
  expect([await ran(live), await ran(second), await ran(staging)]).toEqual([[1], [2], []]);
  expect(await firingsOf(staging)).toMatchObject([
    {
      code: 'conflict',
      error: "No revision of this project has the label 'staging', so the trigger has nothing to run.",
    },
  ]);
});

test('where approvals are asked for, a trigger runs nothing that never went live', async () => {
  const id = await project();
  await write(id, 'two');
  await saveRevision(localActor, id, { draft: 'main', message: '' });
  await release(localActor, id, { label: 'staging', target: { revision: 2 }, note: '' });
  await setReviewPolicy(localActor, id, { ...noReviewPolicy, approvals: 1 });
  const byNumber = await storedTrigger(store, id, { target: { revision: 2 } });
  const byLabel = await storedTrigger(store, id, { target: { label: 'staging' } });
  const once = await storedTrigger(store, id, { target: { revision: 1 } });
  await startDue(ports);
  const counts = await Promise.all([byNumber, byLabel, once].map(async (each) => (await runsOf(each)).length));
  expect(counts).toEqual([0, 0, 1]);
  expect(await firingsOf(byLabel)).toMatchObject([
    { code: 'conflict', error: expect.stringContaining('Revision 2 never went live') },
  ]);
});

test('failures in a row switch a trigger off, with an entry, a notice and the reason', async () => {
  const id = await project({ isLive: false });
  await tellRecorded(store);
  const trigger = await storedTrigger(store, id, { name: 'Nightly', stopAfter: 3 });
  for (let failure = 1; failure <= 3; failure += 1) {
    expect(await findTrigger(store, id, trigger)).toMatchObject({ enabled: true, failures: failure - 1 });
    await makeTriggerDue(store, trigger);
    await store.pool.query(`UPDATE "TriggerFiring" SET key = key || ' ${failure}'`);
    expect(await startDue(ports)).toMatchObject([{ kind: 'refused', error: { code: 'conflict' } }]);
  }
  expect(await findTrigger(store, id, trigger)).toMatchObject({
    ...{ enabled: false, failures: 3, nextAt: undefined },
    stoppedBecause: 'Nothing of this project is published, so the trigger has nothing to run. Publish a revision.',
  });
  const entries = await store.prisma.audit.findMany({ where: { action: 'trigger.stopped' } });
  expect(entries).toMatchObject([{ actor: 'callboard', via: 'worker', object: trigger, projectId: id }]);
  expect(JSON.parse(entries[0]?.body ?? '')).toEqual({ name: 'Nightly', failures: 3 });
  await tellRecorded(store);
  expect((await readNotices(localActor, { after: undefined, limit: 5 })).notices).toMatchObject([
    {
      ...{ kind: 'trigger.off', href: `/p/${id}/triggers` },
      words: 'Callboard switched off the trigger Nightly of Shop after 3 failures in a row',
    },
  ]);
  await makeTriggerDue(store, trigger);
  expect(await startDue(ports)).toEqual([]);
});

test('the end of a run counts once: a failure adds, success forgets, and a stop by a person is neither', async () => {
  const id = await project();
  const trigger = await storedTrigger(store, id, { stopAfter: 2 });
  const failures = async () => (await findTrigger(store, id, trigger)).failures;
  const fire = async () => {
    await makeTriggerDue(store, trigger);
    await store.pool.query(`UPDATE "TriggerFiring" SET key = key || '.'`);
    await startDue(ports);
  };
  await fire();
  await countEnds(store);
  expect(await failures()).toBe(0);
  await end('failed');
  await countEnds(store);
  expect(await failures()).toBe(1);
  await fire();
  await end('cancelled');
  expect(await failures()).toBe(1);
  await fire();
  await end('completed');
  expect(await failures()).toBe(0);
  await fire();
  await end('failed');
  await fire();
  await end('failed', 'The key of the model is wrong.');
  expect(await findTrigger(store, id, trigger)).toMatchObject({
    ...{ enabled: false, failures: 2, stoppedBecause: 'The key of the model is wrong.' },
  });
  const who = { by: 'local', via: 'web' };
  await changeTrigger(store, { id: trigger, projectId: id }, { enabled: true, nextAt: new Date() }, who);
  expect(await findTrigger(store, id, trigger)).toMatchObject({
    enabled: true,
    failures: 0,
    stoppedBecause: undefined,
  });
});

test('the budget of a project holds for its triggers', async () => {
  const id = await project();
  const trigger = await storedTrigger(store, id);
  await saveOwnBudget(store.pool, id, { maxUsd: null, maxTokens: null, maxRuns: 0, byAdministrator: true });
  expect(await startDue(ports)).toMatchObject([{ kind: 'refused', error: { code: 'over_budget' } }]);
  expect(await runsOf(trigger)).toEqual([]);
});

test('commands of a folder need the same confirmation as in other runs', async () => {
  const id = await project();
  await store.pool.query(`UPDATE "Project" SET origin = 'import' WHERE id = $1`, [id]);
  const trigger = await storedTrigger(store, id);
  const items = [{ kind: 'shell' as const, name: 'lead', hash: 'x', detail: '', notes: [], usedBy: [] }];
  const asking = {
    ...ports,
    list: () => Promise.resolve({ hash: 'h', items: items as never, models: [], commands: [] }),
  };
  expect(await startDue(asking)).toMatchObject([{ kind: 'refused', error: { code: 'not_trusted' } }]);
  expect(await runsOf(trigger)).toEqual([]);
});

test('a trigger goes with its project, and its runs stay when it is deleted', async () => {
  const id = await project();
  const trigger = await storedTrigger(store, id);
  const [fired] = await startDue(ports);
  await store.prisma.trigger.deleteMany({ where: { id: trigger } });
  if (fired?.kind !== 'started') throw new Error('Not started');
  expect(await findRun(store, fired.runId)).toMatchObject({ trigger: { id: trigger, name: undefined } });
  await storedTrigger(store, id);
  await store.prisma.project.delete({ where: { id } });
  expect(await store.prisma.trigger.count()).toBe(0);
  expect(await store.prisma.triggerFiring.count()).toBe(0);
});
