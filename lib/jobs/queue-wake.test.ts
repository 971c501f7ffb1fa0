import { DBOS } from '@dbos-inc/dbos-sdk';
import { expect, test } from 'vitest';
import { openNotifications } from '@/lib/store/notifications';
import { testDatabase } from '@/lib/testing/postgres';
import { queueOfTest } from '@/lib/testing/queue-of-test';
import { queuedRunChannel, queueName } from './queue';
import { queueLogger } from './queue-log';
import { lookIntoQueue, openQueueWake } from './queue-wake';
import { systemClock } from './system-clock';

const { url, store } = await testDatabase();
const lines: unknown[] = [];
const keep = (...line: unknown[]) => lines.push(line);
const queue = queueOfTest(store, queueLogger({ warn: keep, error: keep }));

test('DBOS looks into the queue when it is asked to', async () => {
  const first = new Promise<string>((resolve) => {
    queue.onBegun = resolve;
  });
  const id = await queue.enqueue();
  // False, or an error, says that this version of DBOS has no such method: find how it is woken now.
  expect(await lookIntoQueue(queueName)).toBe(true);
  expect(await first).toBe(id);
  await DBOS.getResult(id);
  expect(lines).toEqual([]);
});

test('a run begins because its start was announced, before DBOS looks by itself', async () => {
  const ids: string[] = [];
  const all = new Promise<void>((resolve) => {
    queue.onBegun = (id) => {
      ids.push(id);
      if (ids.length === 2) resolve();
    };
  });
  const wake = openQueueWake({ queueName, clock: systemClock, hasRoom: () => true });
  const announced = openNotifications(url, queuedRunChannel);
  announced.subscribe(queuedRunChannel, wake.wake);
  // As many as may run at once: a third would wait for the end of another, of which nobody tells this test.
  const asked = [await queue.enqueue(), await queue.enqueue()];
  await all;
  expect(ids.toSorted()).toEqual(asked.toSorted());
  wake.close();
  await announced.close();
});

test('a worker without room looks for nothing', async () => {
  const asked = new Promise<void>((resolve) => {
    const wake = openQueueWake({
      queueName,
      clock: systemClock,
      hasRoom() {
        resolve();
        wake.close();
        return false;
      },
    });
    wake.wake();
  });
  const id = await queue.enqueue();
  await asked;
  expect((await DBOS.getWorkflowStatus(id))?.status).toBe('ENQUEUED');
});
