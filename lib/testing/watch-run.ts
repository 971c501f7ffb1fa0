import type { Clock } from '@/lib/base/clock';
import type { RunEvent } from '@/lib/runtime/record/events';
import type { Store } from '@/lib/store/database';
import { readEvents } from '@/lib/store/events';
import type { Notifications } from '@/lib/store/notifications';
import { type WatchedRun, watchPages } from '@/lib/store/watch-pages';

const pageSize = 1_000;

/** Yields the events of a run after `after`, in batches as they are stored, as a stream to a browser does. */
export function watchRun(
  store: Store,
  notifications: Notifications,
  clock: Clock,
  run: WatchedRun,
): AsyncGenerator<readonly RunEvent[]> {
  return watchPages(store, notifications, clock, run, async (after) => {
    const events = await readEvents(store, run.id, { after, limit: pageSize });
    const last = events.at(-1);
    return last && { lastSeq: last.seq, isLast: last.kind === 'run.finished', value: events };
  });
}
