import { AppError } from '@/lib/base/app-error';
import { openRunQueue, type RunQueue } from '@/lib/jobs/enqueue';
import { openStore, type Store } from '@/lib/store/database';
import { runEventsChannel } from '@/lib/store/events';
import { type Notifications, openNotifications } from '@/lib/store/notifications';
import { isOutage, outageOf } from '@/lib/store/outage';
import { unavailable } from './outage';
import { webReader } from './reading/web-reader';

/** What the web process keeps open. Next evaluates modules more than once, so it hangs on the process itself. */
export interface Services {
  readonly store: Store;
  readonly queue: RunQueue;
  readonly runEvents: Notifications;
}

const holder: { callboardServices?: Promise<Services> } = globalThis as never;

export function services(): Promise<Services> {
  holder.callboardServices ??= open().catch((error: unknown) => {
    // The next request tries again.
    holder.callboardServices = undefined;
    throw error;
  });
  return holder.callboardServices;
}

async function open(): Promise<Services> {
  const url = process.env.DATABASE_URL;
  if (url === undefined || url === '') {
    throw new AppError('unavailable', 'DATABASE_URL is not set. Start Callboard with npm start, which sets it.');
  }
  const store = openStore(url);
  // The first who imports something does not wait for a thread to start.
  webReader().warm();
  return { store, queue: openRunQueue(store), runEvents: openNotifications(url, runEventsChannel) };
}

const patienceMs = 5_000;
const retryMs = 200;

/**
 * Work that may be done again: a database that is being restarted, or has no connection to spare, is waited for a few
 * seconds, then it is an AppError `unavailable`. A full disk is one at once: waiting makes no room.
 */
export async function withStore<T>(work: (store: Store) => Promise<T>): Promise<T> {
  const deadline = performance.now() + patienceMs;
  for (;;) {
    try {
      const { store } = await services();
      return await work(store);
    } catch (error) {
      if (performance.now() > deadline || outageOf(error) === 'disk_full') throw unavailable(error) ?? error;
      if (!isOutage(error)) throw error;
      await new Promise((resolve) => setTimeout(resolve, retryMs));
    }
  }
}

/** Work that must not be done twice by accident: it is tried once. */
export async function withStoreOnce<T>(work: (services: Services) => Promise<T>): Promise<T> {
  try {
    return await work(await services());
  } catch (error) {
    throw unavailable(error) ?? error;
  }
}
