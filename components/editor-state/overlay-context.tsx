'use client';

import { createContext, use } from 'react';
import { useStore } from 'zustand';
import type { OverlayStore, RunOverlay } from '@/lib/editor/run-overlay';

export const OverlayContext = createContext<OverlayStore | undefined>(undefined);

export function useOverlayStore(): OverlayStore {
  const store = use(OverlayContext);
  if (store === undefined) throw new Error('Bug: a part of the editor outside its project');
  return store;
}

/** Reads one value of the shown run. It is separate from the document, so that a run redraws only marks. */
export function useOverlay<T>(read: (overlay: RunOverlay) => T): T {
  return useStore(useOverlayStore(), read);
}
