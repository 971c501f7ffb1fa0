'use client';

import { useSyncExternalStore } from 'react';

/**
 * A value that may change in every frame, such as the time window. Only what shows it subscribes, so that a page does not render
 * as a whole for each step of a zoom.
 */
export class Held<T> {
  private readonly listeners = new Set<() => void>();

  constructor(private value: T) {}

  readonly get = (): T => this.value;

  readonly set = (value: T): void => {
    if (Object.is(value, this.value)) return;
    this.value = value;
    for (const listener of this.listeners) listener();
  };

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };
}

export function useHeld<T>(held: Held<T>): T {
  return useSyncExternalStore(held.subscribe, held.get, held.get);
}
