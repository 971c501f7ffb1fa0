/**
 * One run as the page follows it: first the columns, then the stream of events after `lastSeq`, folded into one trace. No event
 * is missing or counted twice, whatever the connection does: the fold ignores events that it has, and a gap or a broken stream
 * leads to a new stream from `lastSeq`, with a wait that doubles each time.
 *
 * An imported run has no such stream: its events are replaced when more have arrived, and then its columns are loaded again.
 */

import { RequestError } from '@/lib/client/ask';
import type { RunSource } from '@/lib/client/run-source';
import type { decodeTrace } from '@/lib/trace/columns';
import { emptyTrace } from '@/lib/trace/empty-trace';
import type { foldEvent } from '@/lib/trace/fold';
import type { LivePiece } from '@/lib/trace/live-texts';
import type { SlimEvent } from '@/lib/trace/slim-event';
import type { Trace } from '@/lib/trace/trace';
import { LiveSaid, type TextKeeper } from './live-said';

export type FeedPhase = 'loading' | 'live' | 'reconnecting' | 'ended' | 'failed';

/** The clock and timers that the feed needs. */
export interface FeedHost {
  /** Returns epoch milliseconds. */
  now(): number;
  /** Runs a callback once after a delay. Returns a function that cancels it. */
  after(ms: number, callback: () => void): () => void;
}

export interface FeedState {
  readonly phase: FeedPhase;
  readonly trace: Trace;
  /** A number that grows with every notification. */
  readonly version: number;
  readonly error: string | undefined;
  /** True if there is no such run, or none that this person may see. */
  readonly isGone?: boolean;
  /** True if code of this page cannot be loaded: the network is gone, or another version of Callboard is there by now. */
  readonly lacksCode?: boolean;
  /** Why the server refuses to stream. Unset while it does not. */
  readonly refused?: string | undefined;
  /** How often all events of the run were replaced. Events that were fetched before are others now. */
  readonly replaced: number;
}

const firstRetryMs = 250;
const longestRetryMs = 5_000;
/** Listeners (names, history, tables) are called at most this often. The canvas reads the trace itself in every frame. */
const notifyMs = 100;
/** A new instance needs a row, so it is told sooner. */
const laneMs = 40;
/** Rendering for listeners may take this share of the time. */
const renderShare = 1 / 8;

type Fold = typeof foldEvent;

/** What the stream of a run needs. */
export interface StreamCode {
  readonly fold: Fold;
  readonly keeper: TextKeeper;
}

/** Loads the code that folds events and keeps texts. The page of a finished run does not need it, so it is loaded for a run in progress alone. */
async function importStreamCode(): Promise<StreamCode> {
  const [{ foldEvent }, { endedText, LiveTexts }] = await Promise.all([
    import('@/lib/trace/fold'),
    import('@/lib/trace/live-texts'),
  ]);
  return { fold: foldEvent, keeper: { texts: new LiveTexts(), endedText } };
}

type Decode = typeof decodeTrace;

/** Loads the code that reads the columns of a run, beside the columns. */
async function importDecoder(): Promise<Decode> {
  return (await import('@/lib/trace/columns')).decodeTrace;
}

/** The code that reads the columns could not be loaded. */
class MissingCode extends Error {
  override name = 'MissingCode';
  override message = 'Callboard may have been updated, or cannot be reached.';
}

