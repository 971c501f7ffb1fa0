import { DBOS } from '@dbos-inc/dbos-sdk';
import { DBOSExecutor } from '@dbos-inc/dbos-sdk/internal/dbos-executor';
import { wfQueueRunner } from '@dbos-inc/dbos-sdk/internal/wfqueue';
import type { Clock } from '@/lib/base/clock';

/**
 * Polls the queue immediately when a run was queued. DBOS polls every few hundred milliseconds and has no public function
 * to wake it, so this calls its private method for one poll. queue-wake.test.ts fails if that method changes. Without it,
 * runs only begin a little later, because DBOS continues to poll by itself.
 *
 *   wake ─▶ poll ──10 ms──▶ poll again if woken meanwhile
 */
export interface QueueWake {
  /** Starts a poll. At most one poll runs and one is pending. Never throws. */
  wake(): void;
  close(): void;
}

export interface QueueWakeOptions {
  readonly queueName: string;
  readonly clock: Clock;
  /** False while this worker cannot take another run. */
  hasRoom(): boolean;
}

/** A poll costs six statements, so runs that are queued within this time are taken with one poll. */
const gapMs = 10;

/** Must be called outside of runs, after DBOS was launched and the queue registered. */
export function openQueueWake({ queueName, clock, hasRoom }: QueueWakeOptions): QueueWake {
  const closed = new AbortController();
  let isWanted = false;
  let wakeLoop: (() => void) | undefined;
  void loop();

  // Polls run in a loop of their own, because a poll must not run in the asynchronous context of the run that caused it.
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

/** Takes queued runs up to the queue's limits, and begins them. Returns false if DBOS no longer has the method. */
export async function lookIntoQueue(queueName: string): Promise<boolean> {
  const look: unknown = Reflect.get(wfQueueRunner, 'pollQueue');
  const executor = DBOSExecutor.globalInstance;
  if (typeof look !== 'function' || executor === undefined) return false;
  const queue = await queueNamed(queueName, executor);
  if (queue === null) return false;
  await look.call(wfQueueRunner, executor, queue);
  return true;
}

const queues = new WeakMap<DBOSExecutor, Map<string, Queue>>();
type Queue = NonNullable<Awaited<ReturnType<typeof DBOS.retrieveQueue>>>;

/** The limits are read once for each launch of DBOS, because only the process that launched it sets them. */
async function queueNamed(name: string, executor: DBOSExecutor): Promise<Queue | null> {
  const known = queues.get(executor) ?? new Map<string, Queue>();
  queues.set(executor, known);
  const queue = known.get(name) ?? (await DBOS.retrieveQueue(name));
  if (queue !== null) known.set(name, queue);
  return queue;
}
