import { randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Actor } from '@/lib/base/actor';
import { brandAs, type ProjectId, type TaskId } from '@/lib/base/ids';
import type { FilesRequest } from '@/lib/base/task';
import { folderOf } from '@/lib/cards/files';
import { readFolder } from '@/lib/cards/project/read-folder';
import type { Command } from '@/lib/cards/trust/command';
import { listCapabilities } from '@/lib/cards/trust/list-capabilities';
import { ensureSecretKey } from '@/lib/server/secret-key';
import { type BoundCommand, boundCommands } from '@/lib/store/bound-commands';
import { decideCommandRow, findCommandRow, findUnapproved, putCommands } from '@/lib/store/commands';
import { hashBlob } from '@/lib/store/hash';
import { findItems } from '@/lib/store/pending-items';
import { findProject, insertProject } from '@/lib/store/projects';
import { findRun } from '@/lib/store/runs';
import { seal } from '@/lib/store/sealing';
import { labelOf, putSecret, removeSecret } from '@/lib/store/secrets';
import { findTask, insertTask } from '@/lib/store/tasks';
import { eventually } from '@/lib/testing/eventually';
import { testDatabase } from '@/lib/testing/postgres';
import { queuedRuns } from '@/lib/testing/queued-runs';
import { startWorkerHere, type WorkerHere } from '@/lib/testing/worker-here';
import { answerItems } from './end-items';

const { url, store } = await testDatabase();
const { queue, start, ended, run } = queuedRuns(store);
const data = mkdtempSync(path.join(tmpdir(), 'callboard-commands-'));
const root: Actor = {
  by: 'root@example.org',
  via: 'web',
  reach: { kind: 'person', userId: 'root', name: 'Root', isAdministrator: true, members: new Map() },
};
let worker: WorkerHere;

beforeAll(async () => {
  const env = { CALLBOARD_ACCOUNTS: '1', CALLBOARD_OPEN: '', CALLBOARD_PYTHON: '1', CALLBOARD_SHELL: '1' };
  worker = await startWorkerHere({ databaseUrl: url, dataFolder: data, env });
});
afterAll(async () => {
  await worker.stop();
  rmSync(data, { recursive: true, force: true });
});

type Files = Readonly<Record<string, string>>;

const marker = () => path.join(data, randomUUID());
const config = (command: string, args: readonly string[]) =>
  `mcp:\n  servers:\n    mark: { command: ${command}, args: ${JSON.stringify(args)} }\n`;
const withServer = (mark: string): Files => ({
  'lead.md': '---\nname: lead\nmodel: passthrough\nservers: [mark]\n---\nLead.\n',
  'fast-agent.yaml': config('touch', [mark]),
});

async function project(files: Files): Promise<ProjectId> {
  return await insertProject(store, 'Own', folderOf(files), { origin: 'blank' });
}

function commandsOf(files: Files): readonly Command[] {
  const folder = folderOf(files);
  return listCapabilities(folder, readFolder(folder), hashBlob).commands;
}

function boundOf(projectId: ProjectId, files: Files): Promise<readonly BoundCommand[]> {
  return boundCommands(store, projectId, commandsOf(files));
}

async function approve(projectId: ProjectId, files: Files): Promise<void> {
  await putCommands(store, { project: projectId, commands: await boundOf(projectId, files), status: 'approved' }, root);
}

const refused = { status: 'failed', error: { code: 'not_approved' } };

it('a stdio server never starts before it is approved, and not with another argument', async () => {
  const [mark, other] = [marker(), marker()];
  const files = withServer(mark);
  const own = await project(files);
  expect(await run(own)).toMatchObject(refused);
  expect(existsSync(mark)).toBe(false);

  await approve(own, files);
  await run(own);
  expect(existsSync(mark)).toBe(true);

  const changed = await project({ ...files, 'fast-agent.yaml': config('touch', [mark, other]) });
  expect((await run(changed)).error).toMatchObject({
    code: 'not_approved',
    message: expect.stringContaining("the command of server 'mark'"),
  });
  expect(existsSync(other)).toBe(false);

  rmSync(mark);
  expect(await run(await project(files)), 'an approval holds in its project only').toMatchObject(refused);
  expect(existsSync(mark)).toBe(false);
  const [command] = await boundOf(own, files);
  const row = await findCommandRow(store, command?.id ?? '');
  expect(row?.uses.map((use) => use.project)).toEqual([own]);
});

