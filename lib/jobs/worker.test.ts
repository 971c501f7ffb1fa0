import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { brandAs, type CorrelationId, type ProjectId, type RunId } from '@/lib/base/ids';
import { folderOf } from '@/lib/cards/files';
import type { Folder } from '@/lib/cards/folder';
import { readDiskFolder } from '@/lib/cli/read-disk-folder';
import type { RunEvent } from '@/lib/runtime/record/events';
import { readAllEvents, runEventsChannel } from '@/lib/store/events';
import { openNotifications } from '@/lib/store/notifications';
import { findProject, insertProject, removeProject } from '@/lib/store/projects';
import { readRunTrace } from '@/lib/store/run-traces';
import { findRun } from '@/lib/store/runs';
import { testDatabase } from '@/lib/testing/postgres';
import { watchRun } from '@/lib/testing/watch-run';
import { breakable, endProcess, startWorkerProcess } from '@/lib/testing/worker-process';
import { encodeTrace } from '@/lib/trace/columns';
import { emptyTrace } from '@/lib/trace/empty-trace';
import { foldEvent } from '@/lib/trace/fold';
import { openRunQueue } from './enqueue';
import { systemClock } from './system-clock';

const appFolder = process.cwd();
const { url, store } = await testDatabase();
const queue = openRunQueue(store);
const notifications = openNotifications(url, runEventsChannel);
const data = mkdtempSync(path.join(tmpdir(), 'callboard-worker-'));
/** The workers that run. Tests share one, because a worker starts slowly. */
const workers = new Set<ChildProcess>();

afterAll(async () => {
  await endAll();
  await notifications.close();
  rmSync(data, { recursive: true, force: true });
});

/** Returns the worker that runs. Starts one if there is none. */
async function oneWorker(): Promise<ChildProcess> {
  const [running] = workers;
  return running ?? (await startWorker());
}

async function startWorker(env: Readonly<Record<string, string>> = breakable): Promise<ChildProcess> {
  const worker = await startWorkerProcess({ databaseUrl: url, dataFolder: data, env });
  workers.add(worker);
  return worker;
}

async function end(worker: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  workers.delete(worker);
  await endProcess(worker, signal);
}

async function endAll(): Promise<void> {
  await Promise.all([...workers].map((worker) => end(worker, 'SIGTERM')));
}

async function enqueue(folder: Folder): Promise<RunId> {
  return ask(await insertProject(store, 'Test', folder, { origin: 'api' }), 'Go');
}

async function ask(projectId: ProjectId, message: string): Promise<RunId> {
  const { treeHash } = await findProject(store, projectId);
  const id = brandAs<RunId>(randomUUID());
  const correlationId = brandAs<CorrelationId>(randomUUID());
  await queue.enqueueRun({ id, projectId, treeHash, correlationId, agent: undefined, message, model: undefined });
  return id;
}

/** Watches until an event satisfies `wanted`, else to the end of the run. */
async function seen(runId: RunId, wanted: (event: RunEvent) => boolean): Promise<void> {
  const signal = new AbortController().signal;
  for await (const batch of watchRun(store, notifications, systemClock, { id: runId, after: 0, signal })) {
    if (batch.some(wanted)) return;
  }
}

const isFinished = (event: RunEvent) => event.kind === 'run.finished';

function endedSteps(events: readonly RunEvent[]): readonly string[] {
  return events.flatMap((event) => (event.kind.endsWith('.ended') && 'step' in event ? [event.step ?? ''] : []));
}

const slow = folderOf({
  'agent-cards/lead.md': '---\nname: lead\ndefault: true\nagents: [kid]\n---\nLead.\n',
  'agent-cards/kid.md': '---\nname: kid\n---\nKid.\n',
  'callboard.yaml': `version: 1
scripts:
  lead:
    - turns:
        - calls: [{ tool: agent__kid, arguments: { message: a } }, { tool: agent__kid, arguments: { message: b } }]
        - text: over
  kid:
    - turns:
        - { text: done, delay_ms: 600000 }
`,
});

/** Runs that are in the queue before the first worker starts. */
const stopped = await enqueue(slow);
const crashed = await enqueue(slow);
const newer = await enqueue(slow);
const kindsOf = async (runId: RunId) => (await readAllEvents(store, runId)).map((event) => event.kind);

beforeAll(async () => {
  await queue.cancelRun(stopped);
  await store.prisma.run.update({ where: { id: crashed }, data: { attempts: 3 } });
  await store.pool.query(
    `INSERT INTO "Event" ("runId", format, seq, at, kind, body) VALUES ($1, 99, 1, 1, 'run.dreamt', '{}')`,
    [newer],
  );
  await store.prisma.run.update({ where: { id: newer }, data: { lastSeq: 1 } });
});

