'use client';

import { useEffect, useState } from 'react';
import { type TimeWindow, windowFromText, windowToText } from '@/components/timeline/time-window';
import { spanOfSeq } from '@/components/timeline/walk';
import type { Trace } from '@/lib/trace/trace';

export interface RunSelection {
  readonly span: number | undefined;
  readonly select: (span: number | undefined) => void;
  readonly window: TimeWindow | undefined;
  readonly setWindow: (window: TimeWindow | undefined) => void;
}

/** Selection and window in memory: for a dock. */
export function useSelection(): RunSelection {
  const [span, select] = useState<number | undefined>(undefined);
  const [window, setWindow] = useState<TimeWindow | undefined>(undefined);
  return { span, select, window, setWindow };
}

const settleMs = 200;

/**
 * Selection and window in the address bar (`?span=<event>&t=<from>-<to>` in milliseconds), so that a link shows the same
 * picture. A span is named by the event that opened it.
 */
export function useSelectionInUrl(trace: Trace, version: number, initial: { span?: string; t?: string }): RunSelection {
  const selection = useSelection();
  const { span, select, window: shown, setWindow } = selection;
  const [pending, setPending] = useState(() => Number(initial.span) || undefined);
  const [ready, setReady] = useState(false);

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, from the link
  useEffect(() => {
    setWindow(initial.t === undefined ? undefined : windowFromText(initial.t));
    setReady(true);
  }, []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the trace changes in place; its version says when
  useEffect(() => {
    if (pending === undefined) return;
    const found = spanOfSeq(trace, pending);
    if (found === undefined) return;
    setPending(undefined);
    select(found);
  }, [pending, trace, version]);

  useEffect(() => {
    if (!ready || pending !== undefined) return;
    const timer = setTimeout(() => {
      const url = new URL(location.href);
      if (span === undefined) url.searchParams.delete('span');
      else url.searchParams.set('span', String(trace.spans.startSeq.at(span)));
      if (shown === undefined) url.searchParams.delete('t');
      else url.searchParams.set('t', windowToText(shown));
      if (url.href !== location.href) history.replaceState(history.state, '', url);
    }, settleMs);
    return () => clearTimeout(timer);
  }, [ready, pending, span, shown, trace]);

  return selection;
}
