import { createHash, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { ProjectId } from '@/lib/base/ids';
import { folderOf } from '@/lib/cards/files';
import { ensureSecretKey } from '@/lib/server/secret-key';
import { readAllEvents } from '@/lib/store/events';
import { insertProject } from '@/lib/store/projects';
import { seal } from '@/lib/store/sealing';
import { labelOf, putSecret } from '@/lib/store/secrets';
import { startFakeOpenAI } from '@/lib/testing/fake-openai';
import { holdsSecret } from '@/lib/testing/find-secret';
import { localActor } from '@/lib/testing/local-actor';
import { testDatabase } from '@/lib/testing/postgres';
import { queuedRuns } from '@/lib/testing/queued-runs';
import { startRequestTrap } from '@/lib/testing/request-trap';
import { answerTelling, tellingFolder } from '@/lib/testing/telling-folder';
import { endProcess, startWorkerProcess } from '@/lib/testing/worker-process';

const stored = 'strd-cnry-83b0e6d2f914-of-the-project';
const shared = 'inst-cnry-2c97fa05d8b3-of-the-installation';
const listed = 'lstd-9d31c0aa47be5562-given';
/** The model says a secret that it was never told. */
const said = shared;

const { url, store } = await testDatabase();
const { start, ended } = queuedRuns(store);
const dataFolder = mkdtempSync(path.join(tmpdir(), 'callboard-told-'));
const trap = await startRequestTrap();
const model = await startFakeOpenAI({ respond: answerTelling(said) });
const worker = await startWorkerProcess({
  databaseUrl: url,
  dataFolder,
  env: {
    OPENAI_BASE_URL: model.url,
    OPENAI_API_KEY: 'sk-of-the-operator-71',
    LISTED: listed,
    CALLBOARD_PROJECT_ENV: 'LISTED',
  },
});

afterAll(async () => {
  await endProcess(worker, 'SIGTERM');
  await Promise.all([trap.close(), model.close()]);
  rmSync(dataFolder, { recursive: true, force: true });
});

async function put(project: ProjectId | null, name: string, value: string) {
  const { id: keyId, publicKey } = ensureSecretKey({ dataFolder, secretKey: undefined, oldSecretKey: undefined });
  const sealed = seal(value, labelOf(project, name), { id: keyId, publicKey });
  await putSecret(store, { id: randomUUID(), project, name, keyId, sealed, hosts: [] }, localActor);
}

test('secrets that servers get or return are recorded as ***, and no model reads them', {
  timeout: 90_000,
}, async () => {
  const project = await insertProject(store, 'Telling', folderOf(tellingFolder(trap.url, { asks: false })), {
    origin: 'api',
  });
  await put(project, 'STORED', stored);
  await put(null, 'SHARED', shared);
  const run = await start(project);
  const end = await ended(run);
  const events = await readAllEvents(store, run);
  const recorded = JSON.stringify([end, events], (_, value) => (typeof value === 'bigint' ? String(value) : value));
  const sum = createHash('sha256').update([stored, shared, listed, stored].join(' ')).digest('hex');
  // The process got all of them.
  expect(recorded).toContain(`sum=${sum}`);
  expect(trap.requests.some((request) => request.startsWith(`/echo?s=${stored}`))).toBe(true);
  const told = 'stored=*** shared=*** listed=***';
  for (const where of ['Tells', 'In the call:', '1:', 'It failed:']) expect(recorded).toContain(`${where} ${told}`);
  expect(recorded).toContain('And ***.');
  const asked = JSON.stringify(model.requests.map(({ body }) => body)).replaceAll(said, '');
  expect(asked).toContain(`Tells ${told}`);
  expect(asked).toContain(`Instructions: ${told}`);
  for (const secret of [stored, shared, listed]) {
    expect([secret, holdsSecret(recorded, secret), holdsSecret(asked, secret)]).toEqual([secret, false, false]);
  }
});
