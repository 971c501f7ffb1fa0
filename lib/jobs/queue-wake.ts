import { DBOS } from '@dbos-inc/dbos-sdk';
import { DBOSExecutor } from '@dbos-inc/dbos-sdk/internal/dbos-executor';
import { wfQueueRunner } from '@dbos-inc/dbos-sdk/internal/wfqueue';
import type { Clock } from '@/lib/base/clock';

/**
 * Has the queue looked into at once when a run was queued. DBOS itself looks every few hundred milliseconds and has no
 * public function to be woken, so this calls its method for one look, which is not public; queue-wake.test.ts fails when it
 * changes. Without it runs begin later, and nothing else differs: DBOS goes on looking by itself.
 *
 *   wake ─▶ look ──10 ms──▶ look again if woken meanwhile
 */
export interface QueueWake {
  /** At most one look is under way and one is to come. Never throws. */
  wake(): void;
  close(): void;
}

export interface QueueWakeOptions {
  readonly queueName: string;
  readonly clock: Clock;
  /** False while this worker takes no more runs. */
  hasRoom(): boolean;
}

/** Starts that come together are claimed together; a look costs six statements. */
const gapMs = 10;

/** Call it after DBOS has been launched and the queue registered, outside of any run. */
export function openQueueWake({ queueName, clock, hasRoom }: QueueWakeOptions): QueueWake {
  const closed = new AbortController();
  let isWanted = false;
  let wakeLoop: (() => void) | undefined;
  void loop();

  // A loop of its own: a look must not run in the asynchronous context of the run that caused it.
  async function loop(): Promise<void> {
    while (!closed.signal.aborted) {
      if (!isWanted) {
        await new Promise<void>((resolve) => {
          wakeLoop = resolve;
        });
      }
      isWanted = false;
      if (closed.signal.aborted) return;
      if (hasRoom()) await lookIntoQueue(queueName).catch(() => undefined);
      await clock.sleep(gapMs, closed.signal);
    }
  }

  return {
    wake() {
      isWanted = true;
      wakeLoop?.();
    },
    close() {
      closed.abort();
      wakeLoop?.();
    },
  };
}

/** Claims what is queued, up to the queue's limits, and begins it. False when DBOS has no such method any more. */
export async function lookIntoQueue(queueName: string): Promise<boolean> {
  const look: unknown = Reflect.get(wfQueueRunner, 'pollQueue');
  const queue = await queueNamed(queueName);
  if (typeof look !== 'function' || queue === null || DBOSExecutor.globalInstance === undefined) return false;
  await look.call(wfQueueRunner, DBOSExecutor.globalInstance, queue);
  return true;
}

const queues = new Map<string, Awaited<ReturnType<typeof DBOS.retrieveQueue>>>();

/** Its limits are set by this process, so they are read once. */
async function queueNamed(name: string) {
  const known = queues.get(name);
  if (known !== undefined) return known;
  const queue = await DBOS.retrieveQueue(name);
  if (queue !== null) queues.set(name, queue);
  return queue;
}
