import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { ProjectId, RunId } from '@/lib/base/ids';
import { folderOf } from '@/lib/cards/files';
import { findProject, insertProject } from '@/lib/store/projects';
import { findRun } from '@/lib/store/runs';
import { readTree } from '@/lib/store/trees';
import { localActor } from '@/lib/testing/local-actor';
import { testDatabase } from '@/lib/testing/postgres';
import { endProcess, startWorkerProcess } from '@/lib/testing/worker-process';
import { readFixtures, saveFixture, startFixtures, suggestFixture } from './fixtures';
import { saveFiles } from './projects';
import { checkRelease, release, saveRevision } from './revisions';
import { listRuns, startRun } from './runs';

/** A run is saved as a test of its project, and a worker runs the test. */

const { url, store } = await testDatabase();
const data = mkdtempSync(path.join(tmpdir(), 'callboard-fixtures-'));
let stopWorker: () => Promise<void>;
let project: ProjectId;
let run: RunId;

const guard = (stops: boolean) =>
  `export async function check(ctx, args, next) {\n  ${stops ? "throw new Error('not today');" : ''}\n  return await next(args);\n}\n`;

beforeAll(async () => {
  vi.stubEnv('DATABASE_URL', url);
  vi.stubEnv('CALLBOARD_DATA', data);
  const worker = await startWorkerProcess({ databaseUrl: url, dataFolder: data, env: {} });
  stopWorker = () => endProcess(worker, 'SIGTERM');
  const folder = folderOf({
    'agent-cards/lead.md':
      '---\nname: lead\ndefault: true\nfunction_tools: [../tools.ts:twice]\ntool_hooks: [../guard.ts:check]\n---\nLead.\n',
    'tools.ts': 'export function twice(args: { x: number }) {\n  return args.x * 2;\n}\n',
    'guard.ts': guard(false),
    'callboard.yaml': `version: 1
scripts:
  lead:
    - turns:
        - calls: [{ tool: twice, arguments: { x: 4 } }]
        - text: "It is {{result}}."
`,
  });
  project = await insertProject(store, 'Tested', folder, { origin: 'api' });
  ({ runId: run } = await startRun(localActor, project, {
    message: 'What is 4 times 2?',
    attachments: [{ name: 'note.txt', mediaType: 'text/plain', text: 'four' }],
  }));
  await vi.waitFor(async () => expect((await findRun(store, run)).status).toBe('completed'), { timeout: 30_000 });
});

afterAll(async () => {
  await stopWorker();
  vi.unstubAllEnvs();
  rmSync(data, { recursive: true, force: true });
});

async function results() {
  return await vi.waitFor(
    async () => {
      const found = await readFixtures(localActor, project);
      expect(found.results.filter(({ status }) => status === 'running')).toEqual([]);
      return found;
    },
    { timeout: 30_000 },
  );
}

test('a run is saved as a test with what it did, and replays in a worker outside the lists of runs', async () => {
  const { suggested, suggestedName } = await suggestFixture(localActor, project, run);
  expect(suggestedName).toBe('what-is-4-times-2');
  expect(suggested).toEqual({
    answer: { contains: ['It is 8.'] },
    calls: [{ tool: 'twice', agent: 'lead', times: 1 }],
    limits: { time_ms: expect.any(Number) },
  });
  const expected = { ...suggested, hooks: [{ hook: 'guard.ts:check', tool: 'twice', denied: false }] };
  await saveFixture(localActor, project, { run, name: suggestedName, expect: expected });
  const { treeHash } = await findProject(store, project);
  const folder = await readTree(store.prisma, treeHash);
  expect([...folder.keys()].filter((one) => one.startsWith('tests/')).sort()).toEqual([
    'tests/what-is-4-times-2.files/note.txt',
    'tests/what-is-4-times-2.fixture.yaml',
    'tests/what-is-4-times-2.recording.jsonl',
  ]);
  const before = await readFixtures(localActor, project);
  expect(before.reasons).toEqual(["Test 'what-is-4-times-2' has not run on these files."]);

  expect(await startFixtures(localActor, project, { mode: 'replay' })).toMatchObject({ started: 1 });
  const after = await results();
  expect(after.reasons).toEqual([]);
  expect(after.results).toMatchObject([{ name: 'what-is-4-times-2', mode: 'replay', status: 'passed', treeHash }]);
  const listed = await listRuns(localActor, { where: [], after: undefined, limit: 50 });
  expect(listed.groups.flatMap((group) => group.runs.map(({ id }) => id))).toEqual([run]);
  // A replay spends nothing.
  const row = await store.prisma.run.findUniqueOrThrow({ where: { id: after.results[0]?.runId ?? '' } });
  expect([row.spentTokens, row.fixture, row.message]).toEqual([0, 'what-is-4-times-2', '"What is 4 times 2?"']);
});

