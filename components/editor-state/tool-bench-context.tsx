'use client';

import { createContext, use } from 'react';
import { useStore } from 'zustand';
import type { ToolBench, ToolBenchState } from '@/lib/editor/tool-bench';

export const ToolBenchContext = createContext<ToolBench | undefined>(undefined);

function useBenchOfTools(): ToolBench {
  const bench = use(ToolBenchContext);
  if (bench === undefined) throw new Error('Bug: the tool bench outside its project');
  return bench;
}

export function useToolBench<T>(read: (state: ToolBenchState) => T): T {
  return useStore(useBenchOfTools().store, read);
}

export function useToolBenchActions(): ToolBench['actions'] {
  return useBenchOfTools().actions;
}
