import { createContext, useContext } from 'react';

/**
 * What the page of a run shows: all of it (`whole`), the run without ways into its project (`run`), or neither these nor any text of it
 * (`bare`). The server decides; the page only leaves out what it would not get.
 */
export type RunSight = 'whole' | 'run' | 'bare';

export const RunSightContext = createContext<RunSight>('whole');

export function useRunSight(): RunSight {
  return useContext(RunSightContext);
}
