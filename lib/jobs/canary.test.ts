import { type ChildProcess, spawn } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { brandAs, type CorrelationId, type RunId } from '@/lib/base/ids';
import { folderOf } from '@/lib/cards/files';
import { systemFence } from '@/lib/sandbox/fence/fence';
import { environmentOfChild, sendVariables } from '@/lib/server/process-variables';
import { readAllEvents, runEventsChannel } from '@/lib/store/events';
import { openNotifications } from '@/lib/store/notifications';
import { findProject, insertProject } from '@/lib/store/projects';
import { startFakeOpenAI } from '@/lib/testing/fake-openai';
import { holdsSecret } from '@/lib/testing/find-secret';
import { answerHostile, hostileFolder, hostileScript } from '@/lib/testing/hostile-folder';
import { testDatabase } from '@/lib/testing/postgres';
import { startRequestTrap } from '@/lib/testing/request-trap';
import { hasPython } from '@/lib/testing/test-code-hosts';
import { watchRun } from '@/lib/testing/watch-run';
import { endProcess } from '@/lib/testing/worker-process';
import { openRunQueue } from './enqueue';
import { systemClock } from './system-clock';

/** A worker as the launcher starts it: nothing of the operator's environment reaches a project that was not given it. */

const canary = 'cnry-5b8e21f0c4d7a963-unlisted';
const key = 'sk-cnry-61d0f7a2b95c4e38-of-the-operator';
const listed = 'lstd-9d31c0aa47be5562-given';
const looksAround = systemFence().kind !== 'none';

const { url, store } = await testDatabase();
const queue = openRunQueue(store);
const notifications = openNotifications(url, runEventsChannel);
const data = mkdtempSync(path.join(tmpdir(), 'callboard-canary-'));
const trap = await startRequestTrap();
const model = await startFakeOpenAI({ respond: answerHostile(looksAround) });
const logs: string[] = [];
const worker = await startWorker();

afterAll(async () => {
  await endProcess(worker, 'SIGTERM');
  await Promise.all([notifications.close(), trap.close(), model.close()]);
  rmSync(data, { recursive: true, force: true });
});

async function startWorker(): Promise<ChildProcess> {
  // The operator's shell has all of them; this process stands for the launcher.
  const operator = { ...process.env, CANARY: canary, OPENAI_API_KEY: key, LISTED: listed, DATABASE_URL: url };
  const settings = {
    CALLBOARD_PYTHON: '1',
    CALLBOARD_SHELL: '1',
    CALLBOARD_PROJECT_ENV: 'LISTED',
    CALLBOARD_DATA: data,
  };
  const child = spawn(process.execPath, [path.resolve('bin/worker.mjs')], {
    env: environmentOfChild(operator, settings),
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', (text) => logs.push(text));
  sendVariables(child, { DATABASE_URL: url, OPENAI_API_KEY: key, OPENAI_BASE_URL: model.url, LISTED: listed });
  await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(() => {
      throw new Error(`The worker ended at its start: ${logs.join('')}`);
    }),
  ]);
  return child;
}

/** All that is recorded of a run of the folder, as text. */
async function record(files: Readonly<Record<string, string>>): Promise<string> {
  const projectId = await insertProject(store, 'Hostile', folderOf(files), { origin: 'api' });
  const { treeHash } = await findProject(store, projectId);
  const id = brandAs<RunId>(randomUUID());
  const correlationId = brandAs<CorrelationId>(randomUUID());
  const message = `\${CANARY} {{env:CANARY}}`;
  await queue.enqueueRun({ id, projectId, treeHash, correlationId, agent: undefined, message, model: undefined });
  const { signal } = new AbortController();
  for await (const batch of watchRun(store, notifications, systemClock, { id, after: 0, signal })) {
    if (batch.some(({ kind }) => kind === 'run.finished')) break;
  }
  const run = await store.prisma.run.findUniqueOrThrow({ where: { id } });
  expect(run.status).toBe('completed');
  return JSON.stringify([run, await readAllEvents(store, id)], (_, value) =>
    typeof value === 'bigint' || value instanceof Uint8Array ? String(value) : value,
  );
}