test('a changed hook fails the test on the new files, and the earlier result stays beside it', async () => {
  const { version } = await findProject(store, project);
  await saveFiles(localActor, project, { baseVersion: version, changes: [{ path: 'guard.ts', text: guard(true) }] });
  await startFixtures(localActor, project, { mode: 'replay', names: ['what-is-4-times-2'] });
  const { results: found, reasons, treeHash } = await results();
  expect(found.map(({ status, treeHash: tree }) => [status, tree === treeHash])).toEqual([
    ['failed', true],
    ['passed', false],
  ]);
  expect(reasons).toEqual([
    expect.stringContaining(
      'expected guard.ts:check around twice lets the call through at least once; got it ran once',
    ),
  ]);
});

test('what cannot be a test is refused with a reason', async () => {
  const save = (more: object) => saveFixture(localActor, project, { run, name: 'other', expect: {}, ...more });
  await expect(save({ name: '../up' })).rejects.toThrow('Name the test with');
  await expect(save({ name: 'what-is-4-times-2' })).rejects.toThrow('There is a test');
  await expect(startFixtures(localActor, project, { mode: 'replay', names: ['none'] })).rejects.toThrow('no test');
  const elsewhere = await insertProject(store, 'Else', folderOf({ 'a.md': '---\nname: a\n---\nA.\n' }), {
    origin: 'api',
  });
  await expect(saveFixture(localActor, elsewhere, { run, name: 'x', expect: {} })).rejects.toThrow('no such run');
  await expect(suggestFixture(localActor, elsewhere, run)).rejects.toThrow('no such run');
  expect(await startFixtures(localActor, elsewhere, { mode: 'replay' })).toMatchObject({ started: 0 });
});

test('what has not passed its tests on exactly these files does not go live, and an admin says why it does', async () => {
  const own = await insertProject(
    store,
    'Gated',
    await readTree(store.prisma, (await findProject(store, project)).treeHash),
    {
      origin: 'api',
    },
  );
  const draft = { draft: 'main' } as const;
  const check = async () =>
    (await checkRelease(localActor, own, 'live', draft)).checks.find(({ id }) => id === 'tests');
  const { version } = await findProject(store, own);
  await saveFiles(localActor, own, { baseVersion: version, changes: [{ path: 'guard.ts', text: guard(false) }] });
  expect(await check()).toMatchObject({
    ok: false,
    tests: 'not run',
    sentence: expect.stringContaining('has not run'),
  });
  const ask = { label: 'live', target: draft, note: 'Go', override: undefined } as const;
  await expect(release(localActor, own, ask)).rejects.toMatchObject({ code: 'conflict', details: { checks: 'tests' } });
  // What is tried under another label need not have passed.
  expect((await checkRelease(localActor, own, 'staging', draft)).checks.map(({ id }) => id)).not.toContain('tests');

  const { number } = (await saveRevision(localActor, own, { draft: 'main', message: 'Tested' })).revision;
  const { treeHash } = await findProject(store, own);
  expect(await startFixtures(localActor, own, { mode: 'replay', target: { revision: number } })).toEqual({
    started: 1,
    treeHash,
  });
  await vi.waitFor(async () => expect(await check()).toMatchObject({ ok: true }), { timeout: 30_000 });
  // The results are those of a revision.
  expect((await readFixtures(localActor, own)).revisions).toEqual({ [treeHash]: number });
  await release(localActor, own, ask);

  // Other files have to pass again.
  const next = await findProject(store, own);
  await saveFiles(localActor, own, { baseVersion: next.version, changes: [{ path: 'guard.ts', text: guard(true) }] });
  expect(await check()).toMatchObject({ ok: false, tests: 'not run' });
  await startFixtures(localActor, own, { mode: 'replay' });
  await vi.waitFor(
    async () => expect(await check()).toMatchObject({ ok: false, sentence: expect.stringContaining('failed') }),
    { timeout: 30_000 },
  );
  expect((await check())?.tests).toBeUndefined();
  await release(localActor, own, { ...ask, override: 'The guard is wanted' });
  await expect(startFixtures(localActor, own, { mode: 'replay', target: { draft: 'gone' } })).rejects.toMatchObject({
    code: 'not_found',
  });
}, 120_000);