test('a run nobody has begun is stopped at once, and no worker begins it', { timeout: 60_000 }, async () => {
  expect(await kindsOf(stopped)).toEqual(['run.started', 'run.finished']);
  await oneWorker();
  const later = await enqueue(folderOf({ 'a.md': 'no card' }));
  await seen(later, isFinished);
  expect(await kindsOf(stopped)).toEqual(['run.started', 'run.finished']);
});

test('a run that killed its worker three times in a row ends failed, and says why', { timeout: 60_000 }, async () => {
  await oneWorker();
  await seen(crashed, isFinished);
  expect(await findRun(store, crashed)).toMatchObject({ status: 'failed', error: { code: 'worker_crashed' } });
});

test('a run that a newer Callboard began ends with that sentence, and its events stay', {
  timeout: 60_000,
}, async () => {
  await oneWorker();
  await expect.poll(async () => (await findRun(store, newer)).status, { timeout: 30_000 }).toBe('failed');
  const { error } = await findRun(store, newer);
  expect(error).toMatchObject({ code: 'record_unreadable', message: expect.stringContaining('a newer Callboard') });
  const where = { runId: newer, seq: 1 };
  expect(await store.prisma.event.findFirst({ where })).toMatchObject({ format: 99, body: '{}' });
});

test('function tools, hooks and servers of a project run in the worker, and no log shows a secret', {
  timeout: 60_000,
}, async () => {
  await oneWorker();
  const runId = await enqueue(
    folderOf({
      'agent-cards/lead.md':
        '---\nname: lead\ndefault: true\nservers: [time]\nfunction_tools: [tools.ts:add]\ntool_hooks: [tools.ts:ten]\n---\nLead.\n',
      'agent-cards/tools.ts': `/** Adds. */
export function add(a: number, b: number): number { return a + b; }
export async function ten(ctx, args, next) { console.log('whisper-it'); return next(ctx.toolName === 'add' ? { ...args, b: 10 } : args); }
`,
      'servers/time.mjs': await readFile(path.join(appFolder, 'examples/pmo/servers/time.mjs'), 'utf8'),
      'fast-agent.yaml': 'mcp: {servers: {time: {command: node, args: [servers/time.mjs]}}}',
      'fast-agent.secrets.yaml': 'mcp: {servers: {time: {env: {API_KEY: whisper-it}}}}',
      'callboard.yaml': `version: 1
scripts:
  lead:
    - turns:
        - calls: [{ tool: add, arguments: { a: 1, b: 2 } }, { tool: time__no_such_tool }]
        - text: 'sum {{result[1]}}'
`,
    }),
  );
  await seen(runId, isFinished);
  const events = await readAllEvents(store, runId);
  expect(events.at(-1)).toMatchObject({ kind: 'run.finished', status: 'completed', answer: 'sum 11' });
  expect(events.find((event) => event.kind === 'model.started')).toMatchObject({
    tools: expect.arrayContaining([expect.stringMatching(/^time__/), 'add']),
  });
  expect(events.some((event) => event.kind === 'log' && event.message.includes('***'))).toBe(true);
  expect(JSON.stringify(events)).not.toContain('whisper-it');
});

test('stop reaches a run in the middle, and every instance ends', { timeout: 60_000 }, async () => {
  await oneWorker();
  const runId = await enqueue(slow);
  await seen(runId, (event) => event.kind === 'model.started' && event.path.includes('kid'));
  await queue.cancelRun(runId);
  await seen(runId, isFinished);
  const events = await readAllEvents(store, runId);
  const started = events.filter((event) => event.kind === 'instance.started').length;
  expect(started).toBe(3);
  expect(events.filter((event) => event.kind === 'instance.ended').length).toBe(started);
  expect((await findRun(store, runId)).status).toBe('cancelled');
});

test('deleting a project with a run in the middle disturbs no other run', { timeout: 60_000 }, async () => {
  await oneWorker();
  const doomed = await enqueue(slow);
  await seen(doomed, (event) => event.kind === 'model.started' && event.path.includes('kid'));
  await queue.cancelRun(doomed);
  await removeProject(store, (await findRun(store, doomed)).projectId);
  const other = await enqueue(folderOf({ 'a.md': 'no card' }));
  await seen(other, isFinished);
  expect((await findRun(store, other)).status).toBe('failed');
});

