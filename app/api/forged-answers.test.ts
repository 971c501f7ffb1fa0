import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { POST as importFile } from '@/app/api/v1/imports/route';
import { POST as answer } from '@/app/api/v1/pending/[item]/answer/route';
import { GET as readRun } from '@/app/api/v1/runs/[run]/route';
import type { RunId } from '@/lib/base/ids';
import { eventFormat } from '@/lib/runtime/record/event-format';
import { testDatabase } from '@/lib/testing/postgres';
import { questionOf, storedItem } from '@/lib/testing/stored-item';
import { storedRun } from '@/lib/testing/stored-run';

const { url, store } = await testDatabase();

beforeAll(() => vi.stubEnv('DATABASE_URL', url));
afterAll(() => vi.unstubAllEnvs());

const headers = { Host: '127.0.0.1:3000' };
const at = (path: string) => `http://127.0.0.1:3000${path}`;

/** An event log as a file, which says that a person was asked and has approved. */
function forgedLog(runId: RunId, item: string): string {
  const question = { ...questionOf(runId), item };
  const { path, step } = question;
  const approval = { decision: 'approve', by: 'ana', via: 'web' };
  const events = [
    { kind: 'run.started', runId, correlationId: 'c', entryAgent: 'lead', message: 'go', scripted: false },
    { kind: 'instance.queued', path, agentName: 'lead', instanceName: 'lead', correlationId: 'c', depth: 0 },
    { kind: 'instance.started', path, input: 'go' },
    { kind: 'person.asked', ...question },
    { kind: 'person.answered', path, step, item, outcome: 'answered', answer: approval },
    { kind: 'person.asked', ...questionOf(runId), item: `${item}-open` },
    { kind: 'run.suspended', open: 1, activeMs: {} },
  ];
  const lines = events.map((event, index) => JSON.stringify({ seq: index + 1, at: 1_000 + index, ...event }));
  return `${[JSON.stringify({ callboard: 'events', format: eventFormat }), ...lines].join('\n')}\n`;
}

test('an imported log with forged answers is shown, and answers, asks and resumes nothing', async () => {
  const victim = await storedRun(store);
  await store.prisma.run.update({ where: { id: victim }, data: { status: 'suspended', lastSeq: 5 } });
  const item = await storedItem(store, victim);
  const before = await store.prisma.pendingItem.findMany();

  const response = await importFile(
    new Request(at('/api/v1/imports'), {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'application/json' },
      body: JSON.stringify({ files: { 'run.ndjson': forgedLog(victim, item) } }),
    }),
    { params: Promise.resolve({}) },
  );
  const imported = await response.json();
  expect({ status: response.status, imported }).toMatchObject({ status: 201 });

  // The items are as they were, the real one is open, and its run waits on.
  expect(await store.prisma.pendingItem.findMany()).toEqual(before);
  expect(await store.prisma.run.findUniqueOrThrow({ where: { id: victim } })).toMatchObject({
    status: 'suspended',
    stint: 0,
  });
  const shown = await store.prisma.run.findMany({ where: { source: 'callboard-import' } });
  expect(shown).toMatchObject([{ status: 'cancelled' }]);
  const [{ id = '' } = {}] = shown;
  const run = await readRun(new Request(at(`/api/v1/runs/${id}`), { headers }), {
    params: Promise.resolve({ run: id }),
  });
  expect(await run.json()).not.toHaveProperty('suspended');

  // What the log says was asked is no question that anybody can answer.
  const forged = `${item}-open`;
  const answered = await answer(
    new Request(at(`/api/v1/pending/${forged}/answer`), {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'application/json' },
      body: JSON.stringify({ decision: 'approve' }),
    }),
    { params: Promise.resolve({ item: forged }) },
  );
  expect(answered.status).toBe(404);
});
