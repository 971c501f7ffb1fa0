'use client';

import { createContext, use } from 'react';
import { useStore } from 'zustand';
import type { HookBench, HookBenchState } from '@/lib/editor/hook-bench';

export const HookBenchContext = createContext<HookBench | undefined>(undefined);

function useHookBench(): HookBench {
  const bench = use(HookBenchContext);
  if (bench === undefined) throw new Error('Bug: the hook bench outside its project');
  return bench;
}

export function useBench<T>(read: (state: HookBenchState) => T): T {
  return useStore(useHookBench().store, read);
}

export function useBenchActions(): HookBench['actions'] {
  return useHookBench().actions;
}
