'use client';

import { useEffect, useRef, useState } from 'react';
import type { LiveTrace } from '@/components/run/use-run';
import { loadDigests } from '@/lib/client/compare-runs';

export interface LoadedDigests {
  /** Those of the events so far; `undefined` until the first have arrived. */
  readonly digests: Uint32Array | undefined;
  /** The number of events whose digests have arrived. */
  readonly loaded: number;
  /** A sentence that says why they could not be loaded. */
  readonly error: string | undefined;
}

const againMs = 1_500;

/** Loads what the comparison of contents needs of a run, and what follows while the run goes on. */
export function useDigests(runId: string, { trace, phase }: LiveTrace): LoadedDigests {
  const [loaded, setLoaded] = useState<Omit<LoadedDigests, 'loaded'>>({ digests: undefined, error: undefined });
  const [count, setCount] = useState(0);
  const known = useRef(new Uint32Array());
  const [round, setRound] = useState(0);
  const isReady = phase !== 'loading' && phase !== 'failed';
  const ended = trace.run.status !== undefined;

  // biome-ignore lint/correctness/useExhaustiveDependencies: `round` and `ended` ask for more
  useEffect(() => {
    if (!isReady) return;
    const stop = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const later = () => {
      if (!ended && !stop.signal.aborted) timer = setTimeout(() => setRound((before) => before + 1), againMs);
    };
    const keep = (digests: Uint32Array<ArrayBuffer>) => {
      known.current = digests;
      setCount(digests.length);
    };
    loadDigests(runId, known.current, stop.signal, keep).then(
      () => {
        // All at once, because each change compares the runs again.
        setLoaded({ digests: known.current, error: undefined });
        later();
      },
      (error: unknown) => {
        if (stop.signal.aborted) return;
        setLoaded((before) => ({ ...before, error: error instanceof Error ? error.message : 'Try again later.' }));
        later();
      },
    );
    return () => {
      stop.abort();
      clearTimeout(timer);
    };
  }, [runId, isReady, ended, round]);
  return { ...loaded, loaded: count };
}
