import type { EpochMs } from '@/lib/base/ids';
import type { Json } from '@/lib/base/json';
import type { RunEvent } from '@/lib/runtime/record/events';

/** A value of a key in an instance's state. It may have been refused. */
export interface StateValue {
  readonly seq: number;
  readonly at: EpochMs;
  readonly value: Json;
  /** The path of the instance that wrote it; `undefined` if it was there at the start. */
  readonly by: string | undefined;
  readonly outcome: 'committed' | 'discarded' | 'refused';
  readonly reason: string | undefined;
}

export interface StateKey {
  readonly key: string;
  /** The values, oldest first. The last committed one is current. */
  readonly values: readonly StateValue[];
}

export interface InstanceState {
  readonly path: string;
  readonly keys: readonly StateKey[];
}

/**
 * Returns the state of each instance over time, from its `instance.started` and `state.changed` events, in the order they
 * came. Other events are ignored.
 */
export function stateHistory(events: readonly RunEvent[]): readonly InstanceState[] {
  const instances = new Map<string, Map<string, StateValue[]>>();
  const add = (path: string, delta: { readonly [key: string]: Json }, rest: Omit<StateValue, 'value'>) => {
    const keys = instances.get(path) ?? new Map<string, StateValue[]>();
    instances.set(path, keys);
    for (const [key, value] of Object.entries(delta)) {
      const values = keys.get(key);
      if (values === undefined) keys.set(key, [{ ...rest, value }]);
      else values.push({ ...rest, value });
    }
  };
  for (const event of [...events].sort((a, b) => a.seq - b.seq)) {
    const { seq, at } = event;
    if (event.kind === 'instance.started' && event.state !== undefined) {
      add(event.path, event.state, { seq, at, by: undefined, outcome: 'committed', reason: undefined });
    } else if (event.kind === 'state.changed') {
      const { outcome, reason } = event;
      add(event.path, event.delta, { seq, at, by: event.from ?? event.path, outcome, reason });
    }
  }
  return [...instances].map(([path, keys]) => ({
    path,
    keys: [...keys].map(([key, values]) => ({ key, values })),
  }));
}
