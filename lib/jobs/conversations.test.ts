import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import type { AgainRequest } from '@/lib/base/again';
import type { MessageFile } from '@/lib/base/conversation';
import { brandAs, type CorrelationId, type RunId } from '@/lib/base/ids';
import { folderOf } from '@/lib/cards/files';
import type { RunEvent } from '@/lib/runtime/record/events';
import { textOf } from '@/lib/runtime/record/messages';
import { conversationOwner } from '@/lib/runtime/sessions/conversation';
import { findTurns, type StoredTurn, type TurnOf } from '@/lib/store/conversations';
import { readAllEvents, runEventsChannel } from '@/lib/store/events';
import { openNotifications } from '@/lib/store/notifications';
import { findItems } from '@/lib/store/pending-items';
import { findProject, insertProject } from '@/lib/store/projects';
import { findRun } from '@/lib/store/runs';
import { findSession, projectSessions } from '@/lib/store/sessions';
import { takeRun } from '@/lib/store/take-run';
import { testDatabase } from '@/lib/testing/postgres';
import { watchRun } from '@/lib/testing/watch-run';
import { SharedWorker } from '@/lib/testing/worker-process';
import { advanceIdleLines } from './conversation-line';
import { answerItems } from './end-items';
import { openRunQueue } from './enqueue';
import { systemClock } from './system-clock';

/** Turns of a conversation with a real worker. */

const { url, store } = await testDatabase();
const queue = openRunQueue(store);
const notifications = openNotifications(url, runEventsChannel);
const data = mkdtempSync(path.join(tmpdir(), 'callboard-talk-'));
const worker = new SharedWorker({ databaseUrl: url, dataFolder: data });

const folder = folderOf({
  'agent-cards/lead.md': '---\nname: lead\nmodel: passthrough\ndefault: true\n---\nLead.\n',
});
const projectId = await insertProject(store, 'Talk', folder, { origin: 'api' });
const { treeHash } = await findProject(store, projectId);

afterAll(async () => {
  await worker.end('SIGTERM');
  await notifications.close();
  rmSync(data, { recursive: true, force: true });
});

function newConversation(): TurnOf & { readonly isNew: true } {
  return { id: randomUUID(), isNew: true, agent: 'lead', title: 'hello' };
}

const image = { name: 'dot.png', mediaType: 'image/png', data: 'AAEC' };

async function send(
  message: string,
  turn: TurnOf,
  project = projectId,
  tree = treeHash,
  attachments: readonly MessageFile[] = [],
): Promise<RunId> {
  const id = brandAs<RunId>(randomUUID());
  const correlationId = brandAs<CorrelationId>(turn.id);
  await queue.enqueueTurn(
    { id, projectId: project, treeHash: tree, correlationId, agent: 'lead', message, model: undefined, attachments },
    turn,
  );
  return id;
}

async function ended(runId: RunId): Promise<void> {
  const signal = new AbortController().signal;
  for await (const batch of watchRun(store, notifications, systemClock, { id: runId, after: 0, signal })) {
    if (batch.some((event) => event.kind === 'run.finished')) return;
  }
}

async function turnsOf(id: string): Promise<readonly StoredTurn[]> {
  return (await findTurns(store, id, { before: undefined, limit: 100, textUnits: 100 })).toReversed();
}

// The tests of what is in the database come first, because they need that no worker runs.

test('turns that wait for none are begun by a worker that looks', async () => {
  const talk = newConversation();
  const first = await send('one', talk);
  const second = await send('two', { id: talk.id, isNew: false });
  // As if the end of the first turn had been lost.
  await store.pool.query(`UPDATE "Run" SET status = 'failed' WHERE id = $1`, [first]);
  expect([await advanceIdleLines(store), await advanceIdleLines(store)]).toEqual([1, 0]);
  expect((await turnsOf(talk.id)).map(({ runId, isInLine }) => [runId, isInLine])).toEqual([
    [first, false],
    [second, false],
  ]);
});

test('a worker that has lost its run to another one cannot add to the conversation', async () => {
  const talk = newConversation();
  const runId = await send('one', talk);
  const key = { id: talk.id, owner: conversationOwner };
  const content = { version: 1, history: [], state: {}, activeGroups: [] };
  const before = await takeRun(store, runId, 'dead');
  const now = await takeRun(store, runId, 'living');
  await expect(projectSessions(store, runId, before?.epoch).save(key, content, 'w')).rejects.toThrow(
    'has taken the run',
  );
  expect(await projectSessions(store, runId, now?.epoch).save(key, content, 'w')).toBe('saved');
});

test('messages that come at once are answered one after another, in order, each with what was said before', async () => {
  const talk = newConversation();
  const first = await send('one', talk);
  const next = { id: talk.id, isNew: false } as const;
  for (const message of ['two', 'three', 'four']) await send(message, next);
  expect((await turnsOf(talk.id)).map(({ isInLine }) => isInLine)).toEqual([false, true, true, true]);
  expect(await findRun(store, first)).toMatchObject({ conversationId: talk.id, correlationId: talk.id });
  await worker.start();
  const last = (await turnsOf(talk.id)).at(-1);
  await ended(brandAs<RunId>(last?.runId ?? ''));

  const turns = await turnsOf(talk.id);
  expect(turns.map(({ message, status, answer }) => [message, status, answer])).toEqual(
    ['one', 'two', 'three', 'four'].map((message) => [message, 'completed', message]),
  );
  const times = turns.flatMap(({ createdAt, finishedAt }) => [createdAt, finishedAt ?? createdAt]);
  expect(times.length).toBe(8);
  const { history, version, owner } = await findSession(store, projectId, talk.id);
  expect([version, owner]).toEqual([4, conversationOwner]);
  expect(history.map((message) => (message.role === 'tool' ? '' : textOf(message.content)))).toEqual(
    ['one', 'two', 'three', 'four'].flatMap((message) => [message, message]),
  );
});

