'use client';

import { ChevronDown, ChevronRight, ChevronsDownUp, ChevronsUpDown, TriangleAlert } from 'lucide-react';
import { type KeyboardEvent, memo, type ReactNode } from 'react';
import { classNames } from '@/components/ui/class-names';
import { StatusLabel } from '@/components/ui/status';
import { useTick } from '@/components/ui/use-tick';
import { type CountRow, NO_LANE, type Rows, rowAt } from '@/lib/trace/lanes';
import { isLaneWaiting, openByLane } from '@/lib/trace/questions';
import type { Lane, Trace } from '@/lib/trace/trace';
import { formatDuration } from '@/lib/trace/wording';
import { InstanceName } from './instance-name';
import { LaneSigns } from './lane-signs';
import { laneStatus } from './span-status';

export interface LaneNamesProps {
  readonly trace: Trace;
  readonly version: number;
  readonly rows: Rows;
  readonly scrollTop: number;
  readonly height: number;
  /** Returns microseconds since the run's origin. */
  readonly now: () => number;
  readonly live: boolean;
  readonly collapsed: ReadonlySet<number>;
  /** The lane that is in the tab order. */
  readonly activeLane: number;
  readonly highlight: boolean;
  readonly laneIcon: ((lane: Lane) => ReactNode) | undefined;
  readonly onActivate: (lane: number) => void;
  /** Selects the instance itself. */
  readonly onPick: (lane: number) => void;
  readonly onToggle: (lane: number) => void;
  /** Shows the children beyond the first few, or folds them again. */
  readonly onUnfold: (parent: number) => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
}

/** This many rows are rendered beyond the edges, so that a small scroll shows names immediately. */
const spareRows = 4;
const tickMs = 100;
/** A name is never lower than this, in CSS pixels. */
const leastNamePx = 12;

/**
 * Shows the names of the rows in view, as an indented tree. One name is in the tab order, and the arrows reach the others.
 */
export const LaneNames = memo(function LaneNames(props: LaneNamesProps) {
  const { trace, rows, scrollTop, height, now, live, onKeyDown, onUnfold, version, ...row } = props;
  // The timer is in this component, so that a changing duration renders only the names and not the whole timeline.
  useTick(live, tickMs);
  const at = now();
  const total = rows.lanes.length;
  const asking = openByLane(trace);
  const first = Math.max(0, rowAt(rows, scrollTop) - spareRows);
  const last = Math.min(total - 1, rowAt(rows, scrollTop + height) + spareRows);
  // Lines are too low for names: only the row in the tab order has one, over its neighbours.
  const isLines = rows.laneHeight === 2;
  const shown = isLines ? [] : Array.from({ length: Math.max(last - first + 1, 0) }, (_, i) => first + i);
  if (isLines) for (let place = first; place <= last; place++) if (rows.counts.has(place)) shown.push(place);
  // The focused row stays mounted when it is scrolled out of view, so that the focus is not lost.
  const activeRow = rows.rowOf[row.activeLane] ?? -1;
  if (activeRow >= 0 && (isLines || activeRow < first || activeRow > last)) shown.push(activeRow);
  return (
    <div
      role="tree"
      aria-label="Instances"
      onKeyDown={onKeyDown}
      // Clipped and no box that scrolls: the browser would scroll the names alone, away from their bars, when a row gets the focus.
      className="relative min-h-0 w-32 flex-1 overflow-clip border-r bg-surface [--indent:8px] @2xl:w-64 @2xl:[--indent:12px]"
    >
      {shown.map((place) => {
        const top = rows.tops[place] ?? 0;
        const count = rows.counts.get(place);
        if (count !== undefined) {
          const depth = (trace.lanes[count.parent]?.depth ?? 0) + 1;
          return (
            <CountName
              key={`more ${count.parent}`}
              {...{ count, depth, position: place + 1, total, onUnfold }}
              top={top - scrollTop}
              height={(rows.tops[place + 1] ?? 0) - top}
            />
          );
        }
        const lane = trace.lanes[rows.lanes[place] ?? NO_LANE];
        if (lane === undefined) return null;
        return (
          <LaneName
            key={lane.path}
            lane={lane}
            isWaiting={isLaneWaiting(trace, asking, lane)}
            now={at}
            top={top - scrollTop}
            height={Math.max((rows.tops[place + 1] ?? 0) - top, leastNamePx)}
            thin={rows.laneHeight < 24}
            position={place + 1}
            count={total}
            {...row}
          />
        );
      })}
    </div>
  );
});

interface LaneNameProps
  extends Pick<
    LaneNamesProps,
    'collapsed' | 'activeLane' | 'highlight' | 'laneIcon' | 'onActivate' | 'onPick' | 'onToggle'
  > {
  readonly lane: Lane;
  /** True while the instance waits for a person. */
  readonly isWaiting: boolean;
  readonly now: number;
  readonly top: number;
  readonly height: number;
  /** True for rows without room for icons. */
  readonly thin: boolean;
  readonly position: number;
  readonly count: number;
}

