import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ProjectId } from '@/lib/base/ids';
import type { FilesRequest, TaskAnswer } from '@/lib/base/task';
import { folderOf } from '@/lib/cards/files';
import { type FileChange, findProject, insertProject } from '@/lib/store/projects';
import type { ProjectOrigin } from '@/lib/store/trust';
import { liveProcesses } from '@/lib/testing/live-processes';
import { modulePath } from '@/lib/testing/mcp-servers';
import { testDatabase } from '@/lib/testing/postgres';
import { taskDesk } from '@/lib/testing/task-desk';
import { startWorkerHere, type WorkerHere } from '@/lib/testing/worker-here';

const { url, store } = await testDatabase();
const desk = taskDesk(store, url);
const { begin, until, answerOf } = desk;
const data = mkdtempSync(path.join(tmpdir(), 'callboard-tasks-'));
let worker: WorkerHere;

beforeAll(async () => {
  worker = await startWorkerHere({ databaseUrl: url, dataFolder: data });
});
afterAll(async () => {
  await worker.stop();
  await desk.close();
  rmSync(data, { recursive: true, force: true });
});

const every = modulePath('@modelcontextprotocol/server-everything/dist/index.js');
const probe: FilesRequest = { kind: 'probe', server: 'it' };

const configWith = (...command: readonly string[]) =>
  `mcp:\n  servers:\n    it:\n      command: ${command[0]}\n      args: ${JSON.stringify(command.slice(1))}\n`;

async function project(config: string, origin: ProjectOrigin = 'api'): Promise<ProjectId> {
  const folder = folderOf({ 'lead.md': '---\nname: lead\nservers: [it]\n---\nLead.\n', 'fast-agent.yaml': config });
  return await insertProject(store, 'Test', folder, { origin });
}

/** Returns the report of a probe, or fails with the answer. */
function probed(answer: TaskAnswer) {
  if (answer.ok && answer.kind === 'probe') return answer.report;
  throw new Error(`No report of a probe: ${JSON.stringify(answer)}`);
}

test('a worker probes a server of the saved files', async () => {
  const answer = await answerOf(await begin(await project(configWith('node', every)), probe));
  expect(answer).toMatchObject({ ok: true, kind: 'probe', report: { server: 'it' } });
  expect(probed(answer).tools.some(({ name }) => name === 'echo')).toBe(true);
});

test('changes that are not saved are probed, and stay unsaved', async () => {
  const projectId = await project(configWith('no-such-command'));
  const before = await findProject(store, projectId);
  const change: FileChange = { path: 'fast-agent.yaml', file: { kind: 'text', text: configWith('node', every) } };
  const answer = await answerOf(await begin(projectId, probe, [change]));
  expect(probed(answer).why).toBeUndefined();
  expect(await findProject(store, projectId)).toEqual(before);
});

test('nothing is started of an imported folder that nobody has confirmed', async () => {
  const mark = `mark-${randomUUID()}`;
  const projectId = await project(configWith('sleep', '600', mark), 'import');
  expect(await answerOf(await begin(projectId, probe))).toMatchObject({ ok: false, code: 'not_trusted' });
  // The list has no server that no card uses, so there is nothing to confirm, and the server must not start.
  const unused: FileChange = { path: 'lead.md', file: { kind: 'text', text: '---\nname: lead\n---\nLead.\n' } };
  expect(await answerOf(await begin(projectId, probe, [unused]))).toMatchObject({ ok: false, code: 'not_confirmed' });
  expect(liveProcesses(mark)).toBe(0);
});

test('a stop ends the server of a task that runs, and a task that waits', async () => {
  const mark = `mark-${randomUUID()}`;
  const projectId = await project(configWith('node', '-e', 'setInterval(() => {}, 1000)', mark));
  const id = await begin(projectId, probe);
  await until(id, () => liveProcesses(mark) > 0);
  await desk.queue.cancelTask(id);
  expect(await answerOf(id)).toMatchObject({ ok: false, code: 'cancelled' });
  expect(liveProcesses(mark)).toBe(0);

  const waiting = await desk.insert(projectId, probe);
  await desk.queue.cancelTask(waiting);
  expect(await answerOf(waiting)).toMatchObject({ ok: false, code: 'cancelled' });
});

