import type { Actor } from '@/lib/base/actor';
import { AppError } from '@/lib/base/app-error';
import { type Action, type ProjectScope, scopeFor } from '@/lib/base/rights';
import { openRunQueue, type RunQueue } from '@/lib/jobs/enqueue';
import { systemClock } from '@/lib/jobs/system-clock';
import { openStore, type Store } from '@/lib/store/database';
import { runEventsChannel } from '@/lib/store/events';
import { liveTextsChannel, sendNotifications, watchTextsChannel } from '@/lib/store/live-text-messages';
import { type Notifications, openNotifications } from '@/lib/store/notifications';
import { isOutage, outageOf } from '@/lib/store/outage';
import { authorize, onlyOneRun, type Secured } from './authorize';
import { databaseUrl } from './database-url';
import { type LiveTextReaders, openLiveTextReaders } from './live-text-readers';
import { unavailable } from './outage';
import { askedBy } from './reading/asker';
import { webReader } from './reading/web-reader';

/** The connections of the web process. They are kept on `globalThis`, because Next evaluates modules more than once. */
export interface Services {
  readonly store: Store;
  readonly queue: RunQueue;
  readonly runEvents: Notifications;
  readonly liveTexts: LiveTextReaders;
}

const patienceMs = 5_000;
const retryMs = 200;

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
  const url = await databaseUrl(patienceMs);
  if (url === undefined) {
    throw new AppError('unavailable', 'The database is not ready yet. Callboard is starting; try again in a moment.');
  }
  const store = openStore(url);
  // A thread is started now, so that the first import does not wait for one.
  webReader().warm();
  const runEvents = openNotifications(url, runEventsChannel, liveTextsChannel);
  const liveTexts = openLiveTextReaders(runEvents, systemClock, (requests) =>
    sendNotifications(store, watchTextsChannel, requests),
  );
  return { store, queue: openRunQueue(store), runEvents, liveTexts };
}

/**
 * Does something for an actor: decides first, and hands the store out only if the action is allowed (`authorize`). The work may be
 * repeated: while the database restarts or has no free connection, it is tried again for a few seconds, then AppError
 * `unavailable` is thrown. A full disk throws at once, because waiting does not help.
 */
export async function withStore<T>(
  actor: Actor,
  action: Action,
  object: Secured,
  work: (store: Store) => Promise<T>,
): Promise<T> {
  return await systemStore(async (store) => {
    await authorize(store, actor, action, object);
    return await askedBy(actor, () => work(store));
  });
}

/** Works like `withStore`, for work that must not be repeated. */
export async function withStoreOnce<T>(
  actor: Actor,
  action: Action,
  object: Secured,
  work: (services: Services) => Promise<T>,
): Promise<T> {
  return await systemStoreOnce(async (opened) => {
    await authorize(opened.store, actor, action, object);
    return await askedBy(actor, () => work(opened));
  });
}

/** Works like `withStore`, for lists: the work is told in which projects the actor may do it. A share link has no lists. */
export async function withScope<T>(
  actor: Actor,
  action: Action,
  work: (store: Store, scope: ProjectScope) => Promise<T>,
): Promise<T> {
  if (actor.reach !== 'all' && actor.reach.kind === 'share') throw onlyOneRun();
  return await systemStore((store) => work(store, scopeFor(actor.reach, action)));
}

/** Works like `withScope`, for work that must not be repeated. */
export async function withScopeOnce<T>(
  actor: Actor,
  action: Action,
  work: (services: Services, scope: ProjectScope) => Promise<T>,
): Promise<T> {
  if (actor.reach !== 'all' && actor.reach.kind === 'share') throw onlyOneRun();
  return await systemStoreOnce((opened) => work(opened, scopeFor(actor.reach, action)));
}

/** Works like `withStore`, for work of the app itself, which nobody asks for by an id. A test lists the files that may call it. */
export async function systemStore<T>(work: (store: Store) => Promise<T>): Promise<T> {
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

/** Works like `systemStore`, for work that must not be repeated. */
export async function systemStoreOnce<T>(work: (services: Services) => Promise<T>): Promise<T> {
  try {
    return await work(await services());
  } catch (error) {
    throw unavailable(error) ?? error;
  }
}
