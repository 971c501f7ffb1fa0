import { DBOS } from '@dbos-inc/dbos-sdk';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { testDatabase } from '@/lib/testing/postgres';
import { queueOfTest } from '@/lib/testing/queue-of-test';
import { queueName } from './queue';
import { queueLogger } from './queue-log';
import { keepReserve } from './queue-reserve';
import { partitionQueued, sharesOf } from './queue-shares';
import { lookIntoQueue } from './queue-wake';

const { store } = await testDatabase();
const lines: unknown[] = [];
const keep = (...line: unknown[]) => lines.push(line);
const queue = queueOfTest(store, queueLogger({ warn: keep, error: keep }));

/** The runs that have begun, in order. Each lasts until the test lets all end. */
let begun: string[] = [];
let end: () => void;
beforeEach(() => {
  begun = [];
  const over = new Promise<void>((resolve) => {
    end = resolve;
  });
  queue.onBegun = (id) => {
    begun.push(id);
    return over;
  };
});
afterEach(async () => {
  end();
  const ids = begun;
  await Promise.all(ids.map((id) => DBOS.getResult(id)));
  await store.pool.query(`DELETE FROM dbos.workflow_status WHERE status = 'ENQUEUED'`);
  expect(lines).toEqual([]);
});

async function many(count: number, startedBy: string): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let index = 0; index < count; index++) ids.push(await queue.enqueue(startedBy));
  return ids;
}

/** Lets the worker, which executes two runs of one at once, and three in all, look into its queue, until what it takes has begun. */
async function look(): Promise<void> {
  await lookIntoQueue(queueName);
  const { rows } = await store.pool.query<{ id: string }>(
    `SELECT workflow_uuid AS id FROM dbos.workflow_status WHERE status = 'PENDING' ORDER BY id`,
  );
  await expect.poll(() => begun.toSorted(), { timeout: 10_000 }).toEqual(rows.map(({ id }) => id).toSorted());
}

test('a run begins at once although another person has many that wait and last', async () => {
  const hers = await many(20, 'ann@queue.example');
  await look();
  expect(begun.toSorted()).toEqual(hers.slice(0, 2).toSorted());
  const his = await queue.enqueue('ben@queue.example');
  await look();
  expect(begun.at(-1)).toBe(his);
  await look();
  expect(begun).toHaveLength(3);
});

test('runs of one person wait for each other also when they are of many projects', async () => {
  // Each of them has a project of its own.
  await many(5, 'ann@queue.example');
  await look();
  await look();
  expect(begun).toHaveLength(2);
});

test('without accounts, and for triggers, projects do not wait for each other', async () => {
  for (const startedBy of ['local', 'trigger:nightly', 'local']) await queue.enqueue(startedBy);
  await look();
  expect(begun).toHaveLength(3);
});

test('what an earlier version has queued is taken too', async () => {
  const id = await queue.enqueue('ann@queue.example');
  await store.pool.query('UPDATE dbos.workflow_status SET queue_partition_key = NULL WHERE workflow_uuid = $1', [id]);
  await look();
  expect(begun).toEqual([]);
  await partitionQueued(store);
  await look();
  expect(begun).toEqual([id]);
});

test('a worker that is started again in the process has the limits that it is started with', async () => {
  await DBOS.shutdown();
  await DBOS.launch();
  await DBOS.registerQueue(queueName, { ...sharesOf(1), minPollingIntervalMs: 3_600_000 });
  await many(3, 'ann@queue.example');
  await look();
  expect(begun).toHaveLength(1);
});

describe('a worker of twelve slots, of which one person has ten', () => {
  beforeEach(async () => {
    await DBOS.shutdown();
    await DBOS.launch();
    keepReserve();
    await DBOS.registerQueue(queueName, { ...sharesOf(10), minPollingIntervalMs: 3_600_000 });
  });

  test('two people who fill it do not hold up a third', async () => {
    await many(20, 'ann@queue.example');
    await look();
    await many(20, 'ben@queue.example');
    await look();
    await look();
    expect(begun).toHaveLength(11);
    const hers = await queue.enqueue('cat@queue.example');
    await look();
    expect(begun.at(-1)).toBe(hers);
    expect(begun).toHaveLength(12);
  });

  test('of those of whom nothing is executed, each takes one of the last places', async () => {
    await many(20, 'ann@queue.example');
    await look();
    for (const other of ['ben', 'cat', 'dan']) await many(20, `${other}@queue.example`);
    for (let looks = 0; looks < 4; looks += 1) await look();
    expect(begun).toHaveLength(12);
    const owners = await store.prisma.run.groupBy({ by: ['startedBy'], where: { id: { in: begun } }, _count: true });
    expect(owners.map(({ _count }) => _count).toSorted((a, b) => a - b)).toEqual([1, 1, 10]);
  });

  test('one person has as many as before', async () => {
    await many(20, 'ann@queue.example');
    await look();
    await look();
    expect(begun).toHaveLength(10);
  });
});
