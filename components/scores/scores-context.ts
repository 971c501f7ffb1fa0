import { createContext, useContext } from 'react';
import type { NewScore, Score } from '@/lib/base/score';

/** The scores of the run of a page, and what changes them. */
export interface RunScores {
  readonly all: readonly Score[];
  /** The author of what is given here. */
  readonly me: string;
  /** Resolves to `undefined`, or to a sentence that says why the request failed. */
  readonly give: (said: NewScore) => Promise<string | undefined>;
  readonly remove: (id: string) => Promise<string | undefined>;
}

/** Without it, a page shows no scores: those of a share link, and a run in the dock of an editor. */
export const ScoresContext = createContext<RunScores | undefined>(undefined);

export function useScores(): RunScores | undefined {
  return useContext(ScoresContext);
}