test('the next message waits for people too, over the death of a worker, and one that waits can be stopped', async () => {
  const asking = folderOf({
    'agent-cards/lead.md': '---\nname: lead\ndefault: true\nfunction_tools: [tools.ts:send]\n---\nLead.\n',
    'agent-cards/tools.ts': `/** Sends. */
export function send(to: string): string { return 'sent to ' + to; }
`,
    'callboard.yaml': `version: 1
approvals: { rules: [{ tools: [send], effect: ask }], hold_s: 0 }
scripts:
  lead:
    - turns:
        - calls: [{ tool: send, arguments: { to: ana } }]
        - text: '{{result[1]}}'
`,
  });
  const project = await insertProject(store, 'Asking', asking, { origin: 'api' });
  const tree = (await findProject(store, project)).treeHash;
  const talk = newConversation();
  const next = { id: talk.id, isNew: false } as const;
  const [first, stopped, third, last] = [
    await send('one', talk, project, tree),
    await send('two', next, project, tree),
    await send('three', next, project, tree),
    await send('four', next, project, tree),
  ];
  await worker.start();
  await isIn(first, 'suspended');
  await queue.cancelRun(stopped);
  await worker.end('SIGKILL');
  expect((await turnsOf(talk.id)).map(({ status, isInLine }) => [status, isInLine])).toEqual([
    ['suspended', false],
    ['cancelled', false],
    ['queued', true],
    ['queued', true],
  ]);
  await worker.start();
  await approve(first);
  await isIn(third, 'suspended');
  // A stopped turn makes room as well.
  await queue.cancelRun(third);
  await isIn(last, 'suspended');
  await approve(last);
  await isIn(last, 'completed');
  expect((await turnsOf(talk.id)).map(({ status, answer }) => [status, answer])).toEqual([
    ['completed', 'sent to ana'],
    ['cancelled', undefined],
    ['cancelled', undefined],
    ['completed', 'sent to ana'],
  ]);
  expect((await findSession(store, project, talk.id)).version).toBe(2);
});

async function isIn(runId: RunId, status: string): Promise<void> {
  const wanted = async () => expect((await findRun(store, runId, 0)).status).toBe(status);
  await vi.waitFor(wanted, { timeout: 60_000, interval: 20 });
}

async function approve(runId: RunId): Promise<void> {
  const [item] = await findItems(store, { scope: 'all', run: runId, status: 'open' }, { after: undefined, limit: 1 });
  if (item === undefined) throw new Error('no question');
  await answerItems(store, [{ item: item.id, answer: { decision: 'approve', by: 'ana', via: 'web' } }]);
}

test('a turn is run again, or from a step, with what was said before it, and its conversation stays as it was', async () => {
  const talk = newConversation();
  const next = { id: talk.id, isNew: false } as const;
  await send('one', talk);
  const second = await send('two', next, projectId, treeHash, [image]);
  const third = await send('three', next);
  await worker.start();
  await ended(third);
  const made = async (again: AgainRequest) => {
    const id = brandAs<RunId>(randomUUID());
    const correlationId = brandAs<CorrelationId>(randomUUID());
    await queue.enqueueRun({
      id,
      projectId,
      treeHash,
      correlationId,
      agent: 'lead',
      message: 'two',
      model: undefined,
      again,
      // An instance has the files of the record.
      attachments: again.kind === 'instance' ? [] : [image],
    });
    await ended(id);
    return await readAllEvents(store, id);
  };
  const log = await readAllEvents(store, second);
  const modelCall = log.find(({ kind }) => kind === 'model.started')?.seq ?? 0;
  const runs = [
    await made({ kind: 'again', run: second, files: 'recorded' }),
    await made({ kind: 'from', run: second, files: 'recorded', at: modelCall }),
    await made({ kind: 'from', run: second, files: 'recorded', at: 2 }),
    await made({ kind: 'instance', run: second, files: 'recorded', path: 'lead', tools: {} }),
  ];
  for (const events of [...runs, await made({ kind: 'again', run: runIdOf(runs[0]), files: 'recorded' })]) {
    const asked = events.find((event) => event.kind === 'model.started');
    expect(asked?.kind === 'model.started' ? asked.messageCount : 0).toBe(3);
    expect(JSON.stringify(asked)).toContain('AAEC');
    expect(events.some(({ kind }) => kind === 'session.saved')).toBe(false);
  }
  expect((await findSession(store, projectId, talk.id)).version).toBe(3);
  expect(await turnsOf(talk.id)).toHaveLength(3);
});

function runIdOf(events: readonly RunEvent[] | undefined): RunId {
  const first = events?.[0];
  if (first?.kind !== 'run.started') throw new Error('no run');
  return first.runId;
}
