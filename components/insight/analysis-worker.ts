import { type Analysis, analyse } from '@/lib/trace/analysis/analyse';
import type { RunColumns } from '@/lib/trace/analysis/run-columns';

/** The answer of the web worker that use-analysis.ts starts. `ms` is the time that the analysis took. */
export interface AnalysisDone {
  readonly analysis: Analysis;
  readonly ms: number;
}

self.addEventListener('message', ({ data }: MessageEvent<RunColumns>) => {
  const began = performance.now();
  const analysis = analyse(data);
  const done: AnalysisDone = { analysis, ms: performance.now() - began };
  self.postMessage(done);
});
