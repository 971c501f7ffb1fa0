import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { brandAs, type CorrelationId, type ProjectId, type RunId, type TreeHash } from '@/lib/base/ids';
import { folderOf } from '@/lib/cards/files';
import type { SessionPort } from '@/lib/runtime/ports';
import { textOf } from '@/lib/runtime/record/messages';
import { execute } from '@/lib/runtime/run/execute';
import { findTurns, type TurnOf } from '@/lib/store/conversations';
import { createEventWriter } from '@/lib/store/event-writer';
import { readAllEvents } from '@/lib/store/events';
import { findProject, insertProject } from '@/lib/store/projects';
import { findSession } from '@/lib/store/sessions';
import { type TakenRun, takeRun } from '@/lib/store/take-run';
import { graphOf } from '@/lib/testing/graph-of';
import { testDatabase } from '@/lib/testing/postgres';
import { scriptedModel } from '@/lib/testing/scripted-model';
import { type SeededRandom, seededRandom } from '@/lib/testing/seeded-random';
import { advanceIdleLines, lineOf } from './conversation-line';
import { openRunQueue } from './enqueue';
import { runSessions } from './run-sessions';
import { systemClock } from './system-clock';

/**
 * Random messages, ends, stops and deaths of workers, several at a time: turns of a conversation keep one order, and each turn that
 * completed is remembered once.
 */

const { store } = await testDatabase();
const queue = openRunQueue(store);
const parsed = graphOf('lead');

/** Answers with all that was said; a message `fail…` has no answer. */
const model = () =>
  scriptedModel({
    lead: ({ messages }) => {
      const said = messages.flatMap((message) => (message.role === 'user' ? [textOf(message.content)] : []));
      return said.at(-1)?.startsWith('fail')
        ? { error: { code: 'model_down', message: 'down' } }
        : `heard ${said.join(' ')}`;
    },
  });

interface Talk {
  readonly projectId: ProjectId;
  readonly treeHash: TreeHash;
  readonly id: string;
  isBegun: boolean;
}

async function send(talk: Talk, message: string): Promise<void> {
  const { projectId, treeHash, id } = talk;
  const turn: TurnOf = talk.isBegun ? { id, isNew: false } : { id, isNew: true, agent: 'lead', title: message };
  talk.isBegun = true;
  const correlationId = brandAs<CorrelationId>(id);
  const run = { id: brandAs<RunId>(randomUUID()), projectId, treeHash, correlationId, agent: 'lead', message };
  await queue.enqueueTurn({ ...run, model: undefined }, turn);
}

/** A worker takes the run. It dies after `deathAt` events (-1: it lives), or when it has stored the conversation. */
async function work(runId: RunId, deathAt: number | 'saved'): Promise<void> {
  const taken = await takeRun(store, runId, 'test');
  if (taken === undefined) return;
  const log = await readAllEvents(store, runId);
  const stop = new AbortController();
  if (taken.cancelRequested) stop.abort();
  let appended = 0;
  let isDead = false;
  const { lastSeq: startSeq, lastAt: startAt, epoch } = taken;
  const writer = createEventWriter(store, runId, {
    startSeq,
    startAt,
    epoch,
    clock: systemClock,
    batchMs: 0,
    line: lineOf(taken),
    onLost: () => stop.abort(),
  });
  const die = () => {
    isDead = true;
    writer.close();
  };
  await execute({
    folder: new Map(),
    parsed,
    request: taken.request,
    ports: {
      model: model(),
      tools: {},
      sessions: mortalSessions(taken, () => isDead, deathAt === 'saved' ? die : () => {}),
      clock: systemClock,
      newCorrelationId: () => brandAs<CorrelationId>(randomUUID()),
      events: {
        append(body) {
          if (appended === deathAt) die();
          appended += 1;
          writer.append(body);
        },
        flush: () => writer.flush(),
      },
    },
    log,
    signal: stop.signal,
  });
  await writer.flush();
}

