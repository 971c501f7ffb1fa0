'use client';

import { useEffect } from 'react';
import type { Replay, ReplayState } from '@/components/replay/replay';
import { evenScale } from '@/components/timeline/time-scale';
import { follow } from '@/components/timeline/time-window';
import type { ShortTime } from '@/components/timeline/timeline-props';
import { useRemembered } from '@/components/ui/remembered';
import type { LiveTrace } from './use-run';
import type { RunPlace } from './use-selection';

export interface Follow {
  /** True if what is in view follows the play-head. The browser remembers it. */
  readonly follows: boolean;
  readonly setFollows: (follows: boolean) => void;
  /** While the run plays, the span that began last: rows, history and graph bring it into view. */
  readonly followed: number | undefined;
}

/** Lets the time window follow the play-head, and says which span the other panes follow. */
export function useFollow(
  { replay, state }: { readonly replay: Replay; readonly state: ReplayState },
  { window }: Pick<RunPlace, 'window'>,
  run: Pick<LiveTrace, 'now'>,
  short: ShortTime | undefined,
): Follow {
  const [stored, store] = useRemembered('replay-follows', 'yes');
  const follows = stored !== 'no';
  const { now } = run;
  const scale = short?.scale ?? evenScale;
  useEffect(() => {
    if (!follows) return;
    return replay.onFrame(() => {
      const [at, shown] = [replay.at(), window.get()];
      if (at === undefined || shown === undefined) return;
      window.set(scale.change(shown, scale.whole(now()), (drawn, end) => follow(drawn, scale.drawn(at), end)));
    });
  }, [follows, replay, window, now, scale]);
  const begun = state.shown === undefined ? 0 : state.shown.spans.length;
  return {
    follows,
    setFollows: (next) => store(next ? 'yes' : 'no'),
    followed: follows && state.playing && begun > 0 ? begun - 1 : undefined,
  };
}
