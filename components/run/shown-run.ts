'use client';

import { createContext, use } from 'react';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import type { NodeId } from '@/lib/graph/graph';
import type { LiveTrace } from './use-run';

/** The run that the dock of the editor follows, for the parts of the page that show its values. */
export interface ShownRun {
  readonly runId: string | undefined;
  readonly run: LiveTrace | undefined;
  /** The hook whose calls were asked for, in place of those of its agent. */
  readonly hook: { readonly agent: NodeId; readonly id: string } | undefined;
}

export type ShownRunStore = ReturnType<typeof createShownRun>;

export function createShownRun() {
  return createStore<ShownRun>(() => ({ runId: undefined, run: undefined, hook: undefined }));
}

export const ShownRunContext = createContext<ShownRunStore | undefined>(undefined);

export function useShownRunStore(): ShownRunStore {
  const store = use(ShownRunContext);
  if (store === undefined) throw new Error('Bug: a part of the editor outside its project');
  return store;
}

/** Returns the run with this id, or `undefined` until it is followed. It renders again whenever the run changes. */
export function useShownRun(runId: string | undefined): LiveTrace | undefined {
  return useStore(useShownRunStore(), (state) => (state.runId === runId ? state.run : undefined));
}

/** Returns the hook of an agent whose calls were asked for. */
export function useShownHook(agent: NodeId | undefined): string | undefined {
  return useStore(useShownRunStore(), ({ hook }) => (hook?.agent === agent ? hook?.id : undefined));
}