it('a changed file that a command loads asks again', async () => {
  const files = (text: string): Files => ({
    'lead.md': '---\nname: lead\nservers: [mark]\n---\nLead.\n',
    'fast-agent.yaml': config('node', ['servers/a.mjs']),
    'servers/a.mjs': "import './b.mjs';\n",
    'servers/b.mjs': text,
  });
  const own = await project(files('one;\n'));
  await approve(own, files('one;\n'));
  expect(await findUnapproved(store, await boundOf(own, files('one;\n')))).toEqual([]);
  const changed = await project(files('two;\n'));
  expect(await run(changed)).toMatchObject(refused);
});

it('the server of a child agent is checked before anything starts', async () => {
  const mark = marker();
  const own = await project({
    'lead.md': '---\nname: lead\ndefault: true\nmodel: passthrough\nagents: [kid]\n---\nLead.\n',
    'kid.md': '---\nname: kid\nmodel: passthrough\nservers: [mark]\n---\nKid.\n',
    'fast-agent.yaml': config('touch', [mark]),
  });
  expect(await run(own)).toMatchObject(refused);
  expect(existsSync(mark)).toBe(false);
});

it('Python and a stdio server are approved separately', async () => {
  const [mark, python] = [marker(), marker()];
  const files: Files = {
    ...withServer(mark),
    'lead.md': '---\nname: lead\nmodel: passthrough\nservers: [mark]\ntool_hooks: [hooks.py:look]\n---\nLead.\n',
    'hooks.py': `open(${JSON.stringify(python)}, 'w').close()\nasync def look(ctx, args, next):\n    return await next(args)\n`,
  };
  const own = await project(files);
  const commands = await boundOf(own, files);
  expect(commands.map(({ command }) => command.kind)).toEqual(['stdio', 'python']);
  await putCommands(store, { project: own, commands: commands.slice(0, 1), status: 'approved' }, root);
  expect((await run(own)).error?.message).toContain("the Python of 'hooks.py'");
  expect([existsSync(mark), existsSync(python)]).toEqual([false, false]);
  await approve(own, files);
  expect((await run(own)).error?.code).not.toBe('not_approved');
  expect(existsSync(mark)).toBe(true);
});

it('a shell is approved for its agent in one project', async () => {
  const files = { 'lead.md': '---\nname: lead\nmodel: passthrough\nshell: true\n---\nLead.\n' };
  const [own, other] = [await project(files), await project(files)];
  expect((await run(own)).error?.message).toContain("the shell of agent 'lead'");
  await approve(own, files);
  expect((await run(own)).status).toBe('completed');
  expect(await run(other)).toMatchObject(refused);
});

it('a suspended run that resumes after a revoke fails, and says why', async () => {
  const files: Files = {
    ...withServer(marker()),
    'lead.md': '---\nname: lead\ndefault: true\nfunction_tools: [tools.ts:send]\n---\nLead.\n',
    'kid.md': '---\nname: kid\nservers: [mark]\n---\nKid.\n',
    'tools.ts': '/** Sends. */\nexport function send(to: string): string { return to; }\n',
    'callboard.yaml': `version: 1
approvals: { hold_s: 0, rules: [{ tools: [send], effect: ask }] }
scripts:
  lead:
    - turns:
        - calls: [{ tool: send, arguments: { to: ana } }]
        - text: sent
`,
  };
  const own = await project(files);
  await approve(own, files);
  const id = await start(own);
  await expect.poll(async () => (await findRun(store, id)).status).toBe('suspended');
  for (const { id: command } of await boundOf(own, files)) {
    expect(await decideCommandRow(store, command, { decision: 'revoke', note: '' }, root)).toBe(true);
  }
  const items = await findItems(store, { scope: 'all', run: id, status: 'open' }, { after: undefined, limit: 10 });
  expect(items).toHaveLength(1);
  const answers = items.map((item) => ({
    item: item.id,
    answer: { decision: 'approve', by: 'ana', via: 'web' } as const,
  }));
  await answerItems(store, answers);
  expect(await ended(id)).toMatchObject(refused);
});