function LaneName({
  lane,
  isWaiting,
  top,
  height,
  thin,
  position,
  count,
  now,
  collapsed,
  activeLane,
  highlight,
  laneIcon,
  ...on
}: LaneNameProps) {
  const isCollapsed = collapsed.has(lane.index);
  const hasChildren = lane.children.length > 0;
  const from = lane.startedAt ?? lane.queuedAt;
  const Chevron = isCollapsed ? ChevronRight : ChevronDown;
  const status = laneStatus(lane, isWaiting);
  return (
    <div
      role="treeitem"
      data-lane={lane.index}
      aria-level={lane.depth + 1}
      aria-posinset={position}
      aria-setsize={count}
      aria-selected={lane.index === activeLane}
      aria-expanded={hasChildren ? !isCollapsed : undefined}
      tabIndex={lane.index === activeLane ? 0 : -1}
      onFocus={() => on.onActivate(lane.index)}
      onClick={() => on.onPick(lane.index)}
      onKeyDown={() => {
        // The tree handles this event once for all rows.
      }}
      title={lane.path}
      style={{ top, height, paddingLeft: `calc(4px + ${Math.min(lane.depth, 8)} * var(--indent))` }}
      className={classNames(
        'absolute inset-x-0 flex cursor-default items-center gap-1 border-ground pr-2 focus-visible:-outline-offset-2',
        thin ? 'z-10 overflow-hidden text-[10px] leading-none [&_svg]:size-2.5' : 'border-b text-xs',
        highlight && lane.index === activeLane && 'bg-accent-soft',
      )}
    >
      {hasChildren ? (
        <button
          type="button"
          tabIndex={-1}
          aria-label={isCollapsed ? `Expand ${lane.instanceName}` : `Collapse ${lane.instanceName}`}
          onClick={(event) => {
            event.stopPropagation();
            on.onToggle(lane.index);
          }}
          className="flex size-4 shrink-0 cursor-pointer items-center justify-center rounded text-faint hover:bg-hover hover:text-ink"
        >
          <Chevron aria-hidden className="size-3" />
        </button>
      ) : (
        <span className="w-1 shrink-0 @2xl:w-4" />
      )}
      <StatusLabel status={status} look="icon" />
      {laneIcon?.(lane)}
      <InstanceName name={lane.instanceName} />
      <LaneSigns lane={lane} />
      {isCollapsed && <span className="shrink-0 text-faint">+{lane.children.length}</span>}
      {lane.errors > 0 && status !== 'failed' && (
        <span className="mr-1 flex shrink-0 items-center gap-0.5 text-bad" title={`${lane.errors} failed`}>
          <TriangleAlert aria-hidden className="size-3" />
          <span className="hidden @2xl:inline" aria-hidden>
            {lane.errors}
          </span>
          <span className="sr-only">{lane.errors} failed</span>
        </span>
      )}
      <span className="hidden shrink-0 text-faint tabular-nums @2xl:inline">
        {formatDuration((lane.endedAt ?? now) - from)}
      </span>
    </div>
  );
}

interface CountNameProps {
  readonly count: CountRow;
  readonly depth: number;
  readonly top: number;
  readonly height: number;
  readonly position: number;
  readonly total: number;
  readonly onUnfold: (parent: number) => void;
}

/** Shows "+12 more" for the children that `max_display_instances` folds away. */
function CountName({ count, depth, top, height, position, total, onUnfold }: CountNameProps) {
  const { parent, hidden, failed, unfolded } = count;
  const Icon = unfolded ? ChevronsDownUp : ChevronsUpDown;
  return (
    <div
      role="treeitem"
      aria-level={depth + 1}
      aria-posinset={position}
      aria-setsize={total}
      aria-selected={false}
      aria-expanded={unfolded}
      tabIndex={0}
      onClick={() => onUnfold(parent)}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' && event.key !== ' ') return;
        event.preventDefault();
        event.stopPropagation();
        onUnfold(parent);
      }}
      style={{ top, height, paddingLeft: `calc(4px + ${Math.min(depth, 8)} * var(--indent))` }}
      className="absolute inset-x-0 flex cursor-pointer items-center gap-1 border-ground border-b pr-2 text-muted text-xs hover:bg-hover hover:text-ink focus-visible:-outline-offset-2"
    >
      <span className="w-1 shrink-0 @2xl:w-4" />
      <Icon aria-hidden className="size-3.5 shrink-0" />
      <span className="min-w-0 flex-1 truncate">{unfolded ? `Fold ${hidden}` : `+${hidden} more`}</span>
      {failed > 0 && !unfolded && (
        <span className="flex shrink-0 items-center gap-0.5 text-bad" title={`${failed} with failures`}>
          <TriangleAlert aria-hidden className="size-3" />
          {failed}
          <span className="sr-only"> with failures</span>
        </span>
      )}
    </div>
  );
}
