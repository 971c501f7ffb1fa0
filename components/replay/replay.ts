/**
 * The play-head of one run. Replaying executes nothing: it moves a `MomentTrace` over the events that the page has. Like the
 * feed of a live run, it changes its trace in place in every frame, calls `onFrame` listeners for each (bars, play-head,
 * slider), and other listeners (names, history, tabs) at most ten times a second.
 */

import { advance, eventTimes, type IdleGap, idleGaps, nextTime } from '@/lib/trace/moment-steps';
import type { MomentTrace } from '@/lib/trace/moment-trace';
import type { Trace } from '@/lib/trace/trace';

export const speeds = [0.25, 0.5, 1, 2, 4, 8, 16] as const;
export type Speed = (typeof speeds)[number];

/** The clock, the frames and the timers of a screen. */
export interface ReplayHost {
  /** Returns milliseconds of a clock that never goes back. */
  now(): number;
  /** Calls back before the next frame. Returns a function that cancels it. */
  frame(callback: () => void): () => void;
  after(ms: number, callback: () => void): () => void;
  /** True if the person does not want motion. The play-head then goes from event to event. */
  readonly still: () => boolean;
}

/** The run that is replayed. It may still grow. */
export interface ReplaySource {
  readonly trace: Trace;
  /** Returns the end of the run so far, in microseconds since the origin. */
  now(): number;
}

export interface ReplayState {
  /** The play-head, in microseconds since the origin. `undefined` means the end, or now while the run goes on. */
  readonly moment: number | undefined;
  readonly playing: boolean;
  readonly speed: Speed;
  /** True if stretches without events are played in a short time. */
  readonly skipsIdle: boolean;
  /** True while the play-head moves, by itself or by hand. */
  readonly moving: boolean;
  /** The run at the moment; `undefined` without one. The same object as before may have changed. */
  readonly shown: Trace | undefined;
  /** Grows with every notification. */
  readonly version: number;
}

const notifyMs = 100;
/** Rendering the rest of the page may take this share of the time, so that few frames are late. */
const renderShare = 1 / 16;
/** The rest of the page is drawn at least so often, because new rows and boxes would come long after their bars. One of 24 frames is late then. */
const longestMs = 400;
const settleMs = 250;

export class Replay {
  private state: ReplayState = {
    moment: undefined,
    playing: false,
    speed: 1,
    skipsIdle: true,
    moving: false,
    shown: undefined,
    version: 0,
  };
  private readonly listeners = new Set<() => void>();
  private readonly frameListeners = new Set<() => void>();
  private source: ReplaySource | undefined;
  private view: { readonly of: Trace; readonly at: MomentTrace } | undefined;
  private times: { readonly of: Trace; readonly version: number; readonly all: Float64Array } | undefined;
  /** Where the play-head would be between events. With reduced motion the shown moment stays behind it. */
  private exact = 0;
  private head: number | undefined;
  private last = 0;
  private gaps: readonly IdleGap[] = [];
  /** How long the last notification took, in milliseconds. */
  private renderMs = 0;
  private cancelFrame: (() => void) | undefined;
  private cancelNotify: (() => void) | undefined;
  private cancelSettle: (() => void) | undefined;

  private loading: Promise<void> | undefined;

  /** `Moments` is loaded when it is first needed, unless it is given. */
  constructor(
    private readonly host: ReplayHost,
    private Moments?: typeof MomentTrace,
  ) {}

  /** Loads what shows the run at a moment. Until it is there, the play-head moves over the whole run. Never rejects. */
  readonly load = (): Promise<void> => {
    this.loading ??= this.loadMoments();
    return this.loading;
  };

