import type { Clock } from '@/lib/base/clock';
import type { RunId } from '@/lib/base/ids';
import { liveTextsKey, readLiveTextMessage, watchTextsKey } from '@/lib/store/live-text-messages';
import type { Notifications } from '@/lib/store/notifications';
import { LiveCursor, type LivePiece, LiveTexts } from '@/lib/trace/live-texts';

/** Workers are asked again this often. They send for 15 s after each request. */
const askMs = 5_000;
/** Requests of streams that open together are sent together. A stream that ends sooner asks for nothing. */
const gatherMs = 20;
/** One message for a reader has at most this many UTF-16 units of text. */
const unitsAtOnce = 65_536;

/** What one reader of a run's stream has not read yet. */
export interface LiveTextReader {
  /** Returns what came since the last call, and whether there is more. */
  take(): { readonly pieces: readonly LivePiece[]; readonly isMore: boolean };
  close(): void;
}

export interface LiveTextReaders {
  /**
   * Reads what the models of a run say from now on, and of calls under way also from before. Calls `onNews` for news, at once
   * if another reader has brought some already: perhaps the models say nothing more for a long time.
   */
  open(runId: RunId, onNews: () => void): LiveTextReader;
}

interface Watched {
  readonly texts: LiveTexts;
  epoch: number;
  readonly readers: Set<() => void>;
  readonly unsubscribe: () => void;
  /** True if the text so far is wanted. */
  wantsAll: boolean;
}

/**
 * Gets the texts of runs that have readers from their workers. Readers of one run share one copy. `ask` sends requests to
 * the workers; it may reject, and is called again later.
 */
export function openLiveTextReaders(
  notifications: Notifications,
  clock: Clock,
  ask: (requests: readonly string[]) => Promise<void>,
): LiveTextReaders {
  const runs = new Map<RunId, Watched>();
  let waiting: AbortController | undefined;
  let isAsking = false;

  function open(runId: RunId): Watched {
    const run: Watched = {
      texts: new LiveTexts(),
      epoch: 0,
      readers: new Set(),
      wantsAll: true,
      unsubscribe: notifications.subscribe(liveTextsKey(runId), (text) => {
        if (text === undefined) wantAll(run);
        else take(run, text);
      }),
    };
    runs.set(runId, run);
    wantAll(run);
    return run;
  }

  function wantAll(run: Watched): void {
    run.wantsAll = true;
    waiting?.abort();
    if (!isAsking) void askRepeatedly();
  }

  async function askRepeatedly(): Promise<void> {
    isAsking = true;
    while (runs.size > 0) {
      await clock.sleep(gatherMs);
      const fresh = [...runs.values()].filter(({ wantsAll }) => wantsAll);
      const requests = [...runs].map(([id, run]) => `${watchTextsKey}:${id}${run.wantsAll ? ':all' : ''}`);
      for (const run of fresh) run.wantsAll = false;
      const isAsked = requests.length === 0 || (await isDone(ask(requests)));
      waiting = new AbortController();
      if ([...runs.values()].some(({ wantsAll }) => wantsAll)) continue;
      // The text so far is asked for again with the next requests.
      if (!isAsked) for (const run of fresh) run.wantsAll = true;
      await clock.sleep(askMs, waiting.signal);
      waiting = undefined;
    }
    isAsking = false;
  }

  return {
    open(runId, onNews) {
      const run = runs.get(runId) ?? open(runId);
      const cursor = new LiveCursor();
      run.readers.add(onNews);
      if (!run.texts.isEmpty) onNews();
      return {
        take: () => run.texts.take(cursor, unitsAtOnce),
        close() {
          run.readers.delete(onNews);
          if (run.readers.size > 0 || runs.get(runId) !== run) return;
          runs.delete(runId);
          run.unsubscribe();
          if (runs.size === 0) waiting?.abort();
        },
      };
    },
  };
}

const isDone = (work: Promise<void>): Promise<boolean> =>
  work.then(
    () => true,
    () => false,
  );

function take(run: Watched, text: string): void {
  const message = readLiveTextMessage(text);
  // A worker that lost the run may still send.
  if (message === undefined || message.epoch < run.epoch) return;
  if (message.epoch > run.epoch) run.texts.clear();
  run.epoch = message.epoch;
  for (const item of message.items) {
    if ('end' in item) run.texts.end(item.end);
    else run.texts.put(item);
  }
  for (const onNews of run.readers) onNews();
}
