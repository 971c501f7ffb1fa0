import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { GET as readLimits, PUT as setLimits } from '@/app/api/v1/limits/route';
import { GET as getBudget, PUT as setBudget } from '@/app/api/v1/projects/[project]/budget/route';
import { POST as postRun } from '@/app/api/v1/projects/[project]/runs/route';
import { GET as listRuns } from '@/app/api/v1/runs/route';
import { type Actor, localActor } from '@/lib/base/actor';
import type { ProjectId } from '@/lib/base/ids';
import { noBudget, noLimits, noRunLimits } from '@/lib/base/limits';
import { folderOf } from '@/lib/cards/files';
import type { RunGroupInfo } from '@/lib/client/run-info';
import { openRunQueue } from '@/lib/jobs/enqueue';
import { receiveSpans } from '@/lib/server/imports';
import { uploadBytes } from '@/lib/server/project-bytes';
import { exportProject, saveFiles } from '@/lib/server/projects';
import { deleteNow, removeRun } from '@/lib/server/run-bin';
import {
  admissionOf,
  changeBudget,
  changeLimits,
  readBudget,
  readLimits as readStoredLimits,
} from '@/lib/server/run-limits';
import { getRun, startRun, stopRun } from '@/lib/server/runs';
import { findAudit } from '@/lib/store/audit';
import { openStore } from '@/lib/store/database';
import { countDisk } from '@/lib/store/project-disk';
import { findProject, insertProject } from '@/lib/store/projects';
import { testDatabase } from '@/lib/testing/postgres';
import { storedRun } from '@/lib/testing/stored-run';

const { url, store } = await testDatabase();
beforeAll(() => vi.stubEnv('DATABASE_URL', url));

const local = localActor('web');
const admin: Actor = {
  by: 'admin@team.example',
  via: 'web',
  reach: { kind: 'person', userId: 'u1', name: 'Admin', isAdministrator: true, members: new Map() },
};
const memberOf = (project: ProjectId, role: 'admin' | 'runner', by = `${role}@team.example`): Actor => ({
  by,
  via: 'web',
  reach: {
    kind: 'person',
    userId: by,
    name: by,
    isAdministrator: false,
    members: new Map([[project, { role, answers: true }]]),
  },
});

afterEach(async () => {
  await changeLimits(local, noLimits, noBudget);
  await store.prisma.run.deleteMany();
});

const project = () =>
  insertProject(store, 'Poems', folderOf({ 'a.md': '---\nname: a\nmodel: passthrough\n---\nA.\n' }), { origin: 'api' });

type Route = (request: Request, context: { params: Promise<never> }) => Promise<Response>;

