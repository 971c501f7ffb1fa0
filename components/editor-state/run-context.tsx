'use client';

import { createContext, use } from 'react';
import { useStore } from 'zustand';
import type { RunSession, RunSessionState } from '@/lib/editor/run-session';

export const RunContext = createContext<RunSession | undefined>(undefined);

function useRunSession(): RunSession {
  const session = use(RunContext);
  if (session === undefined) throw new Error('Bug: the run dock outside its project');
  return session;
}

export function useRun<T>(read: (state: RunSessionState) => T): T {
  return useStore(useRunSession().store, read);
}

export function useRunActions(): RunSession['actions'] {
  return useRunSession().actions;
}
