import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { brandAs, type CorrelationId, type ProjectId, type RunId } from '@/lib/base/ids';
import { folderOf } from '@/lib/cards/files';
import { ensureSecretKey, replaceSecretKey } from '@/lib/server/secret-key';
import { findAudit } from '@/lib/store/audit';
import { readAllEvents, runEventsChannel } from '@/lib/store/events';
import { openHookSecret, sealHookSecret } from '@/lib/store/hook-secret';
import { openNotifications } from '@/lib/store/notifications';
import { webhookLabel } from '@/lib/store/notify-targets';
import { findProject, insertProject } from '@/lib/store/projects';
import { seal, sealNamed, unsealNamed } from '@/lib/store/sealing';
import { labelOf, listSecrets, putSecret } from '@/lib/store/secrets';
import { startFakeOpenAI } from '@/lib/testing/fake-openai';
import { holdsSecret } from '@/lib/testing/find-secret';
import { localActor } from '@/lib/testing/local-actor';
import { testDatabase } from '@/lib/testing/postgres';
import { startRequestTrap } from '@/lib/testing/request-trap';
import { storedTrigger } from '@/lib/testing/stored-trigger';
import { watchRun } from '@/lib/testing/watch-run';
import { endProcess, startWorkerProcess } from '@/lib/testing/worker-process';
import { openRunQueue } from './enqueue';
import { systemClock } from './system-clock';

const key = 'sk-cnry-7f31c2d4a95e8b06-of-the-team';
const token = 'cnry-2c7a90e1d3f64b58-of-the-project';

const { url, store } = await testDatabase();
const queue = openRunQueue(store);
const notifications = openNotifications(url, runEventsChannel);
const dataFolder = mkdtempSync(path.join(tmpdir(), 'callboard-secrets-'));
const settings = { dataFolder, secretKey: undefined, oldSecretKey: undefined };
const trap = await startRequestTrap();
let said = 'nothing';
const model = await startFakeOpenAI({ respond: () => ({ text: `It said ${said}.` }) });
const startWorker = () =>
  startWorkerProcess({ databaseUrl: url, dataFolder, env: { OPENAI_BASE_URL: model.url, OPENAI_API_KEY: '' } });
let worker = await startWorker();

afterAll(async () => {
  await endProcess(worker, 'SIGTERM');
  await Promise.all([notifications.close(), trap.close(), model.close()]);
  rmSync(dataFolder, { recursive: true, force: true });
});

async function put(project: ProjectId | null, name: string, value: string, hosts: readonly string[] = []) {
  const { id: keyId, publicKey } = ensureSecretKey(settings);
  const sealed = seal(value, labelOf(project, name), { id: keyId, publicKey });
  await putSecret(store, { id: randomUUID(), project, name, keyId, sealed, hosts }, localActor);
}

async function projectWith(host: string): Promise<ProjectId> {
  const files = {
    'agent-cards/poet.md':
      '---\ntype: agent\nname: poet\nmodel: openai.gpt-4.1\nservers: [given]\n---\nYou are a poet.\n',
    'fast-agent.yaml': `mcp:\n  servers:\n    given:\n      url: ${host}/given\n      headers: {X-Token: "\${POEM_TOKEN}"}\n`,
  };
  return await insertProject(store, 'Poems', folderOf(files), { origin: 'api' });
}

async function runOf(projectId: ProjectId): Promise<string> {
  const { treeHash } = await findProject(store, projectId);
  const id = brandAs<RunId>(randomUUID());
  const correlationId = brandAs<CorrelationId>(randomUUID());
  await queue.enqueueRun({ id, projectId, treeHash, correlationId, agent: undefined, message: 'Hi', model: undefined });
  const { signal } = new AbortController();
  for await (const batch of watchRun(store, notifications, systemClock, { id, after: 0, signal })) {
    if (batch.some(({ kind }) => kind === 'run.finished')) break;
  }
  return JSON.stringify(await readAllEvents(store, id));
}

/** Every row of every table, as text. */
async function dump(): Promise<string> {
  const { rows: tables } = await store.pool.query<{ name: string }>(
    `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`,
  );
  const texts = await Promise.all(
    tables.map(async ({ name }) => {
      const { rows } = await store.pool.query<{ text: string }>(`SELECT t::text AS text FROM ${name} t`);
      return rows.map(({ text }) => text).join('\n');
    }),
  );
  return texts.join('\n');
}

