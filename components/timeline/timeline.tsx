'use client';

import { Clock, FoldHorizontal } from 'lucide-react';
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { classNames } from '@/components/ui/class-names';
import { later } from '@/components/ui/later';
import { useRemembered } from '@/components/ui/remembered';
import { useLatest } from '@/components/ui/use-latest';
import type { SpanPick } from '@/lib/trace/find-spans';
import type { LaneHeight } from '@/lib/trace/lanes';
import { BarsCanvas } from './bars-canvas';
import { LaneNames } from './lane-names';
import { laneHeightOf } from './lane-view';
import { evenScale } from './time-scale';
import { axisPx } from './timeline-height';
import { Overview, TimelineHead } from './timeline-parts';
import type { TimelineProps } from './timeline-props';
import { usePalette } from './use-palette';
import { type RunSearch, useRunSearch } from './use-run-search';
import { useSize } from './use-size';
import { type TimelineModel, useTimeline } from './use-timeline';

/** It is made in idle time, and its code is loaded after the bars. */
const AtOnceStrip = later(
  async () => (await import('./at-once-strip')).AtOnceStrip,
  () => <div className="h-[23px] shrink-0 border-b" />,
);
const SpanList = later(async () => (await import('./span-list')).SpanList);

/**
 * Shows lanes with names on the left and bars on the right. Everything can be done by mouse and by keys, and read as a
 * table.
 */
export function Timeline(props: TimelineProps) {
  const { trace, version, now, selected, window, onWindow, moment, compact, view } = props;
  const [asTable, setAsTable] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const scroller = useRef<HTMLDivElement>(null);
  const { height: roomPx } = useSize(box);
  const search = useRunSearch(trace, version, view.filter);
  const [height, setHeight] = useLaneHeight(props);
  const model = useTimeline(props, scroller, { height, roomPx, only: search.lanes });
  const colours = usePalette();
  usePicture(props, search, height, colours);
  const scale = props.short?.scale ?? evenScale;
  const whole = { scale, end: () => scale.whole((props.extent ?? now)()) };
  return (
    <div ref={box} className="@container relative flex h-full min-h-0 min-w-0 flex-col bg-surface">
      <div
        className={classNames(
          'flex min-h-9 shrink-0 flex-wrap items-center gap-1 border-b px-2 py-1',
          compact && !asTable && '@2xl:absolute @2xl:z-10 @2xl:h-6 @2xl:min-h-0 @2xl:border-b-0 @2xl:py-0',
        )}
      >
        <TimelineHead {...{ props, model, search, height, setHeight, asTable, setAsTable }} />
      </div>
      {asTable ? (
        <SpanList trace={trace} now={now()} selected={selected} onSelect={model.select} />
      ) : (
        <>
          {!compact && (
            <div className="flex shrink-0 border-b">
              <div className="flex w-32 shrink-0 items-center border-r px-3 text-2xs text-faint @2xl:w-64">
                Overview
              </div>
              <Overview
                {...{ trace, version, window, onWindow, moment }}
                {...whole}
                palette={colours.palette}
                now={now}
                live={props.live}
              />
            </div>
          )}
          {!compact && (
            <AtOnceStrip
              {...{ trace, version, now, scroller, window }}
              {...whole}
              palette={colours.palette}
              live={props.live}
            />
          )}
          <TimelineRows {...{ props, model, scroller, colours }} highlight={search.found ?? props.highlight} />
        </>
      )}
    </div>
  );
}

/** Gives the page what the timeline shows now, as long as it is there. */
function usePicture(
  props: TimelineProps,
  search: RunSearch,
  laneHeight: LaneHeight | 'auto',
  colours: ReturnType<typeof usePalette>,
) {
  const { picture, trace, now, extent = now, window, view, moment, marks } = props;
  useEffect(() => {
    if (picture === undefined) return;
    picture.current = () => {
      const scale = props.short?.scale ?? evenScale;
      const end = scale.whole(extent());
      return {
        ...{
          trace,
          view,
          only: search.lanes,
          laneHeight,
          window: window ?? { from: 0, to: end },
          scale,
          whole: extent(),
          end,
        },
        ...{ now: now(), moment, highlight: search.found ?? props.highlight, marks, ...colours },
      };
    };
    return () => {
      picture.current = undefined;
    };
  });
}

/** Returns the height of lanes that was chosen here or named by a link, or else the one that this browser remembers. */
function useLaneHeight({
  view,
  onView,
}: Pick<TimelineProps, 'view' | 'onView'>): readonly [LaneHeight | 'auto', (height: LaneHeight | 'auto') => void] {
  const [stored, store] = useRemembered('lane-height', 'auto');
  const choose = useLatest((height: LaneHeight | 'auto') => {
    store(String(height));
    onView((before) => ({ ...before, height }));
  });
  return [view.height ?? laneHeightOf(stored) ?? 'auto', choose];
}

/**
 * Shows the names and the bars. They stay in place while an empty box of the height of all rows is scrolled behind them.
 */
