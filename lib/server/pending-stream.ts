import type { ProjectId, RunId } from '@/lib/base/ids';
import { systemClock } from '@/lib/jobs/system-clock';
import { isOutage } from '@/lib/store/outage';
import { countItems } from '@/lib/store/pending-items';
import { pendingKey } from '@/lib/store/pending-messages';
import { counted } from './run-streams';
import { type Services, services } from './services';

/** Changes that come together are one message. */
const gatherMs = 100;
/** A notification may be lost while the connection is broken. */
const safetyPollMs = 10_000;

export interface PendingScope {
  readonly run?: RunId | undefined;
  readonly project?: ProjectId | undefined;
}

/**
 * Streams the number of open questions as server-sent events: now, and whenever a question was asked or has ended. Ends when the
 * signal aborts. Throws AppError `unavailable` when too many streams are open.
 */
export async function streamPending(scope: PendingScope, signal: AbortSignal): Promise<AsyncGenerator<string>> {
  return counted(changes(await services(), scope, signal));
}

async function* changes(
  { store, runEvents }: Pick<Services, 'store' | 'runEvents'>,
  scope: PendingScope,
  signal: AbortSignal,
): AsyncGenerator<string> {
  let isNews = true;
  let last = -1;
  let waiting = new AbortController();
  const wake = () => waiting.abort();
  const unsubscribe = runEvents.subscribe(pendingKey, (text) => {
    if (text !== undefined && !concerns(text, scope)) return;
    isNews = true;
    wake();
  });
  signal.addEventListener('abort', wake);
  try {
    while (!signal.aborted) {
      waiting = new AbortController();
      const wasNews = isNews;
      isNews = false;
      const open = await countItems(store, { ...scope, status: 'open' }).catch((error: unknown) => {
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
function concerns(text: string, { run, project }: PendingScope): boolean {
  const [ofProject, ofRun] = text.split(':');
  return (run === undefined || run === ofRun) && (project === undefined || project === ofProject);
}
