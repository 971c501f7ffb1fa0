import type { Clock } from '@/lib/base/clock';
import type { EventSink } from '@/lib/runtime/record/event-sink';
import type { EventBody, ModelDelta, RunEvent } from '@/lib/runtime/record/events';

export interface CollectedEvents extends EventSink {
  readonly events: RunEvent[];
  readonly deltas: ModelDelta[];
  /** Returns the events of one kind, in order. */
  of<K extends EventBody['kind']>(kind: K): Extract<RunEvent, { kind: K }>[];
}

/** Makes an event sink that keeps all events in memory. `after` is the last seq of a resumed run. */
export function collectEvents(clock: Clock, after = 0): CollectedEvents {
  const events: RunEvent[] = [];
  const deltas: ModelDelta[] = [];
  return {
    events,
    deltas,
    append(body) {
      const event: RunEvent = { seq: after + events.length + 1, at: clock.now(), ...body };
      events.push(event);
    },
    delta(delta) {
      deltas.push(delta);
    },
    flush: () => Promise.resolve(),
    of<K extends EventBody['kind']>(kind: K) {
      return events.filter((event): event is Extract<RunEvent, { kind: K }> => event.kind === kind);
    },
  };
}
