'use client';

import { useEffect, useRef, useState } from 'react';
import type { Analysis } from '@/lib/trace/analysis/analyse';
import { runColumns } from '@/lib/trace/analysis/run-columns';
import type { Trace } from '@/lib/trace/trace';
import type { AnalysisDone } from './analysis-worker';

export interface LoadedAnalysis {
  /** The latest analysis. While a run goes on it is a little behind. */
  readonly analysis: Analysis | undefined;
  /** The milliseconds that it took in the worker. */
  readonly ms: number | undefined;
  /** True if the worker cannot be started, or failed. */
  readonly failed: boolean;
}

/** While a run goes on, an analysis begins this long after the one before has arrived, so that it never takes a whole core. */
const restMs = 1_000;

/** Analyses the run in a web worker, again when the trace has changed. */
export function useAnalysis(trace: Trace, version: number, now: () => number): LoadedAnalysis {
  const [loaded, setLoaded] = useState<LoadedAnalysis>({ analysis: undefined, ms: undefined, failed: false });
  const asked = useRef<{ trace: Trace; version: number } | undefined>(undefined);
  const latest = useRef({ trace, version, now });
  latest.current = { trace, version, now };
  const start = useRef<(() => void) | undefined>(undefined);

  useEffect(() => {
    const worker = new Worker(new URL('./analysis-worker.ts', import.meta.url), { type: 'module' });
    let busy = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const ask = () => {
      const { trace, version, now } = latest.current;
      if (busy || (asked.current?.trace === trace && asked.current.version === version)) return;
      busy = true;
      asked.current = { trace, version };
      const run = runColumns(trace, now());
      worker.postMessage(run, [run.start.buffer, run.end.buffer, run.belowAt.buffer, run.belowFor.buffer]);
    };
    worker.onmessage = ({ data }: MessageEvent<AnalysisDone>) => {
      setLoaded({ ...data, failed: false });
      timer = setTimeout(() => {
        busy = false;
        ask();
      }, restMs);
    };
    worker.onerror = () => setLoaded((before) => ({ ...before, failed: true }));
    start.current = ask;
    ask();
    return () => {
      clearTimeout(timer);
      worker.terminate();
      start.current = undefined;
      asked.current = undefined;
    };
  }, []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the trace changes in place; its version says when
  useEffect(() => start.current?.(), [trace, version]);
  return loaded;
}