it('a probe and a test of hooks start nothing that is not approved', async () => {
  const mark = marker();
  const files = withServer(mark);
  const own = await project(files);
  const answer = async (request: FilesRequest) => {
    const { treeHash: draftHash } = await findProject(store, own);
    const id = brandAs<TaskId>(randomUUID());
    const limits = { files: 100, totalBytes: 1_000_000 };
    await insertTask(store, { id, projectId: own, draftHash, changes: [], limits, request });
    await queue.enqueueTask(id, undefined);
    return await eventually(async () => {
      const task = await findTask(store, id);
      if (task.state !== 'ended') throw new Error('not ended');
      return JSON.parse(task.answer);
    });
  };
  expect(await answer({ kind: 'probe', server: 'mark' })).toMatchObject({ ok: false, code: 'not_approved' });
  const call = { tool: 'add', source: 'function', arguments: {} } as const;
  expect(await answer({ kind: 'hooks', agent: 'lead', call, result: '1' })).toMatchObject({ code: 'not_approved' });
  expect(existsSync(mark)).toBe(false);
});

const setSecret = async (owner: ProjectId | null, name: string, value: string) => {
  const { id: keyId, publicKey } = ensureSecretKey({ dataFolder: data, secretKey: undefined, oldSecretKey: undefined });
  const sealed = seal(value, labelOf(owner, name), { id: keyId, publicKey });
  await putSecret(store, { id: randomUUID(), project: owner, name, keyId, sealed, hosts: [] }, root);
};

const filled = (server: string): Files => ({
  'lead.md': '---\nname: lead\nmodel: passthrough\nservers: [mark]\n---\nLead.\n',
  'fast-agent.yaml': `mcp:\n  servers:\n    mark: ${server}\n`,
});

it.each([
  ['an argument', (mark: string) => `{ command: touch, args: ["${mark}", "\${LOADER}"] }`],
  ['the program', () => `{ command: "\${LOADER}" }`],
  ['the working folder', (mark: string) => `{ command: touch, args: ["${mark}"], cwd: "\${LOADER}" }`],
  [
    'a variable that may load code',
    (mark: string) => `{ command: touch, args: ["${mark}"], env: { NODE_OPTIONS: "\${LOADER}" } }`,
  ],
])('another value of a secret in %s asks again', async (_name, server) => {
  const files = filled(server(marker()));
  const own = await project(files);
  await setSecret(own, 'LOADER', 'the first value');
  await approve(own, files);
  expect((await run(own)).error?.code).not.toBe('not_approved');
  await setSecret(own, 'LOADER', 'the second value');
  expect(await run(own)).toMatchObject(refused);
  await approve(own, files);
  await setSecret(null, 'LOADER', 'a value of the installation, which the own one hides');
  expect((await run(own)).error?.code).not.toBe('not_approved');
  const [row] = await Promise.all((await boundOf(own, files)).map(({ id }) => findCommandRow(store, id)));
  expect(row?.filledBy).toEqual([{ name: 'LOADER', by: root.by }]);
  await removeSecret(store, { project: own, name: 'LOADER' }, root);
  expect(await run(own)).toMatchObject(refused);
  await removeSecret(store, { project: null, name: 'LOADER' }, root);
});

it('a new token in the environment of a server asks nothing', async () => {
  const mark = marker();
  const files = filled(`{ command: touch, args: ["${mark}"], env: { GITHUB_TOKEN: "\${LOADER}" } }`);
  const own = await project(files);
  await setSecret(own, 'LOADER', 'the first token');
  await approve(own, files);
  await setSecret(own, 'LOADER', 'the second token');
  await run(own);
  expect(existsSync(mark)).toBe(true);
});

it('text beside a program may be loaded as code, so a changed one asks again', async () => {
  const files = (place: string, text: string): Files => ({
    'lead.md': '---\nname: lead\nservers: [mark]\n---\nLead.\n',
    'fast-agent.yaml': config('node', ['servers/a.mjs']),
    'servers/a.mjs': '\n',
    [place]: text,
  });
  for (const place of ['servers/notes.md', 'servers/more/data.txt']) {
    const own = await project(files(place, 'one'));
    await approve(own, files(place, 'one'));
    expect(await findUnapproved(store, await boundOf(own, files(place, 'two')))).toHaveLength(1);
  }
  const own = await project(files('data/notes.txt', 'one'));
  await approve(own, files('data/notes.txt', 'one'));
  expect(await findUnapproved(store, await boundOf(own, files('data/notes.txt', 'two')))).toEqual([]);
});
