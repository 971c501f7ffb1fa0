import { useMemo } from 'react';
import type { LeftOut } from '@/lib/base/left-out';
import { isThere } from '@/lib/cards/project/without-left-out';
import { partsThere } from '@/lib/editor/leave-out';
import { useProject } from './project-context';
import { useRun } from './run-context';

/** Returns the chosen agent of the next run, if the project has it. `undefined` stands for the entry agent. */
export function useChosenAgent(): string | undefined {
  const agent = useRun((state) => state.agent);
  return useProject(({ picture }) => partsThere(picture.drawn, { agent, leftOut: [] }).agent);
}

/** Returns what the next run leaves out of the things that the project has. */
export function useLeftOutThere(): readonly LeftOut[] {
  const leftOut = useRun((state) => state.leftOut);
  const drawn = useProject((state) => state.picture.drawn);
  return useMemo(() => leftOut.filter((one) => isThere(drawn, one)), [leftOut, drawn]);
}

/** True if the next run leaves something out that the project has. */
export function useLeavesOut(): boolean {
  const leftOut = useRun((state) => state.leftOut);
  return useProject(({ picture }) => leftOut.some((one) => isThere(picture.drawn, one)));
}
