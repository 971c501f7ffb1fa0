'use client';

import { useEffect, useRef, useState } from 'react';
import type { Analysis } from '@/lib/trace/analysis/analyse';
import { runColumns } from '@/lib/trace/analysis/run-columns';
import { columnsInWindow } from '@/lib/trace/analysis/window-columns';
import type { Trace } from '@/lib/trace/trace';
import type { Stretch } from '@/lib/trace/window-trace';
import type { AnalysisDone } from './analysis-worker';

export interface LoadedAnalysis {
  /** The latest analysis. While a run goes on it is a little behind. */
  readonly analysis: Analysis | undefined;
  /** The part of the run that it is about; `undefined` for the whole. */
  readonly window: Stretch | undefined;
  /** The milliseconds that it took in the worker. */
  readonly ms: number | undefined;
  /** True if the worker cannot be started, or failed. */
  readonly failed: boolean;
}

/** While a run goes on, an analysis begins this long after the one before has arrived, so that it never takes a whole core. */
const restMs = 1_000;

/** Analyses the run, or a part of it, in a web worker, again when the trace or the part has changed. */
export function useAnalysis(
  trace: Trace,
  version: number,
  now: () => number,
  window: Stretch | undefined,
): LoadedAnalysis {
  const [loaded, setLoaded] = useState<LoadedAnalysis>({
    analysis: undefined,
    window: undefined,
    ms: undefined,
    failed: false,
  });
  const asked = useRef<{ trace: Trace; version: number; window: Stretch | undefined } | undefined>(undefined);
  const latest = useRef({ trace, version, now, window });
  latest.current = { trace, version, now, window };
  const start = useRef<(() => void) | undefined>(undefined);

  useEffect(() => {
    const worker = new Worker(new URL('./analysis-worker.ts', import.meta.url), { type: 'module' });
    let busy = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const ask = () => {
      const { trace, version, now, window } = latest.current;
      const before = asked.current;
      if (busy || (before?.trace === trace && before.version === version && before.window === window)) return;
      busy = true;
      asked.current = { trace, version, window };
      const whole = runColumns(trace, now());
      const run = window === undefined ? whole : columnsInWindow(whole, window);
      worker.postMessage(run, [run.start.buffer, run.end.buffer, run.belowAt.buffer, run.belowFor.buffer]);
    };
    worker.onmessage = ({ data }: MessageEvent<AnalysisDone>) => {
      setLoaded({ ...data, window: asked.current?.window, failed: false });
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
  useEffect(() => start.current?.(), [trace, version, window]);
  return loaded;
}
