'use client';

import { useCallback, useEffect, useState } from 'react';
import {
  momentFromText,
  momentToText,
  type TimeWindow,
  windowFromText,
  windowToText,
} from '@/components/timeline/time-window';
import { spanOfSeq } from '@/components/timeline/walk';
import type { Trace } from '@/lib/trace/trace';

export interface RunSelection {
  readonly span: number | undefined;
  readonly select: (span: number | undefined) => void;
  readonly window: TimeWindow | undefined;
  readonly setWindow: (window: TimeWindow | undefined) => void;
}

/** What a run page shows beside its selection. */
export interface RunPlace extends RunSelection {
  /** The play-head, in microseconds since the origin. `undefined` means the end, or now while the run goes on. */
  readonly moment: number | undefined;
  readonly setMoment: (moment: number | undefined) => void;
  /** The open tab. */
  readonly tab: RunTab;
  readonly setTab: (tab: RunTab) => void;
}

export const runTabs = ['result', 'selection', 'graph', 'state', 'log', 'usage'] as const;
export type RunTab = (typeof runTabs)[number];

/** The same values as they are written in the link of a run page. */
export interface RunLink {
  readonly span?: string;
  readonly t?: string;
  readonly at?: string;
  readonly tab?: string;
}

/** Keeps selection and window in memory, for a dock. */
export function useSelection(): RunSelection {
  const [span, select] = useState<number | undefined>(undefined);
  const [window, setWindow] = useState<TimeWindow | undefined>(undefined);
  return { span, select, window, setWindow };
}

const settleMs = 200;

/**
 * Keeps what the page shows in the address bar, so that a link shows the same picture: `?span=<event>` (a span is named by
 * the event that opened it), `t=<from>-<to>` and `at=<play-head>` in milliseconds, `tab=<open tab>`. Selecting opens the
 * tab of the selection, unless a link named another one.
 */
export function usePlaceInUrl(trace: Trace, version: number, link: RunLink): RunPlace {
  const selection = useSelection();
  const { span, window: shown, setWindow } = selection;
  const [moment, setMoment] = useState<number | undefined>(undefined);
  const linked = tabOf(link.tab);
  const [tab, setTab] = useState<RunTab>(linked ?? 'result');
  const [pending, setPending] = useState(() => Number(link.span) || undefined);
  const [ready, setReady] = useState(false);

  const mark = selection.select;
  const select = useCallback(
    (chosen: number | undefined) => {
      mark(chosen);
      if (chosen !== undefined) setTab('selection');
    },
    [mark],
  );

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, from the link
  useEffect(() => {
    setWindow(link.t === undefined ? undefined : windowFromText(link.t));
    setMoment(link.at === undefined ? undefined : momentFromText(link.at));
    setReady(true);
  }, []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the trace changes in place; its version says when
  useEffect(() => {
    if (pending === undefined) return;
    const found = spanOfSeq(trace, pending);
    if (found === undefined) return;
    setPending(undefined);
    selection.select(found);
    if (linked === undefined) setTab('selection');
  }, [pending, trace, version]);

  useEffect(() => {
    if (!ready || pending !== undefined) return;
    const timer = setTimeout(() => {
      const url = new URL(location.href);
      put(url, 'span', span === undefined ? undefined : String(trace.spans.startSeq.at(span)));
      put(url, 't', shown === undefined ? undefined : windowToText(shown));
      put(url, 'at', moment === undefined ? undefined : momentToText(moment));
      put(url, 'tab', tab === (span === undefined ? 'result' : 'selection') ? undefined : tab);
      if (url.href !== location.href) history.replaceState(history.state, '', url);
    }, settleMs);
    return () => clearTimeout(timer);
  }, [ready, pending, span, shown, moment, tab, trace]);

  return { ...selection, select, moment, setMoment, tab, setTab };
}

function tabOf(text: string | undefined): RunTab | undefined {
  return runTabs.find((tab) => tab === text);
}

function put(url: URL, name: string, value: string | undefined): void {
  if (value === undefined) url.searchParams.delete(name);
  else url.searchParams.set(name, value);
}
