'use client';

import { SkipForward, StepBack, StepForward } from 'lucide-react';
import { IconButton } from '@/components/ui/icon-button';
import { turningPoints } from '@/lib/trace/moment';
import type { Trace } from '@/lib/trace/trace';
import { formatDuration } from '@/lib/trace/wording';

export interface MomentBarProps {
  readonly trace: Trace;
  /** Microseconds since the origin. `undefined` means the end, or now while the run goes on. */
  readonly moment: number | undefined;
  readonly onMoment: (moment: number | undefined) => void;
}

/** The slider has this many steps for the whole run. */
const steps = 200;

/**
 * Moves the play-head by keys and by pointer. A slider covers the run, and two buttons step to each moment at which
 * something began or ended.
 */
export function MomentBar({ trace, moment, onMoment }: MomentBarProps) {
  const end = Math.max(trace.lastAt, 1);
  const step = Math.max(1, Math.floor(end / steps));
  const live = trace.run.status === undefined;
  const shown = Math.min(moment ?? end, end);
  const last = live ? 'now' : 'the end';
  const goTo = (next: number | undefined) => onMoment(next === undefined || next >= end ? undefined : next);
  const points = turningPoints(trace);
  return (
    <div className="flex h-9 shrink-0 items-center gap-1 border-b px-2 text-xs">
      <IconButton
        size="sm"
        label="Previous change"
        icon={<StepBack aria-hidden />}
        disabled={!points.some((point) => point < shown)}
        onClick={() => goTo(points.findLast((point) => point < shown))}
      />
      <IconButton
        size="sm"
        label="Next change"
        icon={<StepForward aria-hidden />}
        disabled={moment === undefined}
        onClick={() => goTo(points.find((point) => point > shown))}
      />
      <IconButton
        size="sm"
        label={live ? 'Follow the run' : 'The end'}
        icon={<SkipForward aria-hidden />}
        disabled={moment === undefined}
        onClick={() => onMoment(undefined)}
      />
      <input
        type="range"
        aria-label="Moment of the run"
        aria-valuetext={moment === undefined ? last : `${formatDuration(shown)} of ${formatDuration(end)}`}
        min={0}
        max={end}
        step={step}
        value={shown}
        onChange={(event) => {
          const next = event.currentTarget.valueAsNumber;
          goTo(next + step > end ? undefined : next);
        }}
        className="h-4 min-w-0 flex-1 cursor-pointer accent-accent"
      />
      <span className="w-16 shrink-0 text-right text-muted tabular-nums">
        {moment === undefined ? (live ? 'Now' : 'End') : formatDuration(shown)}
      </span>
    </div>
  );
}
