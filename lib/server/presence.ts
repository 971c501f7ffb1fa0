import type { Actor } from '@/lib/base/actor';
import type { ProjectId } from '@/lib/base/ids';
import type { Presence } from '@/lib/base/presence';
import { systemClock } from '@/lib/jobs/system-clock';
import { isOutage } from '@/lib/store/outage';
import { checkProject, presenceKey, putPresence, readPresent, removePresence } from '@/lib/store/presence';
import { counted } from './limits/open-streams';
import { type Services, withStore, withStoreOnce } from './services';

/** Changes that come together are one message. */
const gatherMs = 100;
/** Windows that went silent are noticed this often, and notifications that were lost. */
const pollMs = 5_000;

/** Says where a window of the actor is. It counts for some seconds. Throws AppError `not_found`. */
export async function announcePresence(actor: Actor, projectId: ProjectId, presence: Presence): Promise<void> {
  await withStore(actor, 'project.read', { project: projectId }, async (store) => {
    await checkProject(store, projectId);
    await putPresence(store, projectId, actor.by, presence);
  });
}

/** Says that a window of the actor has gone. Throws AppError `not_found`. */
export async function endPresence(actor: Actor, projectId: ProjectId, window: string): Promise<void> {
  await withStore(actor, 'project.read', { project: projectId }, async (store) => {
    await checkProject(store, projectId);
    await removePresence(store, projectId, actor.by, window);
  });
}

/**
 * Streams who is in a project and the saved version of a draft, as server-sent events: now, and whenever one of them changes. Ends when
 * the signal aborts. Throws AppError `not_found`, and `too_many` and `unavailable` when too many streams are open.
 */
export async function streamPresence(
  actor: Actor,
  projectId: ProjectId,
  asked: { readonly draft: string | undefined; readonly signal: AbortSignal },
): Promise<AsyncIterableIterator<string>> {
  return await withStoreOnce(actor, 'project.read', { project: projectId }, async (services) => {
    await checkProject(services.store, projectId);
    return counted({ actor, signal: asked.signal }, changes(services, { projectId, actor, ...asked }));
  });
}

interface Watched {
  readonly projectId: ProjectId;
  readonly actor: Actor;
  readonly draft: string | undefined;
  readonly signal: AbortSignal;
}

async function* changes(
  { store, runEvents }: Pick<Services, 'store' | 'runEvents'>,
  { projectId, actor, draft, signal }: Watched,
): AsyncGenerator<string> {
  let isNews = true;
  let last = '';
  let waiting = new AbortController();
  const wake = () => waiting.abort();
  const unsubscribe = runEvents.subscribe(presenceKey(projectId), () => {
    isNews = true;
    wake();
  });
  signal.addEventListener('abort', wake);
  try {
    while (!signal.aborted) {
      waiting = new AbortController();
      isNews = false;
      const present = await readPresent(store, projectId, actor, draft).catch((error: unknown) => {
        if (!isOutage(error)) throw error;
        return undefined;
      });
      const text = present === undefined ? last : JSON.stringify(present);
      if (text !== last) yield `data: ${text}\n\n`;
      last = text;
      if (!isNews) await systemClock.sleep(pollMs, waiting.signal);
      if (isNews) await systemClock.sleep(gatherMs, signal);
    }
  } finally {
    unsubscribe();
    signal.removeEventListener('abort', wake);
  }
}