test('a folder that nobody has confirmed starts nothing, however its run came into the queue', {
  timeout: 60_000,
}, async () => {
  const folder = folderOf({
    'agent-cards/lead.md': '---\nname: lead\nmodel: passthrough\nservers: [mark]\n---\nLead.\n',
    'fast-agent.yaml': `mcp:\n  servers:\n    mark: { command: touch, args: [${path.join(data, 'started')}] }\n`,
  });
  await oneWorker();
  const runId = await ask(await insertProject(store, 'Imported', folder), 'Go');
  await seen(runId, isFinished);
  expect(await findRun(store, runId)).toMatchObject({ status: 'failed', error: { code: 'not_trusted' } });
  expect(existsSync(path.join(data, 'started'))).toBe(false);

  const own = await ask(await insertProject(store, 'Own', folder, { origin: 'api' }), 'Go');
  await seen(own, isFinished);
  expect(existsSync(path.join(data, 'started'))).toBe(true);
});

test('a run whose worker is killed goes on in another, and no recorded step is repeated', {
  timeout: 90_000,
}, async () => {
  const both = [await oneWorker(), await startWorker()];
  const runId = await enqueue(await readDiskFolder(path.join(appFolder, 'examples/pmo')));
  await seen(runId, (event) => event.kind === 'tool.ended' && event.path.includes('/'));
  const { worker } = await store.prisma.run.findUniqueOrThrow({ where: { id: runId } });
  const killed = both.find(({ pid }) => worker?.startsWith(`worker-${pid}-`));
  if (killed === undefined) throw new Error(`No worker of ours has the run, but ${worker}`);
  await end(killed, 'SIGKILL');
  await seen(runId, isFinished);
  const events = await readAllEvents(store, runId);
  const kinds = events.map((event) => event.kind);
  expect(events.map((event) => event.seq)).toEqual(events.map((_, index) => index + 1));
  expect(kinds.filter((kind) => kind === 'run.started' || kind === 'run.finished')).toEqual([
    'run.started',
    'run.finished',
  ]);
  expect(kinds).toContain('run.resumed');
  const steps = endedSteps(events);
  expect(new Set(steps).size).toBe(steps.length);
  expect((await findRun(store, runId)).status).toBe('completed');
  // Kept just after the end, by the second worker out of both workers' events.
  const kept = await vi.waitFor(
    async () => (await readRunTrace(store, runId)) ?? Promise.reject(new Error('not kept')),
    {
      timeout: 20_000,
    },
  );
  const folded = emptyTrace();
  for (const event of events) foldEvent(folded, event);
  expect([...kept]).toEqual([...encodeTrace(folded)]);
  expect(both.filter((each) => each.exitCode === null && each.signalCode === null)).toHaveLength(1);
});