test('hooks of a project run in the sandbox of its worker', async () => {
  const code = `export async function clamp(ctx, args, next) {
    console.log('clamping for ' + ctx.agentName);
    const result = await next({ ...args, x: Math.min(args.x, 10) });
    return { ...result, content: [...result.content, { type: 'text', text: '[clamped]' }] };
  }`;
  const card = '---\nname: lead\ntool_hooks: [hooks.ts:clamp]\n---\nLead.\n';
  const settings = 'version: 1\nrun_hooks:\n  - redact: {keys: [pin]}\n';
  const folder = folderOf({ 'lead.md': card, 'hooks.ts': code, 'callboard.yaml': settings });
  const projectId = await insertProject(store, 'Test', folder, { origin: 'api' });
  const call = { tool: 'add', source: 'function', arguments: { x: 99, pin: '1234' } } as const;
  const answer = await answerOf(await begin(projectId, { kind: 'hooks', agent: 'lead', call, result: '100' }));
  expect(answer).toMatchObject({
    ok: true,
    kind: 'hooks',
    report: {
      toolCalls: 1,
      arguments: { x: 10, pin: '1234' },
      result: { content: [{ text: '100' }, { text: '[clamped]' }] },
      steps: [
        { hook: 'redact', place: 1, state: 'done' },
        {
          hook: 'hooks.ts:clamp',
          place: 2,
          arguments: { before: { x: 99 }, after: { x: 10 } },
          result: { before: { content: [{ text: '100' }] } },
          log: [{ level: 'info', message: 'hooks.ts:clamp: clamping for lead' }],
        },
      ],
    },
  });
  const broken: FileChange = {
    path: 'hooks.ts',
    file: { kind: 'text', text: 'export function clamp() { throw new Error("no") }' },
  };
  const failed = await answerOf(await begin(projectId, { kind: 'hooks', agent: 'lead', call, result: '1' }, [broken]));
  expect(failed).toMatchObject({
    report: { steps: [{}, { state: 'failed', error: expect.stringContaining('no') }], result: { isError: true } },
  });
});

test('a hook in Python that is off is not tried in an imported folder, because nobody has confirmed its file', async () => {
  const card = '---\nname: lead\ntool_hooks: [audit.py:check]\n---\nLead.\n';
  const settings = 'version: 1\nhooks_off:\n  lead: {tool_hooks: [audit.py:check]}\n';
  const folder = folderOf({
    'lead.md': card,
    'audit.py': 'raise RuntimeError("started")\n',
    'callboard.yaml': settings,
  });
  const call = { tool: 'add', source: 'function', arguments: {} } as const;
  const only = { origin: 'card', index: 0 } as const;
  const request = { kind: 'hooks', agent: 'lead', call, only, result: '1' } as const;
  const imported = await insertProject(store, 'Test', folder, { origin: 'import' });
  const refused = await answerOf(await begin(imported, request));
  expect(refused).toMatchObject({
    ok: false,
    code: 'not_confirmed',
    message: expect.stringContaining('audit.py:check'),
  });
  const own = await insertProject(store, 'Test', folder, { origin: 'api' });
  expect(await answerOf(await begin(own, request))).toMatchObject({ ok: true, kind: 'hooks' });
});

test('an entry of mcp_connect is probed as its card has it', async () => {
  // The path may hold spaces.
  const card = `---\nname: lead\nmcp_connect:\n  - target: 'node "${every}"'\n    name: own\n---\nLead.\n`;
  const projectId = await insertProject(store, 'Test', folderOf({ 'lead.md': card }), { origin: 'api' });
  const found = await answerOf(await begin(projectId, { kind: 'probe', server: 'own', agent: 'lead' }));
  expect(probed(found).tools.length).toBeGreaterThan(3);
  const none = await answerOf(await begin(projectId, { kind: 'probe', server: 'other', agent: 'lead' }));
  expect(none).toMatchObject({ ok: false, code: 'not_found' });
});