function TimelineRows(of: {
  readonly props: TimelineProps;
  readonly model: TimelineModel;
  readonly scroller: RefObject<HTMLDivElement | null>;
  readonly colours: ReturnType<typeof usePalette>;
  readonly highlight: SpanPick | undefined;
}) {
  const { props, model, scroller, colours, highlight } = of;
  const { trace, version, now, extent, live, selected, window, onWindow, short, moment, onMoment, compact } = props;
  const { rows, collapsed, activeLane, touched, lanes } = model;
  const [axis, setAxis] = useRemembered('axis', 'elapsed');
  const hasClock = axis === 'clock';
  const [scrollTop, setScrollTop] = useState(0);
  const scrolled = useRef(0);
  const view = useSize(scroller);
  const both = { trace, rows, now, live, scrollTop };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a pointer's short cut to what Shift+F10 does in the tree
    <div
      ref={scroller}
      onScroll={(event) => {
        scrolled.current = event.currentTarget.scrollTop;
        setScrollTop(scrolled.current);
      }}
      onContextMenu={(event) => {
        const row = event.target instanceof Element ? event.target.closest('[data-lane]') : null;
        const span = trace.lanes[Number(row?.getAttribute('data-lane') ?? -1)]?.span;
        if (span === undefined || model.menu.openAt === undefined) return;
        event.preventDefault();
        model.menu.openAt(span, event.clientX, event.clientY);
      }}
      className="min-h-0 flex-1 overflow-y-auto overflow-x-hidden"
    >
      <div style={{ height: Math.max((rows.tops[rows.lanes.length] ?? 0) + axisPx, view.height) }}>
        <div className="sticky top-0 flex" style={{ height: view.height }}>
          <div className="flex shrink-0 flex-col">
            <div
              className="flex w-32 shrink-0 items-center border-r border-b px-2 text-2xs text-faint @2xl:w-64"
              style={{ height: axisPx }}
            >
              <span className={classNames('min-w-0 truncate', compact && '@2xl:hidden')}>
                {countOf(rows.lanes.length - rows.counts.size, trace.lanes.length)}
              </span>
              {!compact && (
                <AxisSwitches {...{ short, hasClock }} onClock={() => setAxis(hasClock ? 'elapsed' : 'clock')} />
              )}
            </div>
            <LaneNames
              {...both}
              height={Math.max(view.height - axisPx, 0)}
              {...{ collapsed, activeLane, version }}
              highlight={touched}
              laneIcon={props.laneIcon}
              onActivate={model.setActiveLane}
              onPick={lanes.pick}
              onToggle={lanes.toggle}
              onUnfold={lanes.unfold}
              onKeyDown={lanes.onKeyDown}
            />
          </div>
          <BarsCanvas
            {...both}
            {...{ extent, window, onWindow, scroller, scrolled, selected, moment, onMoment, hasClock }}
            scale={short?.scale ?? evenScale}
            {...colours}
            highlight={highlight}
            spanMarks={props.marks}
            activeLane={touched ? activeLane : undefined}
            onSelect={model.selectBar}
            onZoomTo={model.zoomTo}
            onMenu={model.menu.openAt}
          >
            {props.overBars?.({ rows, scrollTop, height: Math.max(view.height - axisPx, 0), window })}
          </BarsCanvas>
        </div>
      </div>
      {model.menu.shown !== undefined && props.barMenu?.(model.menu.shown)}
    </div>
  );
}

function AxisSwitches({
  short,
  hasClock,
  onClock,
}: Pick<TimelineProps, 'short'> & { readonly hasClock: boolean; readonly onClock: () => void }) {
  return (
    <span className="ml-auto flex shrink-0">
      {short !== undefined && (
        <AxisButton
          label="Shorten time without work"
          icon={<FoldHorizontal aria-hidden className="size-3" />}
          pressed={short.isOn}
          onClick={() => short.setOn(!short.isOn)}
        />
      )}
      <AxisButton
        label="Clock on the axis"
        icon={<Clock aria-hidden className="size-3" />}
        pressed={hasClock}
        onClick={onClock}
      />
    </span>
  );
}

/** Switches what the axis shows. */
function AxisButton(props: {
  readonly label: string;
  readonly icon: ReactNode;
  readonly pressed: boolean;
  readonly onClick: () => void;
}) {
  return (
    <button
      type="button"
      aria-label={props.label}
      title={props.label}
      aria-pressed={props.pressed}
      onClick={props.onClick}
      className={classNames(
        'flex size-6 shrink-0 cursor-pointer items-center justify-center rounded hover:bg-hover hover:text-ink',
        props.pressed ? 'text-accent' : 'text-faint',
      )}
    >
      {props.icon}
    </button>
  );
}

function countOf(shown: number, all: number): string {
  if (shown !== all) return `${shown} of ${all} instances`;
  return all === 1 ? '1 instance' : `${all} instances`;
}
