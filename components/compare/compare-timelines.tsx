'use client';

import { useMemo } from 'react';
import { RunBars } from '@/components/run/run-bars';
import type { LiveTrace } from '@/components/run/use-run';
import type { SpanMark } from '@/components/timeline/span-marks';
import type { RunComparison } from '@/lib/trace/compare/compare-runs';
import { SideMark } from './side-mark';
import type { CompareState } from './use-compare-place';

export interface CompareTimelinesProps {
  readonly runA: LiveTrace;
  readonly runB: LiveTrace;
  readonly compared: RunComparison;
  readonly state: CompareState;
}

/** Shows both runs one above the other, with the same time axis. Selecting a bar selects its partner. */
export function CompareTimelines({ runA, runB, compared, state }: CompareTimelinesProps) {
  const extent = () => Math.max(runA.now(), runB.now());
  const both = { state, compared, extent };
  return (
    <div className="flex h-full min-h-0 flex-col">
      <Side side="a" run={runA} {...both} />
      <Side side="b" run={runB} {...both} />
    </div>
  );
}

interface SideProps {
  readonly side: 'a' | 'b';
  readonly run: LiveTrace;
  readonly extent: () => number;
  readonly compared: RunComparison;
  readonly state: CompareState;
}

function Side({ side, run, extent, compared, state }: SideProps) {
  const marks = useMemo(() => marksOf(side, compared), [side, compared]);
  const isA = side === 'a';
  const letter = side.toUpperCase();
  return (
    <section
      aria-label={`Timeline of ${letter}`}
      className="relative flex min-h-0 flex-1 border-b last:border-b-0 [&>*:last-child]:flex-1"
    >
      <div className="flex w-7 shrink-0 justify-center border-r bg-ground pt-1">
        <SideMark side={side} />
      </div>
      <RunBars
        trace={run.trace}
        version={run.version}
        now={run.now}
        extent={extent}
        live={run.phase === 'live' || run.phase === 'reconnecting'}
        selected={isA ? state.pair.a : state.pair.b}
        onSelect={(span) => state.selectIn(side, span)}
        window={state.window}
        onWindow={state.setWindow}
        view={isA ? state.viewA : state.viewB}
        onView={isA ? state.setViewA : state.setViewB}
        marks={marks}
        compact
      />
    </section>
  );
}

/** So many bars are marked at most. The list of differences has all. */
const mostMarks = 5_000;

/** Puts a flag on the first difference, and a line under each other bar that differs. */
function marksOf(side: 'a' | 'b', { differences }: RunComparison): readonly SpanMark[] {
  const marks = new Map<number, SpanMark>();
  for (const [place, one] of differences.entries()) {
    const span = one[side];
    if (span === undefined || marks.has(span)) continue;
    if (marks.size === mostMarks) break;
    marks.set(
      span,
      place === 0
        ? { span, look: 'flag', paint: 'warn', word: 'First difference' }
        : { span, look: 'line', paint: 'warn' },
    );
  }
  return [...marks.values()];
}