function expectClean(what: string, text: string): void {
  expect({ what, canary: holdsSecret(text, canary), key: holdsSecret(text, key) }).toEqual({
    what,
    canary: false,
    key: false,
  });
}

test.skipIf(!hasPython())('a hostile folder gets only the listed variables', { timeout: 120_000 }, async () => {
  const recorded = await record(hostileFolder(trap.url, { looksAround }));
  // Each of its programs did run, and look.
  for (const who of ['server', 'python', 'hook', 'shell']) expect(recorded).toMatch(`${who} looked at`);
  expect(recorded).toContain('script looked: {}');
  for (const what of ['/stolen', '/text', '/fallback?k=none&o=none&d=none']) {
    expect(trap.requests.some((request) => request.startsWith(what))).toBe(true);
  }
  expect(recorded).toContain("Server 'wanting' cannot be used: it asks for the variable OPENAI_API_KEY.");

  // The opposite: the listed one is filled in, and hidden where it is recorded.
  expect(trap.requests.some((request) => request.startsWith(`/given?l=${listed}`))).toBe(true);
  expect(recorded).toContain(`given ${createHash('sha256').update(listed).digest('hex')}`);
  expect(recorded).toContain('given=***');
  expect(recorded).not.toContain(listed);

  expectClean('the record of the run', recorded);
  for (const request of trap.requests) expectClean('a request to a server of the folder', request);
  expect(model.requests.length).toBeGreaterThanOrEqual(2);
  for (const { headers, body } of model.requests) {
    const { authorization, ...others } = headers;
    expect(authorization).toBe(`Bearer ${key}`);
    expectClean('a request to the model', JSON.stringify([others, body]));
  }
});

test('a listed variable is filled in the front matter of a card, and stays as it is written in bodies, code and messages', {
  timeout: 60_000,
}, async () => {
  const before = model.requests.length;
  const name = `\${LISTED}`;
  const recorded = await record({
    'agent-cards/lead.md': `---\nname: lead\ndefault: true\nmodel: openai.fake\nagents: [kid]\nfunction_tools: [../go.ts:go]\n---\nLead ${name}.\n`,
    'agent-cards/kid.md': `---\nname: kid\nmodel: openai.fake\ndescription: "kid ${name}"\n---\nKid ${name}.\n`,
    'go.ts': `/** Goes ${name}. */\nexport function go(text: string) { return text; }\n`,
    'callboard.yaml': 'version: 1\nentry: lead\n',
  });
  const sent = JSON.stringify(model.requests.slice(before).map(({ body }) => body));
  for (const text of [`Lead ${name}.`, `Goes ${name}.`]) expect(sent).toContain(text);
  // The list of a name without a place gives it to these texts too, and so to the model.
  expect(sent).toContain(`kid ${listed}`);
  expect(holdsSecret(sent.replaceAll(`kid ${listed}`, ''), listed)).toBe(false);
  expect(holdsSecret(recorded, listed)).toBe(false);
});

test('a script names variables in vain', { timeout: 60_000 }, async () => {
  const recorded = await record(hostileScript());
  expect(recorded).toContain('script got');
  expectClean('the record of the run', recorded);
});

test('neither logs nor files nor the environment of the worker hold them', () => {
  expect(logs.join('')).toContain('worker ready');
  expectClean('the log', logs.join(''));
  expect(logs.join('')).not.toContain(listed);
  for (const entry of readdirSync(data, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name);
    if (entry.isFile()) expectClean(file, readFileSync(file, 'latin1'));
  }
  if (process.platform === 'linux') expectClean('/proc', readFileSync(`/proc/${worker.pid}/environ`, 'latin1'));
});
