import type { Actor } from '@/lib/base/actor';
import type { ProjectId, RunId } from '@/lib/base/ids';
import { type ProjectScope, scopeFor } from '@/lib/base/rights';
import { systemClock } from '@/lib/jobs/system-clock';
import { isOutage } from '@/lib/store/outage';
import { countItems } from '@/lib/store/pending-items';
import { pendingKey } from '@/lib/store/pending-messages';
import { counted } from './limits/open-streams';
import { type Services, services } from './services';

/** Changes that come together are one message. */
const gatherMs = 100;
/** A notification may be lost while the connection is broken. */
const safetyPollMs = 10_000;

export interface PendingScope {
  readonly run?: RunId | undefined;
  readonly project?: ProjectId | undefined;
}

type WatchedItems = PendingScope & { readonly scope: ProjectScope };

/**
 * Streams the number of open questions as server-sent events: now, and whenever a question was asked or has ended. Ends when the
 * signal aborts. Throws AppError `too_many` and `unavailable` when too many streams are open.
 */
export async function streamPending(
  actor: Actor,
  asked: PendingScope,
  signal: AbortSignal,
): Promise<AsyncIterableIterator<string>> {
  const opened = await services();
  const scope = scopeFor(actor.reach, 'item.read');
  return counted({ actor, signal }, changes(opened, { ...asked, scope }, signal));
}

async function* changes(
  { store, runEvents }: Pick<Services, 'store' | 'runEvents'>,
  watched: WatchedItems,
  signal: AbortSignal,
): AsyncGenerator<string> {
  let isNews = true;
  let last = -1;
  let waiting = new AbortController();
  const wake = () => waiting.abort();
  const unsubscribe = runEvents.subscribe(pendingKey, (text) => {
    if (text !== undefined && !concerns(text, watched)) return;
    isNews = true;
    wake();
  });
  signal.addEventListener('abort', wake);
  try {
    while (!signal.aborted) {
      waiting = new AbortController();
      const wasNews = isNews;
      isNews = false;
      const open = await countItems(store, { ...watched, status: 'open' }).catch((error: unknown) => {
        if (!isOutage(error)) throw error;
        return last;
      });
      if (open >= 0 && (wasNews || open !== last)) yield `data: ${JSON.stringify({ open })}\n\n`;
      last = open;
      if (!isNews) await systemClock.sleep(safetyPollMs, waiting.signal);
      if (isNews) await systemClock.sleep(gatherMs, signal);
    }
  } finally {
    unsubscribe();
    signal.removeEventListener('abort', wake);
  }
}

/** True if the text, `<project>:<run>`, names what is watched. */
function concerns(text: string, { run, project, scope }: WatchedItems): boolean {
  const [ofProject, ofRun] = text.split(':');
  if (scope !== 'all' && !scope.some((each) => each === ofProject)) return false;
  return (run === undefined || run === ofRun) && (project === undefined || project === ofProject);
}