async function call(route: Route, method: string, params: Record<string, string>, body?: unknown) {
  const request = new Request('http://127.0.0.1:3000/api/v1/x', {
    method,
    headers: { Host: '127.0.0.1:3000', 'Content-Type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const response = await route(request, { params: Promise.resolve(params) as never });
  const text = await response.text();
  const retryAfter = response.headers.get('Retry-After');
  return { status: response.status, retryAfter, body: text === '' ? undefined : JSON.parse(text) };
}

/** Returns the listed runs of a filter, each with who started it. */
async function listedBy(query: string): Promise<readonly (readonly [string, string | undefined])[]> {
  const request = new Request(`http://127.0.0.1:3000/api/v1/runs?${query}`, { headers: { Host: '127.0.0.1:3000' } });
  const { groups } = await (await listRuns(request, { params: Promise.resolve({}) })).json();
  return groups.flatMap(({ runs }: RunGroupInfo) => runs.map(({ id, startedBy }) => [id, startedBy] as const));
}

/** Starts so many runs at the same time. Returns `started`, or the code of the refusal, sorted. */
async function startMany(count: number, actor: Actor, id: ProjectId): Promise<readonly string[]> {
  const started = await Promise.allSettled(Array.from({ length: count }, () => startRun(actor, id, { message: 'Go' })));
  return started.map((one) => (one.status === 'fulfilled' ? 'started' : one.reason.code)).toSorted();
}

describe('limits on runs', () => {
  it('a person starts so many a minute, also at the same time, and others are free', async () => {
    const id = await project();
    await changeLimits(local, { runs: { ...noRunLimits, startsPerMinute: 3 } }, noBudget);
    const [ann, ben] = [memberOf(id, 'runner', 'ann@team.example'), memberOf(id, 'runner', 'ben@team.example')];
    expect(await startMany(5, ann, id)).toEqual(['started', 'started', 'started', 'too_many', 'too_many']);
    await expect(startRun(ann, id, { message: 'Go' })).rejects.toThrow(
      /^You may start 3 runs a minute, and have done so\. Try again in \d+ seconds\.$/,
    );
    expect(await startMany(1, ben, id)).toEqual(['started']);
    await store.pool.query(`UPDATE "Run" SET "createdAt" = "createdAt" - interval '61 seconds'`);
    expect(await startMany(1, ann, id)).toEqual(['started']);
  });

  it('active runs of a person count in all projects, and an ended one makes room', async () => {
    const [here, there] = [await project(), await project()];
    await changeLimits(local, { runs: { ...noRunLimits, activePerPerson: 2 } }, noBudget);
    const { runId } = await startRun(admin, here, { message: 'Go' });
    await startRun(admin, there, { message: 'Go' });
    await expect(startRun(admin, there, { message: 'Go' })).rejects.toThrow(
      'You may have 2 runs that wait or run, and have 2. Wait until one has ended, or stop one.',
    );
    await stopRun(admin, runId);
    expect(await startMany(1, admin, there)).toEqual(['started']);
  });

  it('two processes share the limit of a project, and turns of a conversation count', async () => {
    const id = await project();
    await changeLimits(local, { runs: { ...noRunLimits, activePerProject: 4 } }, noBudget);
    const other = openStore(url);
    try {
      const { treeHash } = await findProject(store, id);
      const queue = openRunQueue(other);
      const admit = await admissionOf(other, local, id);
      const elsewhere = Array.from({ length: 4 }, (_, index) =>
        queue.enqueueRun(
          {
            id: `r${index}` as never,
            projectId: id,
            treeHash,
            correlationId: 'c' as never,
            agent: undefined,
            message: 'Go',
            model: undefined,
          },
          admit,
        ),
      );
      const all = await Promise.allSettled([
        ...elsewhere,
        ...Array.from({ length: 4 }, () => startRun(local, id, { message: 'Go', conversationId: 'new' })),
      ]);
      expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(4);
      expect(await store.prisma.run.count({ where: { projectId: id } })).toBe(4);
      expect(await store.prisma.conversation.count({ where: { projectId: id } })).toBeLessThanOrEqual(4);
    } finally {
      await other.close();
    }
  });

  it('one person alone has no limits, people with accounts have some', async () => {
    expect((await call(readLimits, 'GET', {})).body.runs).toEqual(noRunLimits);
    await store.pool.query(`DELETE FROM "Setting" WHERE key = 'run-limits'`);
    vi.stubEnv('CALLBOARD_ACCOUNTS', '1');
    const id = await project();
    expect(await admissionOf(store, admin, id)).toBeDefined();
    vi.stubEnv('CALLBOARD_ACCOUNTS', '');
    expect(await admissionOf(store, local, id)).toBeUndefined();
  });

  it('runs say who started them, and are listed by person', async () => {
    const id = await project();
    const { runId } = await startRun(memberOf(id, 'runner'), id, { message: 'Go' });
    const { runId: own } = await startRun(local, id, { message: 'Go' });
    const imported = await storedRun(store);
    expect(await listedBy('')).toEqual([
      [imported, undefined],
      [own, 'local'],
      [runId, 'runner@team.example'],
    ]);
    expect(await listedBy('by=Runner@team.example')).toEqual([[runId, 'runner@team.example']]);
    expect(await listedBy('by.not=runner@team.example')).toEqual([
      [imported, undefined],
      [own, 'local'],
    ]);
    expect(await listedBy('by=nobody@team.example')).toEqual([]);
    expect((await getRun(local, runId, 100)).startedBy).toBe('runner@team.example');
  });
});

describe('the disk of a project', () => {
  const change = { draft: 'main', baseVersion: 1, changes: [{ path: 'b.md', text: 'B' }] };
  const span = {
    ...{ traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), name: 'work' },
    ...{ startTimeUnixNano: '1000000000', endTimeUnixNano: '2000000000' },
  };
  const sent = { resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] };
  const spans = { encoding: 'json', bytes: Buffer.from(JSON.stringify(sent)) } as const;

  it('a full project takes in nothing more, is still read and exported, and has room once its runs are deleted', async () => {
    const id = await project();
    const { runId } = await startRun(local, id, { message: 'Go' });
    await stopRun(local, runId);
    await store.prisma.run.update({ where: { id: runId }, data: { bytes: 3_000_000 } });
    const limits = { runs: noRunLimits, disk: { bytesPerProject: 2_000_000 }, budget: noBudget };
    expect((await call(setLimits, 'PUT', {}, limits)).status).toBe(204);
    await countDisk(store);
    const full = {
      code: 'too_large',
      message:
        'This project holds 3 MB and may hold 2 MB, so nothing more is stored in it. Delete runs that you do not need, also from the bin, or ask an administrator to raise the limit.',
    };
    const started = await call(postRun, 'POST', { project: id }, { message: 'Go' });
    expect([started.status, started.body.error]).toEqual([413, full]);
    await expect(saveFiles(local, id, change)).rejects.toMatchObject(full);
    await expect(uploadBytes(local, id, Buffer.from([0, 1, 2]))).rejects.toMatchObject(full);
    await expect(receiveSpans(local, spans, id)).rejects.toMatchObject(full);

    expect((await getRun(local, runId, 100)).id).toBe(runId);
    expect((await exportProject(local, id)).folder.size).toBeGreaterThan(0);
    expect((await call(readLimits, 'GET', {})).body.disk).toEqual({
      bytesPerProject: 2_000_000,
      largest: expect.arrayContaining([{ id, name: 'Poems', bytes: expect.any(Number) }]),
    });
    await removeRun(local, runId);
    await store.pool.query(`UPDATE "ProjectDisk" SET "countedAt" = now() - interval '6 seconds'`);
    // A run in the bin takes the same space.
    expect((await call(postRun, 'POST', { project: id }, { message: 'Go' })).status).toBe(413);
    await deleteNow(local, { runs: [runId] });
    await store.pool.query(`UPDATE "ProjectDisk" SET "countedAt" = now() - interval '6 seconds'`);
    expect((await call(postRun, 'POST', { project: id }, { message: 'Go' })).status).toBe(202);
  });

  it('people with accounts have a limit, and limits that a request leaves out stay', async () => {
    vi.stubEnv('CALLBOARD_ACCOUNTS', '1');
    await store.pool.query(`DELETE FROM "Setting" WHERE key IN ('run-limits', 'disk-limit')`);
    const limits = async () => {
      const { runs, disk } = await readStoredLimits(admin);
      return [runs.longestMs, disk.bytesPerProject];
    };
    expect(await limits()).toEqual([86_400_000, 5_000_000_000]);
    await changeLimits(admin, { runs: { ...noRunLimits, longestMs: 1_000 }, diskBytes: null }, noBudget);
    expect(await limits()).toEqual([1_000, null]);
    const { longestMs: _, ...starts } = noRunLimits;
    await changeLimits(admin, { runs: starts }, noBudget);
    expect(await limits()).toEqual([1_000, null]);
    vi.stubEnv('CALLBOARD_ACCOUNTS', '');
  });
});

describe('budgets', () => {
  it('a start over the budget is refused over HTTP with the reason and the day when it renews', async () => {
    const id = await project();
    expect((await call(setBudget, 'PUT', { project: id }, { ...noBudget, maxRuns: 2 })).status).toBe(204);
    for (const expected of [202, 202, 429]) {
      const { status, body, retryAfter } = await call(postRun, 'POST', { project: id }, { message: 'Go' });
      expect([status, body.error?.code]).toEqual([expected, expected === 429 ? 'over_budget' : undefined]);
      if (status !== 429) continue;
      expect(body.error.message).toMatch(
        /^The runs of this project have used 2 of 2 runs in .* renews on 1 .* raise it\.$/,
      );
      expect(Number(retryAfter)).toBeGreaterThan(0);
    }
    await changeBudget(local, id, undefined);
    expect((await call(postRun, 'POST', { project: id }, { message: 'Go' })).status).toBe(202);
  });

  it('people are warned at 80 % of a budget, and read what cannot be counted', async () => {
    const id = await project();
    await changeBudget(local, id, { ...noBudget, maxUsd: 10 });
    const month = new Date().toISOString().slice(0, 7);
    const used = { projectId: id, month, part: 0, runs: 3, costUsd: 7.9, tokens: 10, unpricedCalls: 0 };
    await store.prisma.monthSpending.create({ data: used });
    const warnings = async () => (await call(getBudget, 'GET', { project: id })).body.warnings;
    expect(await warnings()).toEqual([]);
    await store.prisma.monthSpending.create({ data: { ...used, part: 1, costUsd: 0.5, unpricedCalls: 2 } });
    expect(await warnings()).toEqual([
      expect.stringContaining('have used $8.40 of $10 in'),
      '2 model calls have no known price and cannot be counted in dollars. Limit tokens too.',
    ]);
  });

  it('an admin of the project stays below the budget of every project, an administrator need not', async () => {
    const id = await project();
    await changeLimits(admin, { runs: noRunLimits }, { ...noBudget, maxUsd: 10 });
    const lead = memberOf(id, 'admin');
    await changeBudget(lead, id, { ...noBudget, maxUsd: 5 });
    await expect(changeBudget(lead, id, { ...noBudget, maxUsd: 11 })).rejects.toThrow(
      'maxUsd: every project may use $10 a month. Set no more, or ask an administrator.',
    );
    await changeBudget(admin, id, { ...noBudget, maxUsd: 50 });
    await expect(changeBudget(lead, id, { ...noBudget, maxUsd: 5 })).rejects.toMatchObject({ code: 'not_allowed' });
    await expect(changeBudget(lead, id, undefined)).rejects.toMatchObject({ code: 'not_allowed' });
    expect((await call(getBudget, 'GET', { project: id })).body.budget.maxUsd).toBe(50);
    const entries = await findAudit(store, { actions: ['limits.changed'], limit: 3 }, undefined);
    expect(entries.map(({ actor, object }) => [actor, object])).toEqual([
      ['admin@team.example', id],
      [lead.by, id],
      ['admin@team.example', 'app'],
    ]);
  });

  it('from 80 % of a budget on, people read whom to ask to raise it, or that they can', async () => {
    const id = await project();
    const noticeFor = async (actor: Actor) => (await readBudget(actor, id)).notice;
    await changeLimits(local, { runs: noRunLimits }, { ...noBudget, maxRuns: 10 });
    await changeBudget(memberOf(id, 'admin'), id, { ...noBudget, maxRuns: 5 });
    const month = new Date().toISOString().slice(0, 7);
    const used = { projectId: id, month, runs: 1, costUsd: 0, tokens: 0, unpricedCalls: 0 };
    await store.prisma.monthSpending.create({ data: { ...used, part: 0, runs: 3 } });
    expect(await noticeFor(local)).toBeNull();
    await store.prisma.monthSpending.create({ data: { ...used, part: 1 } });
    expect(await noticeFor(memberOf(id, 'admin'))).toEqual({
      isSpent: false,
      mayRaise: true,
      text: expect.stringMatching(
        /^The runs of this project have used 4 of 5 runs in .* renews on 1 .*\. You can raise it\.$/,
      ),
    });
    expect(await noticeFor(memberOf(id, 'runner'))).toMatchObject({
      mayRaise: false,
      text: expect.stringMatching(/Ask .* to raise it\.$/),
    });
    await store.prisma.monthSpending.create({ data: { ...used, part: 2 } });
    expect(await noticeFor(memberOf(id, 'runner'))).toMatchObject({ isSpent: true });
    // The budget of an administrator is raised by administrators.
    await changeBudget(admin, id, { ...noBudget, maxRuns: 5 });
    expect(await noticeFor(memberOf(id, 'admin'))).toMatchObject({
      isSpent: true,
      mayRaise: false,
      text: expect.stringMatching(/Ask an administrator of this installation to raise it\.$/),
    });
    expect(await noticeFor(admin)).toMatchObject({ isSpent: true, mayRaise: true });
    await changeBudget(admin, id, undefined);
    expect(await noticeFor(admin)).toBeNull();
  });

  it('a runner changes no limits, and limits of another project are not found', async () => {
    const [mine, theirs] = [await project(), await project()];
    const runner = memberOf(mine, 'runner');
    await expect(changeBudget(runner, mine, noBudget)).rejects.toMatchObject({ code: 'not_allowed' });
    await expect(changeLimits(runner, { runs: noRunLimits }, noBudget)).rejects.toMatchObject({ code: 'not_allowed' });
    await expect(changeLimits(memberOf(mine, 'admin'), { runs: noRunLimits }, noBudget)).rejects.toMatchObject({
      code: 'not_allowed',
    });
    await expect(changeBudget(memberOf(mine, 'admin'), theirs, noBudget)).rejects.toMatchObject({ code: 'not_found' });
  });

  it.each([
    [{ runs: { ...noRunLimits, startsPerMinute: 0 }, budget: noBudget }],
    [{ runs: noRunLimits, budget: { ...noBudget, maxUsd: -1 } }],
    [{ runs: noRunLimits, budget: { maxUsd: 1 } }],
    [{ runs: noRunLimits }],
    [{ runs: noRunLimits, budget: noBudget, disk: { bytesPerProject: 0 } }],
  ])('the limits %j are refused', async (body) => {
    expect((await call(setLimits, 'PUT', {}, body)).status).toBe(400);
  });
});
