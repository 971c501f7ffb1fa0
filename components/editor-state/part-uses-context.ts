'use client';

import { createContext, use } from 'react';
import { useStore } from 'zustand';
import type { PartUsesSession, PartUsesState } from '@/lib/editor/part-uses';

export const PartUsesContext = createContext<PartUsesSession | undefined>(undefined);

function usePartUsesSession(): PartUsesSession {
  const session = use(PartUsesContext);
  if (session === undefined) throw new Error('Bug: uses of parts outside their project');
  return session;
}

export function usePartUses<T>(read: (state: PartUsesState) => T): T {
  return useStore(usePartUsesSession().store, read);
}

export function usePartUsesActions(): PartUsesSession['actions'] {
  return usePartUsesSession().actions;
}