test('secrets go only to the model and the server that name them, and are in no record', {
  timeout: 60_000,
}, async () => {
  const project = await projectWith(trap.url);
  const before = await runOf(project);
  expect(before).toContain('Set POEM_TOKEN as a secret of the project');

  await put(null, 'OPENAI_API_KEY', key);
  await put(project, 'POEM_TOKEN', token, [new URL(trap.url).host]);
  said = token;
  const recorded = await runOf(project);
  expect(model.requests.at(-1)?.headers.authorization).toBe(`Bearer ${key}`);
  expect(trap.requests.some((request) => request.startsWith('/given') && request.includes(token))).toBe(true);
  expect(recorded).toContain('It said ***.');
  const everything = await dump();
  for (const secret of [key, token]) expect(holdsSecret(everything, secret)).toBe(false);
  const [used] = await listSecrets(store, project);
  expect(used).toMatchObject({ name: 'POEM_TOKEN', uses: [{ project, name: 'Poems' }] });
  const audited = await findAudit(store, { actions: ['secret.set', 'secret.used'], limit: 10 }, undefined);
  expect(audited.map(({ action, object }) => `${action} ${object}`).toSorted()).toEqual([
    'secret.set OPENAI_API_KEY',
    'secret.set POEM_TOKEN',
    'secret.used OPENAI_API_KEY',
    'secret.used POEM_TOKEN',
  ]);
});

test('a secret goes to no other place than it is for, and to no other project', {
  timeout: 60_000,
}, async () => {
  const project = await projectWith(trap.url);
  const seen = trap.requests.length;
  await put(project, 'POEM_TOKEN', token, ['api.example.org']);
  expect(await runOf(project)).toContain('the secret POEM_TOKEN may go to api.example.org only');
  // Only an operator can name every place, in CALLBOARD_PROJECT_ENV.
  await put(project, 'POEM_TOKEN', token, ['*']);
  expect(await runOf(project)).toContain('the secret POEM_TOKEN may go to * only');
  const other = await projectWith(trap.url);
  expect(await runOf(other)).toContain('Set POEM_TOKEN as a secret of the project');
  expect(trap.requests).toHaveLength(seen);
});

test('the first run of a day notes the use of a secret, and the runs after it write nothing', {
  timeout: 60_000,
}, async () => {
  const project = await projectWith(trap.url);
  await put(project, 'POEM_TOKEN', token, [new URL(trap.url).host]);
  const noted = async () => {
    // The system column `xmax` changes even when a statement only locks the row.
    const { rows } = await store.pool.query(
      `SELECT u.at, u.xmin::text, u.xmax::text FROM "SecretUse" u JOIN "Secret" s ON s.id = u."secretId"
       WHERE u."projectId" = $1 AND s.name = 'POEM_TOKEN'`,
      [project],
    );
    return rows;
  };
  const entries = async () => {
    const found = await findAudit(store, { actions: ['secret.used'], project, limit: 10 }, undefined);
    return found.filter(({ object }) => object === 'POEM_TOKEN').length;
  };
  await runOf(project);
  const first = await noted();
  expect(first).toHaveLength(1);
  await runOf(project);
  expect(await noted()).toEqual(first);
  expect(await entries()).toBe(1);

  await store.pool.query(`UPDATE "SecretUse" SET at = at - interval '1 day' WHERE "projectId" = $1`, [project]);
  await runOf(project);
  expect(await noted()).not.toEqual(first);
  expect(await entries()).toBe(2);
});

test('after the secret key was changed, values are sealed again and can still be opened', {
  timeout: 60_000,
}, async () => {
  const project = await projectWith(trap.url);
  await put(project, 'POEM_TOKEN', token);
  const hook = { id: randomUUID(), kind: 'webhook', address: 'https://hooks.example.org/a' };
  const secret = sealNamed('whsec_x', webhookLabel(hook.id), ensureSecretKey(settings));
  await store.prisma.notifyTarget.create({ data: { ...hook, secret } });
  const trigger = await storedTrigger(store, project, { kind: 'webhook', schedule: undefined, nextAt: undefined });
  const sealed = sealHookSecret('whsec_y', trigger, ensureSecretKey(settings));
  await store.prisma.trigger.update({ where: { id: trigger }, data: { secret: sealed } });
  await endProcess(worker, 'SIGTERM');
  replaceSecretKey(dataFolder);
  const { rows: counted } = await store.pool.query<{ secrets: number }>(
    'SELECT count(*)::int AS secrets FROM "Secret"',
  );
  worker = await startWorker();
  const newest = ensureSecretKey(settings).id;
  const body = JSON.stringify({ secrets: counted[0]?.secrets, notifications: 1, signIns: 0, triggers: 1 });
  const sealedAnew = async () => await findAudit(store, { actions: ['secrets.sealed_anew'], limit: 2 }, undefined);
  expect(await sealedAnew()).toMatchObject([
    { actor: 'callboard', via: 'worker', object: newest, project: null, body },
  ]);
  const { rows } = await store.pool.query<{ keyId: string }>('SELECT DISTINCT "keyId" FROM "Secret"');
  expect(rows).toEqual([{ keyId: newest }]);
  const target = await store.prisma.notifyTarget.findUniqueOrThrow({ where: { id: hook.id } });
  expect(unsealNamed(target.secret ?? '', webhookLabel(hook.id), [ensureSecretKey(settings)])).toBe('whsec_x');
  const { secret: anew } = await store.prisma.trigger.findUniqueOrThrow({ where: { id: trigger } });
  expect(openHookSecret(anew ?? '', trigger, [ensureSecretKey(settings)])).toBe('whsec_y');
  await runOf(project);
  expect(trap.requests.at(-1)).toContain(token);
});
