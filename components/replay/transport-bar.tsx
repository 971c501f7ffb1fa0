'use client';

import {
  CircleGauge,
  FastForward,
  LocateFixed,
  Pause,
  Play,
  SkipBack,
  SkipForward,
  StepBack,
  StepForward,
  TriangleAlert,
} from 'lucide-react';
import { type MouseEvent, type ReactNode, useEffect, useMemo, useRef } from 'react';
import { IconButton } from '@/components/ui/icon-button';
import { PlainSelect } from '@/components/ui/plain-select';
import { countErrors } from '@/lib/trace/figures';
import { formatDuration } from '@/lib/trace/wording';
import { MomentSlider, type MomentSliderProps } from './moment-slider';
import { type Replay, type Speed, speeds } from './replay';

export interface TransportBarProps extends MomentSliderProps {
  /** Steps to the next event, of the run or of the chosen instance. */
  readonly onStep: (by: 1 | -1, inLane: boolean) => void;
  readonly onError: (by: 1 | -1) => void;
  readonly onSlowest: () => void;
  /** Draws the list of failures. */
  readonly failures: (hasErrors: boolean) => ReactNode;
  /** True if what is in view follows the play-head. */
  readonly follows: boolean;
  readonly setFollows: (follows: boolean) => void;
}

/** Plays, steps and scrubs the run. Nothing is executed. */
export function TransportBar(props: TransportBarProps) {
  const { replay, state, trace, version, now, live, onStep, onError, onSlowest, failures, follows, setFollows } = props;
  const { moment, playing, skipsIdle } = state;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the trace changes in place; its version says when
  const hasErrors = useMemo(() => countErrors(trace) > 0, [trace, version]);
  const atStart = moment === 0;
  const step = (by: 1 | -1) => (event: MouseEvent) => onStep(by, event.shiftKey);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields
    <div
      role="group"
      aria-label="Replay"
      className="flex min-h-10 shrink-0 flex-wrap items-center gap-x-0.5 gap-y-1 border-b bg-surface px-2 py-1 text-xs sm:px-3"
    >
      <IconButton
        size="sm"
        label="Start"
        keys="Home"
        icon={<SkipBack aria-hidden />}
        disabled={atStart}
        onClick={() => replay.seek(0)}
      />
      <IconButton
        size="sm"
        label="Previous event"
        keys="←"
        icon={<StepBack aria-hidden />}
        disabled={atStart}
        onClick={step(-1)}
      />
      <IconButton
        label={playing ? 'Pause' : 'Play'}
        keys="Space"
        icon={playing ? <Pause aria-hidden /> : <Play aria-hidden />}
        onClick={replay.toggle}
        className="size-7! bg-accent-soft text-accent!"
      />
      <IconButton
        size="sm"
        label="Next event"
        keys="→"
        icon={<StepForward aria-hidden />}
        disabled={moment === undefined}
        onClick={step(1)}
      />
      <IconButton
        size="sm"
        label={live ? 'Jump to now' : 'The end'}
        keys="End"
        icon={<SkipForward aria-hidden />}
        disabled={moment === undefined}
        onClick={() => replay.seek(undefined)}
      />
      <MomentSlider {...{ replay, state, trace, version, now, live }} scale={props.scale} />
      <Clock {...{ replay, now, live }} moment={moment} />
      <span className="mx-1 h-4 w-px bg-line max-sm:hidden" />
      <IconButton
        size="sm"
        label="Next error"
        keys="E"
        icon={<TriangleAlert aria-hidden />}
        disabled={!hasErrors}
        onClick={(event) => onError(event.shiftKey ? -1 : 1)}
      />
      {failures(hasErrors)}
      {/* On a phone there is no room for it; the tools of the timeline have it too. */}
      <span className="max-sm:hidden">
        <IconButton size="sm" label="Slowest step" icon={<CircleGauge aria-hidden />} onClick={onSlowest} />
      </span>
      <Toggles {...{ replay, follows, setFollows }} skipsIdle={skipsIdle} />
      <SpeedPick speed={state.speed} onSpeed={replay.setSpeed} />
    </div>
  );
}

/** What a replay does by itself: it moves what is in view, and passes quickly over stretches in which nothing happens. */
function Toggles({
  replay,
  follows,
  setFollows,
  skipsIdle,
}: Pick<TransportBarProps, 'replay' | 'follows' | 'setFollows'> & { readonly skipsIdle: boolean }) {
  return (
    <>
      <IconButton
        size="sm"
        label="Follow the play-head"
        icon={<LocateFixed aria-hidden />}
        pressed={follows}
        onClick={() => setFollows(!follows)}
      />
      <IconButton
        size="sm"
        label="Shorten idle time"
        icon={<FastForward aria-hidden />}
        pressed={skipsIdle}
        onClick={() => replay.setSkipsIdle(!skipsIdle)}
      />
    </>
  );
}

/** Shows the moment and the length. It changes in every frame without rendering. */
function Clock(props: {
  readonly replay: Replay;
  readonly moment: number | undefined;
  readonly now: () => number;
  readonly live: boolean;
}) {
  const { replay, moment, now, live } = props;
  const text = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    const show = () => {
      const at = replay.at();
      if (text.current !== null) text.current.textContent = at === undefined ? endWord(live) : formatDuration(at);
    };
    show();
    return replay.onFrame(show);
  }, [replay, live]);
  return (
    <span className="flex shrink-0 items-baseline gap-1 whitespace-nowrap px-1 tabular-nums">
      <span ref={text} className="min-w-14 text-right font-medium text-ink">
        {moment === undefined ? endWord(live) : formatDuration(moment)}
      </span>
      <span className="text-muted max-sm:hidden">of {formatDuration(now())}</span>
    </span>
  );
}

function endWord(live: boolean): string {
  return live ? 'Now' : 'End';
}

const speedOptions = speeds.map((speed) => ({ value: String(speed), label: `${speed}×` }));

function SpeedPick({ speed, onSpeed }: { readonly speed: Speed; readonly onSpeed: (speed: Speed) => void }) {
  return (
    <PlainSelect
      label="Speed"
      value={String(speed)}
      options={speedOptions}
      onChange={(chosen) => onSpeed(speeds.find((one) => one === Number(chosen)) ?? 1)}
      className="ml-1"
    />
  );
}
