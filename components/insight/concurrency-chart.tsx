'use client';

import { useMemo } from 'react';
import { concurrencyBins } from '@/lib/trace/analysis/activity-sweep';
import type { Analysis } from '@/lib/trace/analysis/analyse';
import { formatDuration } from '@/lib/trace/wording';

const bins = 240;

/** Shows how many model calls, tools and hooks ran at once over the run, and how many instances waited for a permit. */
export function ConcurrencyChart({ analysis }: { readonly analysis: Analysis }) {
  const { concurrency, length } = analysis;
  const shown = useMemo(() => concurrencyBins(concurrency, length, bins), [concurrency, length]);
  const top = shown.reduce((most, { model, tool, waiting }) => Math.max(most, model + tool + waiting), 1);
  const waits = concurrency.waiting.reduce((most, count) => Math.max(most, count), 0);
  const words = `At most ${concurrency.most} at once${waits > 0 ? `, and ${waits} waited for a permit` : ''}`;
  return (
    <section aria-label="At once" className="min-w-0">
      <h3 className="flex flex-wrap items-baseline gap-x-2 font-medium text-ink text-xs">
        At once
        <span className="font-normal text-muted tabular-nums">{words}</span>
        <span className="font-normal text-faint">
          Model calls, tools and hooks from the start to the end of the run
        </span>
      </h3>
      <svg
        role="img"
        aria-label={`Steps that ran at once. ${words}.`}
        viewBox={`0 0 ${bins} ${top}`}
        preserveAspectRatio="none"
        className="mt-1.5 block h-12 w-full rounded-sm bg-sunken"
      >
        {shown.map(({ model, tool, waiting }, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: stretches of time, in order
          <g key={i}>
            <rect x={i} width={1.02} y={top - model} height={model} className="fill-model" />
            <rect x={i} width={1.02} y={top - model - tool} height={tool} className="fill-server" />
            <rect
              x={i}
              width={1.02}
              y={top - model - tool - waiting}
              height={waiting}
              className="fill-queued opacity-50"
            />
          </g>
        ))}
      </svg>
      <div aria-hidden className="flex justify-between pt-0.5 text-2xs text-faint tabular-nums">
        <span>0</span>
        <span>{formatDuration(length)}</span>
      </div>
    </section>
  );
}
