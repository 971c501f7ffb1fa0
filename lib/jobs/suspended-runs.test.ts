import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { brandAs, type CorrelationId, type PendingId, type RunId } from '@/lib/base/ids';
import type { PersonAnswer } from '@/lib/base/pending';
import { folderOf } from '@/lib/cards/files';
import type { RunEvent } from '@/lib/runtime/record/events';
import { readAllEvents, runEventsChannel } from '@/lib/store/events';
import { openNotifications } from '@/lib/store/notifications';
import { findItems } from '@/lib/store/pending-items';
import { findProject, insertProject } from '@/lib/store/projects';
import { findRun } from '@/lib/store/runs';
import { testDatabase } from '@/lib/testing/postgres';
import { watchRun } from '@/lib/testing/watch-run';
import { SharedWorker } from '@/lib/testing/worker-process';
import { answerItems } from './end-items';
import { openRunQueue } from './enqueue';
import { systemClock } from './system-clock';

const { url, store } = await testDatabase();
const queue = openRunQueue(store);
const notifications = openNotifications(url, runEventsChannel);
const data = mkdtempSync(path.join(tmpdir(), 'callboard-suspended-'));
const worker = new SharedWorker({ databaseUrl: url, dataFolder: data });
const approve: PersonAnswer = { decision: 'approve', by: 'ana', via: 'web' };

afterAll(async () => {
  await worker.end('SIGTERM');
  await notifications.close();
  rmSync(data, { recursive: true, force: true });
});

/** Two letters, each of which waits for a person. */
const letters = (approvals: string) =>
  folderOf({
    'agent-cards/lead.md': '---\nname: lead\ndefault: true\nfunction_tools: [tools.ts:send]\n---\nLead.\n',
    'agent-cards/tools.ts': `/** Sends. */
export function send(to: string): string { return 'sent to ' + to; }
`,
    'callboard.yaml': `version: 1
approvals: ${approvals}
scripts:
  lead:
    - turns:
        - calls: [{ tool: send, arguments: { to: ana } }, { tool: send, arguments: { to: ben } }]
        - text: '{{result[1]}}, {{result[2]}}'
`,
  });

async function start(approvals: string): Promise<RunId> {
  const projectId = await insertProject(store, 'Letters', letters(approvals), { origin: 'api' });
  const { treeHash } = await findProject(store, projectId);
  const id = brandAs<RunId>(randomUUID());
  const correlationId = brandAs<CorrelationId>(randomUUID());
  await queue.enqueueRun({ id, projectId, treeHash, correlationId, agent: undefined, message: 'Go', model: undefined });
  return id;
}

async function seen(runId: RunId, kind: RunEvent['kind']): Promise<void> {
  const signal = new AbortController().signal;
  for await (const batch of watchRun(store, notifications, systemClock, { id: runId, after: 0, signal })) {
    if (batch.some((event) => event.kind === kind)) return;
  }
}

/** Waits until so many questions of the run are open, and returns them in the order of their calls. */
async function openItems(runId: RunId, count: number): Promise<readonly PendingId[]> {
  return await vi.waitFor(
    async () => {
      const items = await findItems(
        store,
        { scope: 'all', run: runId, status: 'open' },
        { after: undefined, limit: 10 },
      );
      expect(items).toHaveLength(count);
      return items.toSorted((a, b) => (a.step < b.step ? -1 : 1)).map(({ id }) => id);
    },
    { timeout: 30_000, interval: 20 },
  );
}

async function stateOf(runId: RunId, status: string) {
  await expect.poll(async () => (await findRun(store, runId)).status, { timeout: 30_000, interval: 20 }).toBe(status);
  const { stint, attempts } = await store.prisma.run.findUniqueOrThrow({ where: { id: runId } });
  return { stint, attempts };
}

/** Every step of the log has one end, and numbers have no gaps. */
async function checkedLog(runId: RunId): Promise<readonly RunEvent[]> {
  const events = await readAllEvents(store, runId);
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
  const ends = events.flatMap((event) => (event.kind.endsWith('.ended') && 'step' in event ? [event.step] : []));
  expect(new Set(ends).size).toBe(ends.length);
  const asked = events.flatMap((event) => (event.kind === 'person.asked' ? [event.item] : []));
  const answered = events.flatMap((event) => (event.kind === 'person.answered' ? [event.item] : []));
  expect(new Set(asked).size).toBe(asked.length);
  expect(answered.toSorted()).toEqual(asked.toSorted());
  return events;
}