test('a text that an instruction includes is fetched by the first worker of a run only', {
  timeout: 90_000,
}, async () => {
  const asked: string[] = [];
  const site = http.createServer((request, response) => {
    asked.push(request.url ?? '');
    response.end('Be kind.');
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  const address = `http://127.0.0.1:${(site.address() as AddressInfo).port}/rules`;
  const lead = `---\nname: lead\ndefault: true\nagents: [kid]\n---\n{{url:${address}}}\n`;
  const first = await oneWorker();
  const runId = await enqueue(new Map([...slow, ...folderOf({ 'agent-cards/lead.md': lead })]));
  await seen(runId, (event) => event.kind === 'instance.started' && event.path.includes('/'));
  await end(first, 'SIGKILL');
  await startWorker();
  await seen(runId, (event) => event.kind === 'run.resumed');
  await queue.cancelRun(runId);
  await seen(runId, isFinished);
  site.close();
  expect(asked).toEqual(['/rules']);
  const events = await readAllEvents(store, runId);
  expect(events.filter((event) => event.kind === 'url.fetched').map(({ url, text }) => [url, text])).toEqual([
    [address, 'Be kind.'],
  ]);
});

test('a worker that is asked to end leaves its run for the next one', { timeout: 90_000 }, async () => {
  const first = await oneWorker();
  const runId = await enqueue(
    folderOf({
      'agent-cards/lead.md': '---\nname: lead\ndefault: true\nagents: [quick, late]\n---\nLead.\n',
      'agent-cards/quick.md': '---\nname: quick\n---\nQuick.\n',
      'agent-cards/late.md': '---\nname: late\n---\nLate.\n',
      'callboard.yaml': `version: 1
scripts:
  lead:
    - turns:
        - calls: [{ tool: agent__quick, arguments: { message: a } }]
        - calls: [{ tool: agent__late, arguments: { message: b } }]
        - text: over
  quick:
    - turns: [{ text: done }]
  late:
    - turns: [{ text: done, delay_ms: 3000 }]
`,
    }),
  );
  await seen(runId, (event) => event.kind === 'model.started' && event.path.includes('late'));
  await end(first, 'SIGTERM');
  expect((await findRun(store, runId)).status).toBe('running');
  await startWorker();
  await seen(runId, isFinished);
  const steps = endedSteps(await readAllEvents(store, runId));
  expect(new Set(steps).size).toBe(steps.length);
  expect((await findRun(store, runId)).status).toBe('completed');
});

test('a session of one run goes on in another run, with another worker', { timeout: 90_000 }, async () => {
  const folder = folderOf({
    'agent-cards/lead.md': '---\nname: lead\ndefault: true\nagents: [expert]\n---\nLead.\n',
    'agent-cards/expert.md': '---\nname: expert\n---\nKnow.\n',
    'callboard.yaml': `version: 1
delegations: { lead: { expert: { session: addressed } } }
scripts:
  lead:
    - turns:
        - calls: [{ tool: agent__expert, arguments: { text: hello, session_id: "{{input}}" } }]
        - text: over
  expert:
    - turns: [{ text: heard }]
`,
  });
  const projectId = await insertProject(store, 'Sessions', folder, { origin: 'api' });
  const opened = async (message: string) => {
    const worker = await oneWorker();
    const runId = await ask(projectId, message);
    await seen(runId, isFinished);
    await end(worker, 'SIGTERM');
    const events = await readAllEvents(store, runId);
    return events.flatMap((event) => (event.kind === 'session.opened' ? [event] : []));
  };
  const [first] = await opened('made-up');
  expect(first).toMatchObject({ asked: 'made-up', version: 0 });
  const [second] = await opened(first?.sessionId ?? '');
  expect(second).toMatchObject({ sessionId: first?.sessionId, version: 1, content: { history: [{}, {}] } });
});

test('a run that goes on where the clock is behind is told in order', { timeout: 60_000 }, async () => {
  const first = await oneWorker();
  const runId = await enqueue(slow);
  await seen(runId, (event) => event.kind === 'model.started' && event.path.includes('kid'));
  await end(first, 'SIGKILL');
  const aheadMs = 3_600_000;
  await store.pool.query(
    `UPDATE "Event" SET at = at + $2, body = jsonb_set(body::jsonb, '{at}', to_jsonb(at + $2))::text WHERE "runId" = $1`,
    [runId, aheadMs],
  );
  await startWorker();
  await seen(runId, (event) => event.kind === 'run.resumed');
  await queue.cancelRun(runId);
  await seen(runId, isFinished);
  const times = (await readAllEvents(store, runId)).map((event) => event.at);
  expect(times).toEqual([...times].sort((a, b) => a - b));
});

test('a clock that is set back stops neither the queue nor the time of a run', { timeout: 60_000 }, async () => {
  const worker = await oneWorker();
  const begun = await enqueue(slow);
  await seen(begun, (event) => event.kind === 'model.started' && event.path.includes('kid'));
  const isSet = new Promise((resolve) => worker.once('message', resolve));
  // The clock stays set back, so this worker runs no other test.
  worker.kill('SIGUSR2');
  expect(await isSet).toBe('clock set back');

  const later = await enqueue(folderOf({ 'a.md': 'no card' }));
  await seen(later, isFinished);
  await queue.cancelRun(begun);
  await seen(begun, isFinished);
  await end(worker, 'SIGTERM');
  const times = (await readAllEvents(store, begun)).map((event) => event.at);
  expect(times).toEqual([...times].sort((a, b) => a - b));
});

test('a run of a folder that takes too long to read fails and says so', { timeout: 90_000 }, async () => {
  const cards = Array.from({ length: 400 }, (_, index) => [
    `agent-cards/agent-${index}.md`,
    `---\nname: agent-${index}\nmodel: passthrough\n---\nDo your work.\n`,
  ]);
  await endAll();
  // Far less than a thread that has just begun needs for them, on any machine.
  await startWorker({ CALLBOARD_READING_SECONDS: '0.01' });
  const runId = await enqueue(folderOf(Object.fromEntries(cards)));
  await seen(runId, isFinished);
  const { status, error } = await findRun(store, runId);
  expect({ status, code: error?.code }).toEqual({ status: 'failed', code: 'too_complex' });
  expect(error?.message).toContain('took longer than 0.01 seconds');
  expect(await kindsOf(runId)).toEqual(['run.started', 'run.finished']);
});