export class RunFeed {
  /** What models say in calls that go on. Losing it does no harm: the event at the end of a call has it. */
  readonly said = new LiveSaid();
  private state: FeedState = { phase: 'loading', trace: emptyTrace(), version: 0, error: undefined, replaced: 0 };
  private readonly listeners = new Set<() => void>();
  private closeStream: (() => void) | undefined;
  private closeWatch: (() => void) | undefined;
  private cancelRetry: (() => void) | undefined;
  private cancelNotify: (() => void) | undefined;
  private cancelSaid: (() => void) | undefined;
  private loading: AbortController | undefined;
  private retryMs = firstRetryMs;
  /** The server's clock minus ours, in milliseconds. */
  private skew = 0;
  private loaded = false;
  /** True if all spans are to be shown. */
  private allSpans = false;
  /** True if the columns that are shown have all spans. */
  private shownAll = false;
  /** True if the columns that are being loaded will have all spans. While nothing is loaded, it is the same as `shownAll`. */
  private askedAll = false;
  private running = false;
  /** The version of the columns that are shown. */
  private shownVersion = 0;
  private fold: Fold | undefined;
  private notifyAt = 0;
  private notifiedAt = 0;
  /** How long the listeners took at the last notification, in milliseconds. */
  private renderMs = 0;

  constructor(
    private readonly source: RunSource,
    private readonly host: FeedHost,
    private readonly loadCode: () => Promise<StreamCode> = importStreamCode,
    private readonly loadDecoder: () => Promise<Decode> = importDecoder,
  ) {}

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  readonly getState = (): FeedState => this.state;

  /**
   * Returns microseconds since the run's origin by the server's clock. Once the run has ended, it returns the last event's
   * time.
   */
  readonly now = (): number => {
    const { trace, phase } = this.state;
    if (trace.origin === undefined) return 0;
    if (phase === 'ended' || trace.run.status !== undefined) return trace.lastAt;
    return Math.max(trace.lastAt, (this.host.now() + this.skew - trace.origin) * 1000);
  };

  start(): void {
    if (this.running) return;
    this.running = true;
    if (!this.loaded || this.askedAll !== this.allSpans) void this.load();
    else if (this.state.phase === 'ended') this.watch();
    else this.stream();
  }

  /** Shows the spans of the framework of an imported run, or hides them. Nothing else of the run changes. */
  showAllSpans(allSpans: boolean): void {
    this.allSpans = allSpans;
    if (!this.running || this.askedAll === allSpans) return;
    this.stop();
    this.start();
  }

  stop(): void {
    this.running = false;
    this.loading?.abort();
    this.askedAll = this.shownAll;
    this.closeStream?.();
    this.closeWatch?.();
    this.cancelRetry?.();
    this.cancelNotify?.();
    this.cancelSaid?.();
    this.cancelSaid = undefined;
    this.closeStream = undefined;
    this.closeWatch = undefined;
    this.cancelRetry = undefined;
    this.cancelNotify = undefined;
  }

  private async load(): Promise<void> {
    const loading = new AbortController();
    this.loading = loading;
    const { allSpans } = this;
    this.askedAll = allSpans;
    try {
      const decoder = this.loadDecoder();
      // The columns may fail first, and then nobody waits for the code.
      decoder.catch(() => undefined);
      const { bytes, serverNow, version = 0 } = await this.source.loadTrace(loading.signal, { allSpans });
      const skew = serverNow - this.host.now();
      const decode = await decoder.catch(() => {
        throw new MissingCode();
      });
      if (loading.signal.aborted) return;
      this.skew = skew;
      const trace = decode(bytes);
      const replaced = this.state.replaced + (this.loaded && version !== this.shownVersion ? 1 : 0);
      this.loaded = true;
      this.shownAll = allSpans;
      this.shownVersion = version;
      this.retryMs = firstRetryMs;
      const ended = trace.run.status !== undefined;
      this.set({ phase: ended ? 'ended' : 'live', trace, error: undefined, lacksCode: false, replaced });
      if (ended) this.watch();
      else this.stream();
    } catch (error) {
      if (loading.signal.aborted) return;
      // What was loaded before is still true, only not all of it.
      if (!this.loaded) {
        const text = error instanceof Error ? error.message : 'The run could not be loaded.';
        const isGone = error instanceof RequestError && error.status === 404;
        this.set({ phase: 'failed', error: text, isGone, lacksCode: error instanceof MissingCode });
      }
      this.retry(() => void this.load());
    }
  }

