import type { Clock } from '@/lib/base/clock';
import type { RunId } from '@/lib/base/ids';
import type { Store } from './database';
import type { Notifications } from './notifications';
import { isOutage } from './outage';

/** Notifications can only be lost while the connection is broken. Polling finds events after a loss that nobody noticed. */
const safetyPollMs = 2_000;
const retryMs = 250;
/** The number of the last event while any number of events may be there: at first, and after a connection. */
const unknown = Number.POSITIVE_INFINITY;

export interface WatchedRun {
  readonly id: RunId;
  readonly after: number;
  readonly signal: AbortSignal;
}

/** The result of reading consecutive events of a run. */
export interface WatchedPage<T> {
  readonly lastSeq: number;
  /** True if its last event ends the run. */
  readonly isLast: boolean;
  readonly value: T;
}

/**
 * Yields what `read` returns for the events of a run after `after`, page by page as they are stored. None is missing and none
 * comes twice, also when connections break. Ends after `run.finished`, when the run is deleted, or when the signal aborts.
 *
 * `read` gets the last `seq` and returns `undefined` when there are no later events yet. The next page is read only when the
 * caller asks for it, so at most one page is in memory. A notification has the number of the last event, so nothing is read to learn
 * that nothing more is there.
 */
export async function* watchPages<T>(
  store: Store,
  notifications: Notifications,
  clock: Clock,
  run: WatchedRun,
  read: (after: number) => Promise<WatchedPage<T> | undefined>,
): AsyncGenerator<T> {
  let seq = run.after;
  let known = unknown;
  let waiting = new AbortController();
  let news = false;
  const wake = (text?: string) => {
    known = Math.max(known, lastSeqIn(text));
    news = true;
    waiting.abort();
  };
  const onAbort = () => wake();
  const unsubscribe = notifications.subscribe(run.id, wake);
  run.signal.addEventListener('abort', onAbort);
  try {
    while (!run.signal.aborted) {
      news = false;
      const page = seq < known ? await readOrWait() : undefined;
      if (page !== 'away' && page !== undefined) {
        seq = page.lastSeq;
        const { isLast } = page;
        yield page.value;
        if (isLast) return;
        continue;
      }
      if (page === undefined && seq < known && (await isOver())) return;
      if (news) continue;
      if (page === undefined) known = seq;
      waiting = new AbortController();
      await clock.sleep(page === 'away' ? retryMs : safetyPollMs, waiting.signal);
      if (!waiting.signal.aborted) known = unknown;
    }
  } finally {
    unsubscribe();
    run.signal.removeEventListener('abort', onAbort);
  }

  async function readOrWait(): Promise<WatchedPage<T> | 'away' | undefined> {
    try {
      return await read(seq);
    } catch (error) {
      if (isOutage(error)) return 'away';
      throw error;
    }
  }

  /** True if no more events can come: the run was deleted, or the caller has seen its end. */
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

/** Reads what a notification says. One without a number says that anything may have changed. */
function lastSeqIn(text: string | undefined): number {
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : unknown;
}