  private async loadMoments(): Promise<void> {
    if (this.Moments !== undefined) return;
    try {
      this.Moments = (await import('@/lib/trace/moment-trace')).MomentTrace;
      if (this.head !== undefined) this.show(this.head, true);
    } catch {
      // The next move of the play-head tries again.
      this.loading = undefined;
    }
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** Calls `listener` whenever the play-head moves, in the same frame. */
  readonly onFrame = (listener: () => void): (() => void) => {
    this.frameListeners.add(listener);
    return () => this.frameListeners.delete(listener);
  };

  readonly getState = (): ReplayState => this.state;

  /** Returns the play-head as it is now, which may be newer than the state. */
  readonly at = (): number | undefined => this.head;

  /** Says which run is replayed. A reloaded run has another trace. */
  readonly follow = (source: ReplaySource): void => {
    const other = this.source?.trace !== source.trace;
    this.source = source;
    if (!other || this.head === undefined) return;
    if (this.head >= source.now()) this.seek(undefined);
    else this.show(this.head, true);
  };

  /** Returns the sorted times of all events. */
  readonly eventTimes = (): Float64Array => {
    const trace = this.source?.trace;
    if (trace === undefined) return new Float64Array(0);
    if (this.times?.of !== trace || this.times.version !== trace.version) {
      this.times = { of: trace, version: trace.version, all: eventTimes(trace) };
    }
    return this.times.all;
  };

  /** Moves the play-head, or lets it go to the end. */
  readonly seek = (moment: number | undefined): void => {
    const end = this.source?.now() ?? 0;
    const isKnown = this.source !== undefined && this.source.trace.origin !== undefined;
    const to = moment === undefined || (isKnown && moment >= end) ? undefined : Math.max(0, Math.round(moment));
    this.exact = to ?? end;
    if (to === undefined) this.pause();
    const isFirst = !this.state.moving;
    this.touch();
    this.show(to, isFirst || to === undefined);
  };

  readonly toggle = (): void => (this.state.playing ? this.pause() : this.play());

  /** Plays from the play-head, or from the start if it is at the end. */
  readonly play = (): void => {
    if (this.source === undefined || this.state.playing) return;
    this.exact = this.head ?? 0;
    this.last = this.host.now();
    this.gaps = idleGaps(this.eventTimes());
    this.set({ playing: true, moving: true });
    this.show(this.exact, true);
    this.cancelFrame ??= this.host.frame(this.tick);
  };

  readonly pause = (): void => {
    this.cancelFrame?.();
    this.cancelFrame = undefined;
    if (!this.state.playing) return;
    this.state = { ...this.state, playing: false, moving: false };
    this.publish();
  };

  readonly setSpeed = (speed: Speed): void => this.set({ speed });

  readonly setSkipsIdle = (skipsIdle: boolean): void => this.set({ skipsIdle });

  /** Ends frames and timers. */
  readonly stop = (): void => {
    this.pause();
    this.cancelNotify?.();
    this.cancelSettle?.();
    this.cancelNotify = undefined;
    this.cancelSettle = undefined;
  };

  private readonly tick = (): void => {
    this.cancelFrame = undefined;
    const { source } = this;
    if (source === undefined || !this.state.playing) return;
    const now = this.host.now();
    this.exact = advance(this.exact, now - this.last, this.state.speed, this.state.skipsIdle ? this.gaps : []);
    this.last = now;
    if (this.exact >= source.now()) {
      this.seek(undefined);
      return;
    }
    this.show(this.host.still() ? this.lastEvent() : this.exact, false);
    this.cancelFrame = this.host.frame(this.tick);
  };

  private lastEvent(): number {
    return nextTime(this.eventTimes(), this.exact + 1, -1) ?? 0;
  }

  /** Shows a moment to the frame listeners now, and to the others at once or soon. */
  private show(moment: number | undefined, atOnce: boolean): void {
    if (moment !== undefined && moment === this.head && !atOnce) return;
    this.head = moment;
    const trace = this.source?.trace;
    if (moment !== undefined && trace !== undefined) {
      if (this.Moments === undefined) void this.load();
      else if (this.view?.of !== trace) this.view = { of: trace, at: new this.Moments(trace) };
      this.view?.at.seek(moment);
    }
    for (const listener of this.frameListeners) listener();
    if (atOnce) this.publish();
    else
      this.cancelNotify ??= this.host.after(Math.max(notifyMs, Math.min(this.renderMs / renderShare, longestMs)), () =>
        this.publish(),
      );
  }

  private publish(): void {
    this.cancelNotify?.();
    this.cancelNotify = undefined;
    const began = this.host.now();
    this.set({ moment: this.head, shown: this.head === undefined ? undefined : this.view?.at.trace });
    this.renderMs = this.host.now() - began;
    // React renders for a store in a microtask of its own, which comes before this one.
    queueMicrotask(() => {
      this.renderMs = this.host.now() - began;
    });
  }

  /** Counts as moving for a while after each seek by hand. */
  private touch(): void {
    this.cancelSettle?.();
    this.cancelSettle = this.host.after(settleMs, () => {
      this.cancelSettle = undefined;
      if (this.state.moving && !this.state.playing) this.set({ moving: false });
    });
    if (this.state.moving) return;
    this.state = { ...this.state, moving: true };
  }

  private set(part: Partial<ReplayState>): void {
    this.state = { ...this.state, ...part, version: this.state.version + 1 };
    for (const listener of this.listeners) listener();
  }
}
