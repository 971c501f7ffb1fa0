import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { POST as importFile } from '@/app/api/v1/imports/route';
import { brandAs, type RunId } from '@/lib/base/ids';
import { eventFormat } from '@/lib/runtime/record/event-format';
import { deleteNow, removeRun } from '@/lib/server/run-bin';
import { localActor } from '@/lib/testing/local-actor';
import { testDatabase } from '@/lib/testing/postgres';

const { url, store } = await testDatabase();

beforeAll(() => vi.stubEnv('DATABASE_URL', url));
afterAll(() => vi.unstubAllEnvs());

const log = [
  { callboard: 'events', format: eventFormat },
  {
    ...{ seq: 1, at: 1_000, kind: 'run.started', runId: 'r', correlationId: 'c' },
    ...{ entryAgent: 'lead', message: 'go', scripted: false },
  },
];

async function upload() {
  const body = JSON.stringify({ files: { 'run.ndjson': log.map((line) => JSON.stringify(line)).join('\n') } });
  const headers = { Host: '127.0.0.1:3000', 'Content-Type': 'application/json' };
  const request = new Request('http://127.0.0.1:3000/api/v1/imports', { method: 'POST', headers, body });
  const response = await importFile(request, { params: Promise.resolve({}) });
  return { status: response.status, body: await response.json() };
}

test('files of a run in the bin are refused, so that nobody looks for the run in vain', async () => {
  const first = await upload();
  expect(first.status).toBe(201);
  const id = brandAs<RunId>((await store.prisma.run.findFirstOrThrow()).id);
  await removeRun(localActor, id);
  expect(await upload()).toMatchObject({
    status: 409,
    body: { error: { code: 'conflict', message: expect.stringContaining('is in the bin. Restore it there') } },
  });
  await deleteNow(localActor, { runs: [id] });
  expect((await upload()).status).toBe(201);
  expect(await store.prisma.run.count({ where: { id } })).toBe(1);
});
