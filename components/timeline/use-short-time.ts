'use client';

import { useMemo } from 'react';
import { useRemembered } from '@/components/ui/remembered';
import { useTick } from '@/components/ui/use-tick';
import type { Trace } from '@/lib/trace/trace';
import { evenScale, scaleOf } from './time-scale';
import type { ShortTime } from './timeline-props';

/** The scale of a run that goes on is made so often, in milliseconds. */
const tickMs = 1_000;

interface Run {
  /** The whole run, whatever moment of it is shown. It changes in place, and `version` grows with each change. */
  readonly trace: Trace;
  readonly version: number;
  readonly now: () => number;
  /** True while the run goes on. */
  readonly live: boolean;
}

/** Returns how the axis of a run shows its quiet time. The browser remembers the switch. */
export function useShortTime({ trace, version, now, live }: Run): ShortTime | undefined {
  const [stored, store] = useRemembered('short-time', 'on');
  useTick(live, tickMs);
  const second = live ? Math.floor(now() / (tickMs * 1_000)) : undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the trace changes in place; the second or its version says when
  const scale = useMemo(() => scaleOf(trace, now(), live), [trace, live ? second : version, live]);
  if (scale === evenScale) return undefined;
  const isOn = stored !== 'off';
  return { scale: isOn ? scale : evenScale, isOn, setOn: (next) => store(next ? 'on' : 'off') };
}
