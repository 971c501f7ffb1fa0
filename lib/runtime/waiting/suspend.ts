import type { Clock } from '@/lib/base/clock';
import type { PeoplePort } from '@/lib/runtime/ports';
import type { EventSink } from '@/lib/runtime/record/event-sink';
import type { Scope } from '@/lib/runtime/scope';

/**
 * Calls `suspend` once when only people have been waited for, without a break, as long as `people.holdMs()` says.
 *
 *   works ──┐ waits ──┐ works ─┐ waits ───────── hold time ─┐
 *           └ timer   └ stop   └ timer                      └ suspend
 *
 * A run that is held is not suspended. Every wait begins with a sleep, also one of 0 ms: what a promise has already started by then is counted. Returns a function that
 * ends the watch.
 */
export function suspendWhenWaiting(people: PeoplePort, clock: Clock, scope: Scope, suspend: () => void): () => void {
  let waiting: AbortController | undefined;
  const hold = async (signal: AbortSignal) => {
    const from = clock.now();
    for (;;) {
      await clock.sleep(Math.max(0, people.holdMs() - (clock.now() - from)), signal);
      if (signal.aborted || scope.reason) return;
      if (clock.now() - from < people.holdMs()) continue;
      // It works again before it can be suspended, and then a new wait begins.
      if (scope.isHeld) return;
      leave();
      suspend();
      return;
    }
  };
  const stopWaiting = () => {
    waiting?.abort();
    waiting = undefined;
  };
  const unsubscribe = scope.onWaiting((isWaiting) => {
    stopWaiting();
    if (!isWaiting) return;
    waiting = new AbortController();
    void hold(waiting.signal);
  });
  const leave = () => {
    unsubscribe();
    stopWaiting();
  };
  return leave;
}

/** A sink that can be closed. After that it drops what it gets, and a flush resolves at once. */
export interface ClosableSink extends EventSink {
  close(): void;
  readonly isClosed: boolean;
}

export function closableSink(events: EventSink): ClosableSink {
  let isClosed = false;
  const { delta } = events;
  return {
    append(body) {
      if (!isClosed) events.append(body);
    },
    ...(delta && {
      delta: (piece) => {
        if (!isClosed) events.delta?.(piece);
      },
    }),
    flush: () => (isClosed ? Promise.resolve() : events.flush()),
    close() {
      isClosed = true;
    },
    get isClosed() {
      return isClosed;
    },
  };
}