  /** Loads the run again when its events were replaced. */
  private watch(): void {
    this.closeWatch = this.source.watchVersions?.(this.shownVersion, () => {
      this.closeWatch?.();
      this.closeWatch = undefined;
      void this.load();
    });
  }

  private stream(): void {
    const { fold } = this;
    if (fold === undefined) {
      void this.prepare();
      return;
    }
    this.closeStream = this.source.openStream(this.state.trace.lastSeq, {
      onEvents: (events) => this.take(events, fold),
      onTexts: (pieces) => this.hear(pieces),
      onEnd: () => {
        this.closeStream = undefined;
        this.set({ phase: 'ended', refused: undefined });
      },
      onBroken: (refused) => this.reconnect(refused),
    });
  }

  /** Loads the code of the stream, then streams. */
  private async prepare(): Promise<void> {
    try {
      const { fold, keeper } = await this.loadCode();
      this.fold = fold;
      this.said.keepIn(keeper);
    } catch {
      this.set({ lacksCode: true });
      this.reconnect();
      return;
    }
    if (this.state.lacksCode) this.set({ lacksCode: false });
    if (this.running && this.closeStream === undefined) this.stream();
  }

  private take(events: readonly SlimEvent[], fold: Fold): void {
    const { trace } = this.state;
    const lanes = trace.laneVersion;
    for (const event of events) {
      if (event.seq > trace.lastSeq + 1) {
        this.closeStream?.();
        this.reconnect();
        return;
      }
      fold(trace, event);
      this.said.note(event);
    }
    this.retryMs = firstRetryMs;
    const ended = trace.run.status !== undefined;
    if (this.state.phase === 'reconnecting' || ended) this.set({ phase: ended ? 'ended' : 'live', refused: undefined });
    else this.notifyWithin(trace.laneVersion === lanes ? notifyMs : laneMs);
  }

  /**
   * Calls the listeners this long after the last time, or sooner if an earlier call is due. Messages in between need no call of
   * their own, and slow listeners are called less often.
   */
  private notifyWithin(ms: number): void {
    const now = this.host.now();
    const due = Math.max(now, this.notifiedAt + Math.max(ms, this.renderMs / renderShare));
    if (this.cancelNotify !== undefined && this.notifyAt <= due) return;
    this.cancelNotify?.();
    this.notifyAt = due;
    this.cancelNotify = this.host.after(due - now, () => this.set({}));
  }

  private hear(pieces: readonly LivePiece[]): void {
    if (this.state.phase === 'ended') return;
    this.said.put(pieces);
    this.cancelSaid ??= this.host.after(notifyMs, () => {
      this.cancelSaid = undefined;
      this.said.changed();
    });
  }

  private reconnect(refused?: string): void {
    this.closeStream = undefined;
    if (!this.running || this.state.phase === 'ended') return;
    this.set({ phase: 'reconnecting', refused });
    this.retry(() => this.stream());
  }

  private retry(again: () => void): void {
    if (!this.running) return;
    this.cancelRetry = this.host.after(this.retryMs, again);
    this.retryMs = Math.min(this.retryMs * 2, longestRetryMs);
  }

  private set(part: Partial<FeedState>): void {
    this.cancelNotify?.();
    this.cancelNotify = undefined;
    this.state = { ...this.state, ...part, version: this.state.version + 1 };
    const began = this.host.now();
    this.notifiedAt = began;
    for (const listener of this.listeners) listener();
    // React renders for a store in a microtask of its own, which comes before this one.
    queueMicrotask(() => {
      this.renderMs = this.host.now() - began;
      this.notifiedAt = began + this.renderMs;
    });
  }
}

/** The browser's clock and timers. */
export const browserHost: FeedHost = {
  now: () => Date.now(),
  after(ms, callback) {
    const timer = setTimeout(callback, ms);
    return () => clearTimeout(timer);
  },
};
