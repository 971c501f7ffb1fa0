'use client';

import { useMemo } from 'react';
import { shares } from '@/lib/trace/analysis/activity-sweep';
import type { Analysis, PathStep } from '@/lib/trace/analysis/analyse';
import { runStart, startPhases } from '@/lib/trace/analysis/start-phases';
import type { Trace } from '@/lib/trace/trace';
import { ShareBar } from './share-bar';
import { phaseLooks, shareLooks } from './share-look';

/** Says where the time of the run went: in the whole run, on the critical path, and before the first step. */
export function Summary(props: {
  readonly trace: Trace;
  readonly version: number;
  readonly now: number;
  readonly analysis: Analysis;
  readonly createdAt: number | undefined;
  /** True if only the window in view is summed. A window does not say when the run began. */
  readonly isPart: boolean;
}) {
  const { trace, version, now, analysis, createdAt, isPart } = props;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the trace changes in place; its version says when
  const { phases } = useMemo(() => runStart(trace, createdAt, now), [trace, version, createdAt]);
  const path = useMemo(() => timeByShare(analysis.path), [analysis]);
  return (
    <div className="flex flex-col gap-4">
      <ShareBar
        title={isPart ? 'Window in view' : 'Whole run'}
        note="Each moment counts once; steps that run at the same time share it"
        parts={shares.map((key) => ({ key, ...shareLooks[key], time: analysis.occupancy[key] }))}
      />
      <ShareBar
        title="Critical path"
        note={isPart ? 'The steps that the end of the window waited for' : 'The steps that made the run this long'}
        parts={shares.map((key) => ({ key, ...shareLooks[key], time: path[key] ?? 0 }))}
      />
      {!isPart && (
        <ShareBar
          title="Before the first step"
          parts={startPhases.map((key) => ({ key, ...phaseLooks[key], time: phases[key] }))}
        />
      )}
    </div>
  );
}

function timeByShare(path: readonly PathStep[]): Readonly<Record<string, number>> {
  const sums: Record<string, number> = {};
  for (const { activity, from, to } of path) {
    const share = activity ?? 'idle';
    sums[share] = (sums[share] ?? 0) + to - from;
  }
  return sums;
}
