import { useEffect, useMemo, useState } from 'react';
import type { ActionResult } from '@/app/action';
import { callAction } from '@/app/call-action';
import type { RunScores } from '@/components/scores/scores-context';
import type { Score } from '@/lib/base/score';
import { score, unscore } from './score-actions';

/** Keeps the scores of a run as the page got them, and after each change as the server has them. */
export function useRunScores(run: string, me: string, loaded: readonly Score[]): RunScores {
  const [all, setAll] = useState(loaded);
  useEffect(() => setAll(loaded), [loaded]);
  return useMemo(() => {
    const change = async (ask: () => Promise<ActionResult<readonly Score[]>>) => {
      const answer = await callAction(ask);
      if (answer.ok) setAll(answer.value);
      return answer.ok ? undefined : answer.message;
    };
    return {
      all,
      me,
      give: (said) => change(() => score({ run, said: { ...said } })),
      remove: (id) => change(() => unscore({ run, score: id })),
    };
  }, [all, me, run]);
}