/** A dead worker stores nothing. */
function mortalSessions(taken: TakenRun, isDead: () => boolean, afterSave: () => void): SessionPort {
  const sessions = runSessions({ store, clock: systemClock }, taken);
  return {
    read: (key) => sessions.read(key),
    async save(key, session, writer) {
      if (isDead()) throw new Error('The worker is dead.');
      const saved = await sessions.save(key, session, writer);
      afterSave();
      return saved;
    },
  };
}

/** Runs that a worker may take: their workflow is in the queue. */
async function queuedRuns(): Promise<readonly RunId[]> {
  const { rows } = await store.pool.query<{ id: RunId }>(
    `SELECT r.id FROM "Run" r JOIN dbos.workflow_status w ON w.workflow_uuid = r.id WHERE r.status IN ('queued', 'running')`,
  );
  return rows.map(({ id }) => id);
}

async function unfinishedRuns(): Promise<readonly RunId[]> {
  const { rows } = await store.pool.query<{ id: RunId }>(
    `SELECT id FROM "Run" WHERE status IN ('queued', 'running', 'suspended')`,
  );
  return rows.map(({ id }) => id);
}

/** Never more than one turn of a conversation is at work. */
async function expectOneAtATime(): Promise<void> {
  const { rows } = await store.pool.query(
    `SELECT "conversationId" FROM "Run" WHERE status = 'running' OR (status = 'queued' AND NOT "inLine")
     GROUP BY 1 HAVING count(*) > 1`,
  );
  expect(rows).toEqual([]);
}

async function doSomething(random: SeededRandom, talks: readonly Talk[], next: () => string): Promise<void> {
  const runs = await queuedRuns();
  const unfinished = await unfinishedRuns();
  const deathAt = () => random.pick([-1, -1, -1, 'saved', random.below(9)] as const);
  const doings = Array.from({ length: 1 + random.below(4) }, () => {
    const kind = random.below(10);
    if (kind < 4 || runs.length === 0) return send(random.pick(talks), next());
    return kind === 9 ? queue.cancelRun(random.pick(unfinished)) : work(random.pick(runs), deathAt());
  });
  await Promise.all(doings);
}

test.each([1, 2, 3, 4])('turns keep their order, and what completed is remembered once (seed %i)', async (seed) => {
  const random = seededRandom(seed);
  const projectId = await insertProject(store, `Talk ${seed}`, folderOf({ 'a.md': 'a' }), { origin: 'api' });
  const { treeHash } = await findProject(store, projectId);
  const talks = [1, 2].map((): Talk => ({ projectId, treeHash, id: randomUUID(), isBegun: false }));
  let count = 0;
  const next = () => `${random.below(5) === 0 ? 'fail' : 'm'}${++count}`;
  for (const talk of talks) await send(talk, next());
  while (count < 30) {
    await doSomething(random, talks, next);
    await expectOneAtATime();
  }
  for (let rest = await queuedRuns(); rest.length > 0; rest = await queuedRuns()) {
    await Promise.all(rest.map((id) => work(id, -1)));
    await expectOneAtATime();
  }
  expect(await unfinishedRuns()).toEqual([]);
  expect(await advanceIdleLines(store)).toBe(0);

  for (const { id } of talks) {
    const turns = (await findTurns(store, id, { before: undefined, limit: 100, textUnits: 10_000 })).toReversed();
    const said: string[] = [];
    for (const { message, status, answer } of turns) {
      if (status !== 'completed') continue;
      said.push(message);
      expect(answer).toBe(`heard ${said.join(' ')}`);
    }
    expect(said.length).toBeGreaterThan(0);
    const { history } = await findSession(store, projectId, id);
    expect(history.map(({ role }) => role)).toEqual(said.flatMap(() => ['user', 'assistant']));
    expect(history.flatMap((one) => (one.role === 'user' ? [textOf(one.content)] : []))).toEqual(said);
  }
});
