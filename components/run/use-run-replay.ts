'use client';

import { type RefObject, useEffect, useMemo, useRef } from 'react';
import type { Replay, ReplayState } from '@/components/replay/replay';
import { hasOwnUse, type ReplayKey, replayKey } from '@/components/replay/replay-keys';
import type { TimelineKeys } from '@/components/timeline/timeline-props';
import { announce } from '@/components/ui/announcer';
import { nextError, nextTime, nextTimeInLane, slowestStep, spanAtTime, stepError } from '@/lib/trace/moment-steps';
import type { Trace } from '@/lib/trace/trace';
import { formatDuration } from '@/lib/trace/wording';
import { silence } from './live-said';
import { spanSentence } from './span-sentence';
import type { LiveTrace } from './use-run';
import type { RunPlace } from './use-selection';

/** Returns the run as it was at the play-head, or the run itself without one. What is shown of a run is shown of this. */
export function useRunAtPlayHead(run: LiveTrace, replay: Replay, state: ReplayState): LiveTrace {
  return useMemo(() => {
    if (state.moment === undefined || state.shown === undefined) return run;
    const now = () => replay.at() ?? run.now();
    return { ...run, trace: state.shown, version: state.version, now, said: silence };
  }, [run, replay, state]);
}

/** What a person can do to the play-head, by button and by key. */
export interface ReplayActions {
  /** Steps to the next event, of the run or of the chosen instance. */
  readonly step: (by: 1 | -1, inLane: boolean) => void;
  readonly error: (by: 1 | -1) => void;
  /** Goes to a failure that was chosen from the list. */
  readonly failure: (span: number, at: number) => void;
  readonly slowest: () => void;
  /** Moves to the start of what is selected. */
  readonly toSelected: () => void;
}

/** `trace` is that of the whole run. */
export function replayActions(trace: Trace, now: () => number, replay: Replay, place: RunPlace): ReplayActions {
  const goTo = (at: number, span: number | undefined) => {
    replay.pause();
    replay.seek(at);
    if (span !== undefined) place.mark(span);
  };
  return {
    step(by, inLane) {
      // A link may name a moment before the events have been loaded.
      if (trace.spans.length === 0) return;
      const from = replay.at() ?? now();
      const chosen = place.span === undefined ? 0 : trace.spans.lane.at(place.span);
      const lane = inLane ? trace.lanes[chosen] : undefined;
      const next = lane === undefined ? nextTime(replay.eventTimes(), from, by) : nextTimeInLane(trace, lane, from, by);
      if (next !== undefined) return goTo(next, spanAtTime(trace, next, lane?.index));
      replay.pause();
      if (lane === undefined) replay.seek(by === 1 ? undefined : 0);
      else announce(by === 1 ? 'Nothing later in this instance' : 'Nothing earlier in this instance');
    },
    error(by) {
      const at = replay.at();
      if (at === undefined) {
        place.mark(stepError(trace, place.span, by));
        return;
      }
      const found = nextError(trace, at, by);
      if (found === undefined) announce(by === 1 ? 'No later error' : 'No earlier error');
      else goTo(found.at, found.span);
    },
    failure(span, at) {
      if (replay.at() === undefined) place.mark(span);
      else goTo(at, span);
    },
    slowest() {
      const span = slowestStep(trace);
      if (span === undefined) return;
      if (replay.at() === undefined) place.mark(span);
      else goTo(trace.spans.start.at(span), span);
    },
    toSelected() {
      if (place.span !== undefined) goTo(trace.spans.start.at(place.span), place.span);
    },
  };
}

/**
 * Keys of the play-head and of the timeline, wherever the focus is on the page of a run, unless the focused element uses the
 * key itself. Without a play-head the arrows and `E` walk the bars.
 */
export function useReplayKeys(
  replay: Replay,
  actions: ReplayActions,
  timeline: RefObject<TimelineKeys | undefined>,
): void {
  const latest = useRef(actions);
  latest.current = actions;
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      if (!(event.target instanceof Element) || hasOwnUse(event.target, event)) return;
      const inLanes = event.target.closest('[role=tree]') !== null;
      const key = replayKey(event);
      const walks = key === undefined || ('by' in key && replay.at() === undefined);
      if (walks && inLanes) return;
      if (walks) {
        if (timeline.current?.(event) !== true) return;
      } else doKey(key, replay, latest.current);
      event.preventDefault();
      event.stopPropagation();
    };
    // The play-head comes first, because the lanes use some of the same keys for themselves.
    window.addEventListener('keydown', onKeyDown, { capture: true });
    return () => window.removeEventListener('keydown', onKeyDown, { capture: true });
  }, [replay, timeline]);
}

function doKey(key: ReplayKey, replay: Replay, actions: ReplayActions): void {
  if (key.do === 'toggle') replay.toggle();
  else if (key.do === 'start') replay.seek(0);
  else if (key.do === 'end') replay.seek(undefined);
  else if (key.do === 'error') actions.error(key.by);
  else if ('by' in key) actions.step(key.by, key.do === 'lane');
}

/** Tells a screen reader which bar is selected, and when a replay starts and stops. */
export function useSpokenPlace(shown: LiveTrace, span: number | undefined, { playing, moment }: ReplayState): void {
  const { trace } = shown;
  const spoken = useRef(span);
  const played = useRef(playing);
  useEffect(() => {
    if (spoken.current === span) return;
    spoken.current = span;
    if (span !== undefined && span < trace.spans.length) announce(spanSentence(trace, span, moment));
  }, [trace, span, moment]);
  useEffect(() => {
    if (played.current === playing) return;
    played.current = playing;
    announce(playing ? 'Playing' : moment === undefined ? 'At the end' : `Paused at ${formatDuration(moment)}`);
  }, [playing, moment]);
}
