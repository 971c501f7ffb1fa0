'use client';

import { type KeyboardEvent, lazy, Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { classNames } from '@/components/ui/class-names';
import { lanesAbove, layoutRows, NO_LANE } from '@/lib/trace/lanes';
import { spanEnd, type Trace } from '@/lib/trace/trace';
import { BarsCanvas } from './bars-canvas';
import { keyAction } from './keys';
import { LaneNames } from './lane-names';
import { Legend } from './legend';
import { Overview } from './overview';
import { axisPx } from './paint-labels';
import { focusOn, pan, reveal, type TimeWindow, wholeRun, zoom } from './time-window';
import { TimelineTools } from './timeline-tools';
import { usePalette } from './use-palette';
import { useSize } from './use-size';
import { countErrors, stepError, stepFromRow, stepInLane } from './walk';

const SpanList = lazy(async () => ({ default: (await import('./span-list')).SpanList }));

export interface TimelineProps {
  /** Changes in place; `version` says when. */
  readonly trace: Trace;
  readonly version: number;
  /** Microseconds since the run's origin; the last event's time once the run has ended. */
  readonly now: () => number;
  readonly live: boolean;
  /** Span. */
  readonly selected: number | undefined;
  readonly onSelect: (span: number | undefined) => void;
  /** Undefined: the whole run, growing while it runs. */
  readonly window: TimeWindow | undefined;
  readonly onWindow: (window: TimeWindow | undefined) => void;
  /** The play-head: microseconds since the origin. */
  readonly moment?: number;
  /** Left out where nothing follows the play-head. */
  readonly onMoment?: (moment: number) => void;
  /** No overview strip, no legend, tools in the corner where there is room: for a dock. */
  readonly compact?: boolean;
}

/** Lanes with names on the left and bars on the right; everything by mouse, by keys, and as a table. */
export function Timeline(props: TimelineProps) {
  const { trace, version, now, live, selected, onSelect, window, onWindow, moment, onMoment, compact } = props;
  const { palette, font } = usePalette();
  const [collapsed, setCollapsed] = useState<ReadonlySet<number>>(new Set());
  /** Parents whose children show beyond `max_display_instances`. */
  const [unfolded, setUnfolded] = useState<ReadonlySet<number>>(new Set());
  const [activeLane, setActive] = useState(0);
  /** Nothing is marked before somebody points at something. */
  const [touched, setTouched] = useState(false);
  const [asTable, setAsTable] = useState(false);
  const [scrollTop, setScrollTop] = useState(0);
  const scroller = useRef<HTMLDivElement>(null);
  const toReach = useRef<number | undefined>(undefined);
  const view = useSize(scroller);
  const { laneVersion } = trace;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the trace changes in place; laneVersion says when
  const rows = useMemo(() => layoutRows(trace, collapsed, unfolded), [trace, laneVersion, collapsed, unfolded]);
  const end = wholeRun(now());
  const shown = window ?? { from: 0, to: end };
  // biome-ignore lint/correctness/useExhaustiveDependencies: as above, by version
  const errors = useMemo(() => countErrors(trace), [trace, version]);

  const setActiveLane = useCallback((lane: number) => {
    setActive(lane);
    setTouched(true);
  }, []);

  const scrollToLane = useCallback(
    (lane: number) => {
      const row = rows.rowOf[lane] ?? -1;
      const box = scroller.current;
      if (row < 0 || box === null) return;
      const top = rows.tops[row] ?? 0;
      const bottom = rows.tops[row + 1] ?? 0;
      const height = box.clientHeight - axisPx;
      if (top < box.scrollTop) box.scrollTop = top;
      else if (bottom > box.scrollTop + height) box.scrollTop = bottom - height;
    },
    [rows],
  );

  /** Opens what hides a row. It is scrolled to once it is there. */
  const openTo = useCallback(
    (lane: number) => {
      if ((rows.rowOf[lane] ?? -1) >= 0) return scrollToLane(lane);
      const above = lanesAbove(trace, lane);
      setCollapsed((before) => new Set([...before].filter((one) => !above.includes(one))));
      setUnfolded((before) => new Set([...before, ...above]));
      toReach.current = lane;
    },
    [rows, trace, scrollToLane],
  );
  useEffect(() => {
    if (toReach.current === undefined) return;
    scrollToLane(toReach.current);
    toReach.current = undefined;
  }, [scrollToLane]);

  const select = (span: number | undefined, reach = true) => {
    onSelect(span);
    if (span === undefined) return;
    const lane = trace.spans.lane.at(span);
    setActiveLane(lane);
    openTo(lane);
    if (reach && window !== undefined) {
      const next = reveal(window, trace.spans.start.at(span), spanEnd(trace, span, now()), end);
      if (next !== window) onWindow(next);
    }
  };

  const activate = (lane: number, focus = false) => {
    setActiveLane(lane);
    scrollToLane(lane);
    if (focus)
      requestAnimationFrame(() => scroller.current?.querySelector<HTMLElement>(`[data-lane="${lane}"]`)?.focus());
  };

  const toggle = (lane: number) => {
    const next = new Set(collapsed);
    if (!next.delete(lane)) next.add(lane);
    setCollapsed(next);
  };

  const onKeyDown = (event: KeyboardEvent) => {
    const action = keyAction(event);
    if (action === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    const row = rows.rowOf[activeLane] ?? 0;
    const toRow = (to: number, by: 1 | -1) => {
      let at = Math.min(Math.max(to, 0), rows.lanes.length - 1);
      while (rows.lanes[at] === NO_LANE) at += by;
      const lane = rows.lanes[at];
      if (lane !== undefined) activate(lane, true);
    };
    const toSpan = (span: number | undefined) => {
      select(span);
      if (span !== undefined) activate(trace.spans.lane.at(span), true);
    };
    switch (action.do) {
      case 'zoom':
        return onWindow(zoom(shown, action.by, 0.5, end));
      case 'pan':
        return onWindow(pan(shown, action.by, end));
      case 'fit':
        return onWindow(undefined);
      case 'focus':
        if (selected === undefined) return;
        return onWindow(focusOn(trace.spans.start.at(selected), spanEnd(trace, selected, now()), end));
      case 'event':
        return toSpan(stepFromRow(trace, rows, activeLane, selected, action.by));
      case 'event-in-lane':
        return toSpan(stepInLane(trace, activeLane, selected, action.by));
      case 'error':
        return toSpan(stepError(trace, selected, action.by));
      case 'row':
        return toRow(row + action.by, action.by);
      case 'edge':
        return action.by < 0 ? toRow(0, 1) : toRow(rows.lanes.length - 1, -1);
      case 'toggle':
        if ((trace.lanes[activeLane]?.children.length ?? 0) > 0) toggle(activeLane);
        else pick(activeLane);
        return;
      case 'clear':
        return onSelect(undefined);
    }
  };

  // The names are made anew for news of the run and for scrolling, not for every step of a zoom.
  const unfold = (parent: number) => {
    const next = new Set(unfolded);
    if (!next.delete(parent)) next.add(parent);
    setUnfolded(next);
  };
  const pick = (lane: number) => select(trace.lanes[lane]?.span, false);
  const latest = useRef({ pick, toggle, unfold, onKeyDown });
  latest.current = { pick, toggle, unfold, onKeyDown };
  const [stable] = useState(() => ({
    pick: (lane: number) => latest.current.pick(lane),
    toggle: (lane: number) => latest.current.toggle(lane),
    unfold: (parent: number) => latest.current.unfold(parent),
    onKeyDown: (event: KeyboardEvent) => latest.current.onKeyDown(event),
  }));

  // A selection that arrives from outside (a link, the history) is brought into view once.
  const seen = useRef(selected);
  useEffect(() => {
    if (selected === seen.current) return;
    seen.current = selected;
    if (selected !== undefined) {
      setActiveLane(trace.spans.lane.at(selected));
      openTo(trace.spans.lane.at(selected));
    }
  }, [selected, trace, openTo, setActiveLane]);

  const total = rows.tops[rows.lanes.length] ?? 0;
  const tools = (
    <TimelineTools
      errors={errors}
      onNextError={() => select(stepError(trace, selected, 1))}
      onFit={() => onWindow(undefined)}
      onZoom={(by) => onWindow(zoom(shown, by, 0.5, end))}
      asTable={asTable}
      onTable={setAsTable}
    />
  );
  return (
    <div className="@container relative flex h-full min-h-0 min-w-0 flex-col bg-surface">
      <div
        className={classNames(
          'flex h-9 shrink-0 items-center gap-1 border-b px-2',
          compact && !asTable && '@2xl:absolute @2xl:z-10 @2xl:h-6 @2xl:border-b-0',
        )}
      >
        {tools}
        <span className="flex-1" />
        {!compact && <Legend />}
      </div>
      {asTable ? (
        <Suspense fallback={null}>
          <SpanList trace={trace} now={now()} selected={selected} onSelect={(span) => select(span)} />
        </Suspense>
      ) : (
        <>
          {!compact && (
            <div className="flex shrink-0 border-b">
              <div className="flex w-32 shrink-0 items-center border-r px-3 text-2xs text-faint @2xl:w-64">
                Overview
              </div>
              <Overview {...{ trace, version, palette, end, window, onWindow, moment }} />
            </div>
          )}
          <div
            ref={scroller}
            onScroll={(event) => setScrollTop(event.currentTarget.scrollTop)}
            className="min-h-0 flex-1 overflow-y-auto overflow-x-hidden"
          >
            <div style={{ height: Math.max(total + axisPx, view.height) }}>
              <div className="sticky top-0 flex" style={{ height: view.height }}>
                <div className="flex shrink-0 flex-col">
                  <div
                    className="flex w-32 shrink-0 items-center border-r border-b px-2 text-2xs text-faint @2xl:w-64"
                    style={{ height: axisPx }}
                  >
                    <span className={classNames(compact && '@2xl:hidden')}>
                      {countOf(rows.lanes.length - rows.counts.size, trace.lanes.length)}
                    </span>
                  </div>
                  <LaneNames
                    trace={trace}
                    rows={rows}
                    scrollTop={scrollTop}
                    height={Math.max(view.height - axisPx, 0)}
                    now={now}
                    live={live}
                    collapsed={collapsed}
                    activeLane={activeLane}
                    highlight={touched}
                    version={version}
                    onActivate={setActiveLane}
                    onPick={stable.pick}
                    onToggle={stable.toggle}
                    onUnfold={stable.unfold}
                    onKeyDown={stable.onKeyDown}
                  />
                </div>
                <BarsCanvas
                  {...{
                    trace,
                    rows,
                    now,
                    live,
                    window,
                    onWindow,
                    scroller,
                    scrollTop,
                    selected,
                    activeLane: touched ? activeLane : undefined,
                    moment,
                    onMoment,
                    palette,
                    font,
                  }}
                  onSelect={(span) => {
                    select(span, false);
                    const lane = span === undefined ? activeLane : trace.spans.lane.at(span);
                    activate(lane, true);
                  }}
                  onZoomTo={(span) => onWindow(focusOn(trace.spans.start.at(span), spanEnd(trace, span, now()), end))}
                />
              </div>
            </div>
          </div>
        </>
      )}
    </div>
  );
}

function countOf(shown: number, all: number): string {
  if (shown !== all) return `${shown} of ${all} instances`;
  return all === 1 ? '1 instance' : `${all} instances`;
}
