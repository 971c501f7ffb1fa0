import type { Clock } from '@/lib/base/clock';
import type { RunId } from '@/lib/base/ids';
import type { RunEvent } from '@/lib/runtime/events';
import type { Store } from './database';
import { readEvents } from './events';
import type { Notifications } from './notifications';
import { isOutage } from './outage';

const pageSize = 1_000;
/** A notification can only be missed while the connection is away; this is for what nobody thought of. */
const safetyPollMs = 2_000;
const retryMs = 250;

/**
 * The events of a run after `after`, in batches as they become durable: none missing, none twice, whatever happens to the
 * connections meanwhile. Ends after `run.finished`, when the run is deleted, or when the signal aborts.
 */
export async function* watchRun(
  store: Store,
  notifications: Notifications,
  clock: Clock,
  run: { readonly id: RunId; readonly after: number; readonly signal: AbortSignal },
): AsyncGenerator<readonly RunEvent[]> {
  let seq = run.after;
  let waiting = new AbortController();
  let news = false;
  const wake = () => {
    news = true;
    waiting.abort();
  };
  const unsubscribe = notifications.subscribe(run.id, wake);
  run.signal.addEventListener('abort', wake);
  try {
    while (!run.signal.aborted) {
      news = false;
      const page = await readOrWait();
      const last = page?.at(-1);
      if (page !== undefined && last !== undefined) {
        seq = last.seq;
        yield page;
        if (last.kind === 'run.finished') return;
        continue;
      }
      if (page !== undefined && (await isOver())) return;
      if (news) continue;
      waiting = new AbortController();
      await clock.sleep(page === undefined ? retryMs : safetyPollMs, waiting.signal);
    }
  } finally {
    unsubscribe();
    run.signal.removeEventListener('abort', wake);
  }

  /** undefined: the database is away. */
  async function readOrWait(): Promise<readonly RunEvent[] | undefined> {
    try {
      return await readEvents(store, run.id, { after: seq, limit: pageSize });
    } catch (error) {
      if (isOutage(error)) return undefined;
      throw error;
    }
  }

  /** Nothing more can come: the run is gone, or the caller has already seen its end. */
  async function isOver(): Promise<boolean> {
    try {
      const { rows } = await store.pool.query<{ over: boolean }>(
        `SELECT status IN ('completed', 'failed', 'cancelled') AND "lastSeq" <= $2 AS over FROM "Run" WHERE id = $1`,
        [run.id, seq],
      );
      return rows[0]?.over ?? true;
    } catch (error) {
      if (isOutage(error)) return false;
      throw error;
    }
  }
}
