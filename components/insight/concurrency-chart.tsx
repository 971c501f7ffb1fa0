'use client';

import { useMemo } from 'react';
import type { Analysis } from '@/lib/trace/analysis/analyse';
import { atOnceColumns, atOnceSteps } from '@/lib/trace/at-once';
import type { Trace } from '@/lib/trace/trace';
import { formatDuration } from '@/lib/trace/wording';

const bins = 240;

/** Shows how many model calls and tools ran at once over the run, and how many instances and calls waited. */
export function ConcurrencyChart(props: { readonly trace: Trace; readonly analysis: Analysis; readonly now: number }) {
  const { trace, analysis, now } = props;
  const { from, length } = analysis;
  const to = from + length;
  // The trace changes in place; the analysis is a new one when it has changed enough.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  const { counts, highest, most } = useMemo(
    () => atOnceColumns(atOnceSteps(trace), { from, to, now: Math.max(to, now) }, bins),
    [trace, analysis],
  );
  const waits = counts.waiting.reduce((highestSoFar, count) => Math.max(highestSoFar, count), 0);
  const words = `At most ${most} at once${waits > 0 ? `, and ${waits} waited` : ''}`;
  return (
    <section aria-label="At once" className="min-w-0">
      <h3 className="flex flex-wrap items-baseline gap-x-2 font-medium text-ink text-xs">
        At once
        <span className="font-normal text-muted tabular-nums">{words}</span>
        <span className="font-normal text-faint">Model calls and tools over time</span>
      </h3>
      <svg
        role="img"
        aria-label={`Steps that ran at once. ${words}.`}
        viewBox={`0 0 ${bins} ${highest}`}
        preserveAspectRatio="none"
        shapeRendering="crispEdges"
        className="mt-1.5 block h-12 w-full rounded-sm bg-sunken"
      >
        {Array.from({ length: bins }, (_, i) => {
          const [model = 0, tool = 0, waiting = 0] = [counts.model[i], counts.tool[i], counts.waiting[i]];
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: stretches of time, in order
            <g key={i}>
              <rect x={i} width={1.02} y={highest - model} height={model} className="fill-model" />
              <rect x={i} width={1.02} y={highest - model - tool} height={tool} className="fill-server" />
              <rect
                x={i}
                width={1.02}
                y={highest - model - tool - waiting}
                height={waiting}
                className="fill-queued opacity-50"
              />
            </g>
          );
        })}
      </svg>
      <div aria-hidden className="flex justify-between pt-0.5 text-2xs text-faint tabular-nums">
        <span>{from === 0 ? 0 : formatDuration(from)}</span>
        <span>{formatDuration(to)}</span>
      </div>
    </section>
  );
}
