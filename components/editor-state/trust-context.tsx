'use client';

import { createContext, use } from 'react';
import { useStore } from 'zustand';
import type { TrustSession, TrustSessionState } from '@/lib/editor/trust-session';

export const TrustContext = createContext<TrustSession | undefined>(undefined);

function useTrustSession(): TrustSession {
  const session = use(TrustContext);
  if (session === undefined) throw new Error('Bug: trust outside its project');
  return session;
}

export function useTrust<T>(read: (state: TrustSessionState) => T): T {
  return useStore(useTrustSession().store, read);
}

export function useTrustActions(): TrustSession['actions'] {
  return useTrustSession().actions;
}
