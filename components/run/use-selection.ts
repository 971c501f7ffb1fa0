'use client';

import { type Dispatch, type SetStateAction, useCallback, useEffect, useRef, useState } from 'react';
import { Held } from '@/components/timeline/held';
import { type LaneView, plainView } from '@/components/timeline/lane-view';
import type { TimeWindow } from '@/components/timeline/time-window';
import { sameLanes, sameSpan } from '@/lib/trace/same-span';
import { spanOfSeq } from '@/lib/trace/span-of-seq';
import type { Trace } from '@/lib/trace/trace';
import { type RunLink, type RunTab, readLink, withPlace } from './run-link';

export interface RunSelection {
  readonly span: number | undefined;
  readonly select: (span: number | undefined) => void;
  readonly window: TimeWindow | undefined;
  readonly setWindow: (window: TimeWindow | undefined) => void;
  /** Which lanes show, and in which order. */
  readonly view: LaneView;
  readonly setView: Dispatch<SetStateAction<LaneView>>;
}

/** What a run page shows beside its selection. */
export interface RunPlace extends Omit<RunSelection, 'window' | 'setWindow'> {
  /** The time window, which changes in every frame of a zoom. What shows it subscribes to it. */
  readonly window: Held<TimeWindow | undefined>;
  /** The play-head, in microseconds since the origin. `undefined` means the end, or now while the run goes on. */
  readonly moment: number | undefined;
  readonly setMoment: (moment: number | undefined) => void;
  /** The span that a link selected, until another one is. */
  readonly linked: number | undefined;
  /** True if the result of the selected span was chosen, and not the call. */
  readonly atEnd: boolean;
  /** Selects a span and opens its tab. `atEnd` chooses its result. */
  readonly select: (span: number | undefined, atEnd?: boolean) => void;
  /** Selects a span without opening its tab, unless only the result is open, which says nothing about it. */
  readonly mark: (span: number | undefined) => void;
  /** Returns the address of what the page shows now. */
  readonly address: () => string;
  /** The open tab. */
  readonly tab: RunTab;
  readonly setTab: (tab: RunTab) => void;
  /** Spans that the bars draw strong; `undefined` if none stands out. It is not part of the address. */
  readonly highlight: ReadonlySet<number> | undefined;
  readonly setHighlight: (spans: ReadonlySet<number> | undefined) => void;
}

/** Keeps selection, window and view in memory, for a dock. */
export function useSelection(): RunSelection {
  const [span, select] = useState<number | undefined>(undefined);
  const [window, setWindow] = useState<TimeWindow | undefined>(undefined);
  const [view, setView] = useState<LaneView>(plainView);
  return { span, select, window, setWindow, view, setView };
}

const settleMs = 200;

/**
 * Keeps what the page shows in the address bar, so that a link shows the same picture. Selecting opens the tab of the
 * selection, unless a link named another one.
 */
export function usePlaceInUrl(
  { trace, version }: { readonly trace: Trace; readonly version: number },
  link: RunLink,
  { moment, setMoment, allSpans }: Pick<RunPlace, 'moment' | 'setMoment'> & { readonly allSpans: boolean },
): RunPlace {
  const selection = useSelection();
  const { span, view, setView } = selection;
  const [window] = useState(() => new Held<TimeWindow | undefined>(undefined));
  const [linked] = useState(() => readLink(link));
  const [tab, setTab] = useState<RunTab>(linked.tab ?? 'result');
  const [pending, setPending] = useState(linked.seq);
  const [highlight, setHighlight] = useState<ReadonlySet<number> | undefined>(undefined);
  const [ready, setReady] = useState(false);
  const chosen = useChosen(selection.select, setTab);
  const { atEnd } = chosen;
  const address = () => {
    const { startSeq, endSeq } = trace.spans;
    const seq = span === undefined ? undefined : (atEnd && endSeq.at(span)) || startSeq.at(span);
    return withPlace(new URL(location.href), { seq, window: window.get(), moment, tab, view, allSpans }).href;
  };

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, from the link
  useEffect(() => {
    window.set(linked.window);
    setMoment(linked.moment);
    setView(linked.view);
    setReady(true);
  }, []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the trace changes in place; its version says when
  useEffect(() => {
    if (pending === undefined) return;
    const found = spanOfSeq(trace, pending);
    if (found === undefined) return;
    setPending(undefined);
    chosen.follow(found, trace.spans.startSeq.at(found) !== pending);
    if (linked.tab === undefined) setTab('selection');
  }, [pending, trace, version]);

  useSameAfter(trace, selection, chosen, setHighlight);

  // biome-ignore lint/correctness/useExhaustiveDependencies: `address` is made of the others
  useEffect(() => {
    if (!ready || pending !== undefined) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const settle = () => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        const href = address();
        if (href !== location.href) history.replaceState(history.state, '', href);
      }, settleMs);
    };
    settle();
    const leave = window.subscribe(settle);
    return () => {
      leave();
      clearTimeout(timer);
    };
  }, [ready, pending, span, atEnd, moment, tab, view, allSpans, trace]);

  const { select, mark, linked: linkedSpan } = chosen;
  const places = { moment, setMoment, tab, setTab, highlight, setHighlight };
  return { ...places, span, view, setView, window, select, mark, atEnd, linked: linkedSpan, address };
}

/**
 * Keeps the selection and the folded lanes when the run is loaded again and its spans and lanes have other numbers. What stood out
 * does not any more.
 */
function useSameAfter(
  trace: Trace,
  { span, select, setView }: RunSelection,
  { atEnd, follow }: Pick<ReturnType<typeof useChosen>, 'atEnd' | 'follow'>,
  setHighlight: RunPlace['setHighlight'],
) {
  const before = useRef(trace);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when the trace is another one
  useEffect(() => {
    const old = before.current;
    before.current = trace;
    if (old === trace || old.spans.length === 0) return;
    const found = span === undefined ? undefined : sameSpan(old, span, trace);
    if (found === undefined) select(undefined);
    else follow(found, atEnd);
    setHighlight(undefined);
    setView((view) => ({
      ...view,
      collapsed: sameLanes(old, view.collapsed, trace),
      unfolded: sameLanes(old, view.unfolded, trace),
    }));
  }, [trace]);
}

/** Knows which part of the selected span was chosen, and whether a link chose it. */
function useChosen(choose: RunSelection['select'], setTab: Dispatch<SetStateAction<RunTab>>) {
  const [atEnd, setAtEnd] = useState(false);
  const [linked, setLinked] = useState<number | undefined>(undefined);
  const setSpan = useCallback(
    (span: number | undefined, end = false) => {
      choose(span);
      setAtEnd(end);
      setLinked(undefined);
    },
    [choose],
  );
  const select = useCallback(
    (span: number | undefined, end?: boolean) => {
      setSpan(span, end);
      // Insight marks the row of the selected bar, so it stays open.
      if (span !== undefined) setTab((open) => (open === 'insight' ? open : 'selection'));
    },
    [setSpan, setTab],
  );
  const mark = useCallback(
    (span: number | undefined) => {
      setSpan(span);
      if (span !== undefined) setTab((open) => (open === 'result' ? 'selection' : open));
    },
    [setSpan, setTab],
  );
  const follow = (span: number, end: boolean) => {
    setSpan(span, end);
    setLinked(span);
  };
  return { atEnd, linked, select, mark, follow };
}
