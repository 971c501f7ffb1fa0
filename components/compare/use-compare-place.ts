'use client';

import { type Dispatch, type SetStateAction, useEffect, useState } from 'react';
import type { LiveTrace } from '@/components/run/use-run';
import type { LaneView } from '@/components/timeline/lane-view';
import type { TimeWindow } from '@/components/timeline/time-window';
import type { RunComparison } from '@/lib/trace/compare/compare-runs';
import type { RowSort } from '@/lib/trace/compare/sort-rows';
import { spanOfSeq } from '@/lib/trace/span-of-seq';
import { type CompareLink, type CompareTab, readCompareLink, withComparePlace } from './compare-link';

/** The chosen steps: a span of each run, or of one run if the other has no such step. */
export interface StepPair {
  readonly a: number | undefined;
  readonly b: number | undefined;
}

export interface CompareState {
  readonly pair: StepPair;
  readonly select: (pair: StepPair) => void;
  /** Selects a span of one run with its partner. */
  readonly selectIn: (side: 'a' | 'b', span: number | undefined) => void;
  readonly window: TimeWindow | undefined;
  readonly setWindow: (window: TimeWindow | undefined) => void;
  readonly tab: CompareTab;
  readonly setTab: (tab: CompareTab) => void;
  readonly sort: RowSort;
  readonly setSort: (sort: RowSort) => void;
  readonly file: string | undefined;
  readonly setFile: (file: string | undefined) => void;
  readonly viewA: LaneView;
  readonly viewB: LaneView;
  readonly setViewA: Dispatch<SetStateAction<LaneView>>;
  readonly setViewB: Dispatch<SetStateAction<LaneView>>;
  /** Returns the address of what the page shows. */
  readonly address: () => URL;
}

const nothing: StepPair = { a: undefined, b: undefined };
const settleMs = 200;

/** Keeps what the page shows, and writes it to the address bar, so that a link shows the same picture. */
export function useComparePlace(link: CompareLink, runA: LiveTrace, runB: LiveTrace, compared: RunComparison) {
  const [linked] = useState(() => readCompareLink(link));
  const [pending, setPending] = useState(
    linked.step.a === undefined && linked.step.b === undefined ? undefined : linked.step,
  );
  const [pair, select] = useState<StepPair>(nothing);
  const [window, setWindow] = useState(linked.window);
  const [tab, setTab] = useState(linked.tab);
  const [sort, setSort] = useState(linked.sort);
  const [file, setFile] = useState(linked.file);
  const [viewA, setViewA] = useState(linked.viewA);
  const [viewB, setViewB] = useState(linked.viewB);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the traces change in place; their versions say when
  useEffect(() => {
    if (pending === undefined) return;
    const a = pending.a === undefined ? undefined : spanOfSeq(runA.trace, pending.a);
    const b = pending.b === undefined ? undefined : spanOfSeq(runB.trace, pending.b);
    if ((pending.a !== undefined && a === undefined) || (pending.b !== undefined && b === undefined)) return;
    setPending(undefined);
    select({ a, b });
  }, [pending, runA.version, runB.version]);

  const address = () => {
    const step = {
      a: pair.a === undefined ? undefined : runA.trace.spans.startSeq.at(pair.a),
      b: pair.b === undefined ? undefined : runB.trace.spans.startSeq.at(pair.b),
    };
    return withComparePlace(new URL(location.href), { step, window, tab, sort, file, viewA, viewB });
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: `address` is made of the others
  useEffect(() => {
    if (pending !== undefined) return;
    const timer = setTimeout(() => {
      const { href } = address();
      if (href !== location.href) history.replaceState(history.state, '', href);
    }, settleMs);
    return () => clearTimeout(timer);
  }, [pending, pair, window, tab, sort, file, viewA, viewB]);

  const selectIn = (side: 'a' | 'b', span: number | undefined) => {
    if (span === undefined) return select(nothing);
    const partner = (side === 'a' ? compared.spanInB : compared.spanInA)[span] ?? -1;
    const other = partner < 0 ? undefined : partner;
    select(side === 'a' ? { a: span, b: other } : { a: other, b: span });
  };
  const places = { window, setWindow, tab, setTab, sort, setSort, file, setFile, viewA, viewB, setViewA, setViewB };
  return { ...places, pair, select, selectIn, address } satisfies CompareState;
}
