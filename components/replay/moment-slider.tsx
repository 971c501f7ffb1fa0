'use client';

import { type KeyboardEvent, useEffect, useMemo, useRef } from 'react';
import { evenScale, type TimeScale } from '@/components/timeline/time-scale';
import { eventTimes, type IdleGap, idleGaps } from '@/lib/trace/moment-steps';
import type { Trace } from '@/lib/trace/trace';
import { formatDuration } from '@/lib/trace/wording';
import type { Replay, ReplayState } from './replay';

export interface MomentSliderProps {
  readonly replay: Replay;
  readonly state: ReplayState;
  /** The whole run, as far as it is known. */
  readonly trace: Trace;
  readonly version: number;
  /** Returns the end of the run so far, in microseconds since the origin. */
  readonly now: () => number;
  readonly live: boolean;
  /** How the axis of the run draws its time. The slider has the same places. */
  readonly scale?: TimeScale | undefined;
}

/** The slider has this many steps by key for the whole run. */
const keySteps = 200;
/** At most this many stretches and failures are marked, the rest share their places. */
const mostMarks = 200;

/**
 * Moves the play-head by pointer and by keys. Stretches that a replay shortens are hatched, and failures up to the play-head
 * are marked.
 */
export function MomentSlider({ replay, state, trace, version, now, live, scale = evenScale }: MomentSliderProps) {
  const input = useRef<HTMLInputElement>(null);
  const fill = useRef<HTMLDivElement>(null);
  const thumb = useRef<HTMLDivElement>(null);
  const { moment, skipsIdle } = state;
  const end = Math.max(now(), 1);
  /** The places on the slider are in drawn time. */
  const whole = scale.drawn(end);
  const marksGaps = skipsIdle && !live;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the trace changes in place; its version says when
  const gaps = useMemo(
    () => (marksGaps ? idleGaps(eventTimes(trace)).slice(0, mostMarks) : []),
    [trace, version, marksGaps],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: as above
  const failures = useMemo(() => failureTimes(trace, end, scale), [trace, version, end, scale]);

  useEffect(() => {
    const show = () => {
      const at = replay.at();
      const last = Math.max(now(), 1);
      const place = scale.drawn(at ?? last);
      const share = `${Math.min(place / scale.drawn(last), 1) * 100}%`;
      if (input.current !== null) input.current.value = String(Math.round(place));
      if (fill.current !== null) fill.current.style.width = share;
      if (thumb.current !== null) thumb.current.style.left = share;
    };
    show();
    return replay.onFrame(show);
  });

  const onKeyDown = (event: KeyboardEvent) => {
    const step = keyStep(event.key);
    if (step === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    replay.seek(scale.time(Math.max(scale.drawn(replay.at() ?? now()) + step * (whole / keySteps), 0)));
  };
  const shown = Math.min(moment ?? end, end);
  const words =
    moment === undefined ? (live ? 'now' : 'the end') : `${formatDuration(shown)} of ${formatDuration(end)}`;
  return (
    <div className="group relative mx-2 h-6 min-w-24 flex-1 max-sm:order-last max-sm:mx-1 max-sm:basis-full">
      <div className="absolute inset-x-0 top-2.5 h-1 rounded-full bg-line-strong" />
      <div ref={fill} className="absolute top-2.5 left-0 h-1 rounded-full bg-accent" />
      <SliderMarks
        gaps={gaps.map(({ from, to }) => ({ from: scale.drawn(from), to: scale.drawn(to) }))}
        failures={failures.filter((at) => at <= shown).map((at) => scale.drawn(at))}
        end={whole}
      />
      <div
        ref={thumb}
        aria-hidden
        className="absolute top-1.5 size-3 -translate-x-1/2 rounded-full border-2 border-accent bg-surface shadow-xs transition-transform duration-100 group-hover:scale-115 motion-reduce:transition-none"
      />
      <input
        ref={input}
        type="range"
        aria-label="Moment of the run"
        aria-valuetext={words}
        min={0}
        max={Math.round(whole)}
        step={1}
        defaultValue={Math.round(scale.drawn(shown))}
        onChange={(event) => {
          const at = event.currentTarget.valueAsNumber;
          replay.seek(at >= Math.round(whole) ? undefined : scale.time(at));
        }}
        onKeyDown={onKeyDown}
        className="absolute inset-0 m-0 w-full cursor-pointer opacity-0"
      />
      <div className="pointer-events-none absolute -inset-x-1 inset-y-0 rounded group-has-focus-visible:outline-2 group-has-focus-visible:outline-accent" />
    </div>
  );
}

/** Marks stretches without events, and moments at which a step failed. Times are drawn time. */
function SliderMarks(props: {
  readonly gaps: readonly IdleGap[];
  readonly failures: readonly number[];
  readonly end: number;
}) {
  const percent = (time: number) => `${(time / props.end) * 100}%`;
  return (
    <>
      {props.gaps.map(({ from, to }) => (
        <div
          key={from}
          aria-hidden
          className="absolute top-1.5 h-3 rounded-xs border-muted border-x bg-[repeating-linear-gradient(135deg,var(--surface)_0_2px,var(--faint)_2px_4px)]"
          style={{ left: percent(from), width: percent(to - from) }}
        />
      ))}
      {props.failures.map((at) => (
        <div
          key={at}
          aria-hidden
          className="absolute top-0.5 h-1.5 w-0.5 rounded-full bg-bad"
          style={{ left: percent(at) }}
        />
      ))}
    </>
  );
}

function keyStep(key: string): number | undefined {
  switch (key) {
    case 'ArrowRight':
    case 'ArrowUp':
      return 1;
    case 'ArrowLeft':
    case 'ArrowDown':
      return -1;
    case 'PageUp':
      return keySteps / 10;
    case 'PageDown':
      return -keySteps / 10;
    default:
      return undefined;
  }
}

/** Returns the times at which steps failed, at most one for each place of the slider. */
function failureTimes({ spans }: Trace, end: number, scale: TimeScale): readonly number[] {
  const places = new Map<number, number>();
  for (let span = 0; span < spans.length; span++) {
    const status = spans.statusOf(span);
    if (status !== 'error' && status !== 'timeout') continue;
    const at = spans.end.at(span);
    const place = Math.floor((scale.drawn(at) / scale.drawn(end)) * mostMarks);
    if (!places.has(place)) places.set(place, at);
  }
  return [...places.values()];
}
