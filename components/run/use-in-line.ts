'use client';

import { useEffect, useState } from 'react';
import { isRunInLine } from '@/lib/client/runs';

/** How often it is asked whether the run still waits in line. */
const askMs = 2_000;

/**
 * Returns true if a run waits until the turn before it in its conversation has ended. It is asked for while `isQueued`, because the
 * run has no events then that could tell.
 */
export function useInLine(runId: string, isQueued: boolean): boolean {
  const [isInLine, setInLine] = useState(false);
  useEffect(() => {
    if (!isQueued) return;
    const stop = new AbortController();
    // A request that failed changes nothing on the screen, and the next one follows.
    const ask = () => void isRunInLine(runId, stop.signal).then(setInLine, () => undefined);
    ask();
    const timer = setInterval(ask, askMs);
    return () => {
      clearInterval(timer);
      stop.abort();
    };
  }, [runId, isQueued]);
  return isQueued && isInLine;
}