const asks = 'hold_s: HOLD, rules: [{ tools: [send], effect: ask }]';
const holding = `{ ${asks.replace('HOLD', '60')} }`;
const suspending = `{ ${asks.replace('HOLD', '0')} }`;

test('a run that waits in its worker goes on with each answer at once, without a new stint', {
  timeout: 90_000,
}, async () => {
  await worker.start();
  const runId = await start(holding);
  const [ana, ben] = await openItems(runId, 2);
  if (ana === undefined || ben === undefined) throw new Error('two items');
  await answerItems(store, [{ item: ben, answer: { ...approve, decision: 'edit', arguments: { to: 'eve' } } }]);
  await answerItems(store, [{ item: ana, answer: { ...approve, decision: 'deny', note: 'Not her.' } }]);
  await seen(runId, 'run.finished');
  const run = await findRun(store, runId);
  expect(run.answer).toContain('Not her.');
  expect(run.answer).toContain('sent to eve');
  expect(await stateOf(runId, 'completed')).toMatchObject({ stint: 0 });
  await checkedLog(runId);
});

test('a run is suspended, and goes on in another worker after the first was killed', {
  timeout: 120_000,
}, async () => {
  await worker.start();
  const runId = await start(suspending);
  await openItems(runId, 2);
  expect(await stateOf(runId, 'suspended')).toEqual({ stint: 0, attempts: 0 });
  await worker.end('SIGKILL');
  const [ana, ben] = await openItems(runId, 2);
  if (ana === undefined || ben === undefined) throw new Error('two items');
  await answerItems(store, [{ item: ben, answer: approve }]);
  await worker.start();
  expect(await stateOf(runId, 'suspended')).toEqual({ stint: 1, attempts: 0 });
  await answerItems(store, [{ item: ana, answer: approve }]);
  await seen(runId, 'run.finished');
  expect(await findRun(store, runId)).toMatchObject({ status: 'completed', answer: 'sent to ana, sent to ben' });
  const events = await checkedLog(runId);
  expect(events.filter(({ kind }) => kind === 'run.suspended')).toHaveLength(2);
  expect(events.filter(({ kind }) => kind === 'person.asked')).toHaveLength(2);
});

test('a worker that is killed between an answer and its effect loses neither', {
  timeout: 120_000,
}, async () => {
  const first = await worker.start();
  const runId = await start(holding);
  const items = await openItems(runId, 2);
  first.kill('SIGSTOP');
  await answerItems(
    store,
    items.map((item) => ({ item, answer: approve })),
  );
  await worker.end('SIGKILL');
  await worker.start();
  await seen(runId, 'run.finished');
  expect(await findRun(store, runId)).toMatchObject({ status: 'completed', answer: 'sent to ana, sent to ben' });
  expect(await stateOf(runId, 'completed')).toMatchObject({ stint: 0 });
  await checkedLog(runId);
});

test('a suspended run that is stopped ends cancelled, its lanes are closed and no tool runs', {
  timeout: 90_000,
}, async () => {
  await worker.start();
  const runId = await start(suspending);
  await stateOf(runId, 'suspended');
  const items = await openItems(runId, 2);
  await queue.cancelRun(runId);
  await seen(runId, 'run.finished');
  expect(await stateOf(runId, 'cancelled')).toMatchObject({ stint: 1 });
  const events = await checkedLog(runId);
  const count = (kind: RunEvent['kind']) => events.filter((event) => event.kind === kind).length;
  expect([count('tool.returned'), count('instance.started') - count('instance.ended')]).toEqual([0, 0]);
  expect(
    (
      await answerItems(
        store,
        items.map((item) => ({ item, answer: approve })),
      )
    ).size,
  ).toBe(0);
  expect(await openItems(runId, 0)).toEqual([]);
});

test('a question that nobody answers expires in a suspended run, which goes on', { timeout: 90_000 }, async () => {
  await worker.start();
  const runId = await start('{ hold_s: 0, rules: [{ tools: [send], effect: ask, limit_s: 1 }] }');
  await seen(runId, 'run.finished');
  const { answer } = await findRun(store, runId);
  expect(answer).toContain('nobody answered');
  await checkedLog(runId);
  const items = await findItems(store, { scope: 'all', run: runId }, { after: undefined, limit: 10 });
  expect(items.map(({ status }) => status)).toEqual(['expired', 'expired']);
});
