import { AppError } from '@/lib/base/app-error';
import { openRunQueue, type RunQueue } from '@/lib/jobs/enqueue';
import { isConnectionError } from '@/lib/store/connection-error';
import { openStore, type Store } from '@/lib/store/database';
import { runEventsChannel } from '@/lib/store/events';
import { type Notifications, openNotifications } from '@/lib/store/notifications';

/** What the web process keeps open. Next evaluates modules more than once, so it hangs on the process itself. */
export interface Services {
  readonly store: Store;
  readonly queue: RunQueue;
  readonly runEvents: Notifications;
}

const holder: { callboardServices?: Promise<Services> } = globalThis as never;

export function services(): Promise<Services> {
  holder.callboardServices ??= open();
  return holder.callboardServices;
}

async function open(): Promise<Services> {
  const url = process.env.DATABASE_URL;
  if (url === undefined || url === '') {
    throw new AppError('unavailable', 'DATABASE_URL is not set. Start Callboard with npm start, which sets it.');
  }
  const store = openStore(url);
  return { store, queue: await openRunQueue(store), runEvents: openNotifications(url, runEventsChannel) };
}

const patienceMs = 5_000;

/**
 * Work that may be done again: a database that is being restarted is waited for a few seconds, then it is an AppError
 * `unavailable`.
 */
export async function withStore<T>(work: (store: Store) => Promise<T>): Promise<T> {
  const { store } = await services();
  const deadline = performance.now() + patienceMs;
  for (;;) {
    try {
      return await work(store);
    } catch (error) {
      if (!isConnectionError(error)) throw error;
      if (performance.now() > deadline) throw unreachable();
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }
}

/** Work that must not be done twice by accident: it is tried once. */
export async function withStoreOnce<T>(work: (services: Services) => Promise<T>): Promise<T> {
  try {
    return await work(await services());
  } catch (error) {
    if (isConnectionError(error)) throw unreachable();
    throw error;
  }
}

function unreachable(): AppError {
  return new AppError(
    'unavailable',
    'The database cannot be reached. It is being started again; try once more in a moment.',
  );
}
