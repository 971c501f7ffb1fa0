'use client';

import Link from 'next/link';
import { type CSSProperties, memo, useMemo, useRef, useSyncExternalStore } from 'react';
import { clockTick, clockZero, dateAndTime } from '@/components/timeline/clock-words';
import { ticks } from '@/components/timeline/time-window';
import { useSize } from '@/components/timeline/use-size';
import { classNames } from '@/components/ui/class-names';
import { StatusLabel } from '@/components/ui/status';
import { useTick } from '@/components/ui/use-tick';
import { VisibleText } from '@/components/ui/visible-text';
import { axisOfGroup, barOfRun, type GroupAxis, type GroupRun } from '@/lib/trace/run-group';
import type { RunState } from '@/lib/trace/run-state';
import { formatDuration } from '@/lib/trace/wording';

export interface RunGroupBarsProps {
  readonly runs: readonly GroupRun[];
  /** The run that has a mark. */
  readonly run: string | undefined;
  readonly readAt: number;
}

const tones: Readonly<Record<RunState, string>> = {
  queued: 'bg-queued',
  running: 'bg-busy',
  suspended: 'bg-warn',
  completed: 'bg-ok',
  failed: 'bg-bad',
  cancelled: 'bg-faint',
};

/** Draws a row for each run, oldest first: its state, its agent, and its bar on the axis of all. A row is a link to the run. */
export function RunGroupBars({ runs, run, readAt }: RunGroupBarsProps) {
  const isActive = runs.some(({ finishedAt }) => finishedAt === undefined);
  useTick(isActive, 1_000);
  // The server and the first rendering of the browser draw the same moment.
  const mounted = useSyncExternalStore(
    () => () => undefined,
    () => true,
    () => false,
  );
  const now = isActive && mounted ? Math.max(readAt, Date.now()) : readAt;
  const { from, to } = axisOfGroup(runs, now);
  const axis = useMemo(() => ({ from, to }), [from, to]);
  return (
    <div className="overflow-hidden rounded-lg border bg-surface shadow-card">
      <Axis axis={axis} />
      <ul aria-label="Runs" className="divide-y">
        {runs.map((each) => (
          <Row
            key={each.id}
            run={each}
            axis={axis}
            now={each.finishedAt === undefined ? now : each.finishedAt}
            isMarked={each.id === run}
          />
        ))}
      </ul>
    </div>
  );
}

const columns = 'grid grid-cols-[9rem_1fr] gap-3 px-3 sm:grid-cols-[18rem_1fr]';
const tickApartPx = 90;

/** The wall clock in the time zone of the browser. */
function Axis({ axis }: { readonly axis: GroupAxis }) {
  const box = useRef<HTMLDivElement>(null);
  const { width } = useSize(box);
  const length = (axis.to - axis.from) * 1_000;
  const zero = width === 0 ? 0 : clockZero(axis.from);
  const { step, at } = width === 0 ? { step: 1, at: [] } : ticks({ from: 0, to: length }, width, tickApartPx, zero);
  return (
    <div aria-hidden className={classNames(columns, 'border-b bg-ground py-1 text-2xs text-muted')}>
      <span>{width === 0 ? '' : dateAndTime(axis.from).slice(0, -3)}</span>
      <div ref={box} className="relative h-4 overflow-hidden tabular-nums">
        {at.map((each) => (
          <span
            key={each}
            className="absolute top-0 whitespace-nowrap border-line-strong border-l pl-1"
            style={{ left: `${(each / length) * 100}%` }}
          >
            {clockTick(zero + each, step)}
          </span>
        ))}
      </div>
    </div>
  );
}

interface RowProps {
  readonly run: GroupRun;
  readonly axis: GroupAxis;
  /** The time at which the bar of an active run ends. */
  readonly now: number;
  readonly isMarked: boolean;
}

/** Beside the bar where there is room, else at its beginning. */
function placeOfWords(start: number, end: number): CSSProperties {
  if (end < 0.75) return { left: `${end * 100}%` };
  return start > 0.25 ? { right: `${(1 - start) * 100}%` } : { left: `${start * 100}%` };
}

/** Rows of ended runs are not drawn again while others go on, unless the axis grows. Those out of sight are not laid out. */
const Row = memo(function Row({ run, axis, now, isMarked }: RowProps) {
  const { id, status, agent, message, projectName, createdAt, startedAt } = run;
  const { queued, start, end } = barOfRun(run, axis, now);
  const per = (part: number) => `${part * 100}%`;
  const took = startedAt === undefined ? undefined : formatDuration(Math.max(0, now - startedAt) * 1_000);
  const words = took === undefined ? 'not started' : took;
  return (
    <li className="[contain-intrinsic-size:auto_2.75rem] [content-visibility:auto]">
      <Link
        href={`/r/${id}`}
        prefetch={false}
        aria-current={isMarked || undefined}
        title={`${projectName}: ${message}`}
        className={classNames(
          columns,
          'items-center py-1.5 hover:bg-hover focus-visible:-outline-offset-2 aria-[current]:bg-accent-soft',
        )}
      >
        <span className="min-w-0">
          <span className="flex min-w-0 items-center gap-1.5">
            <StatusLabel status={status} look="icon" />
            <span className="truncate font-medium text-ink text-sm">{agent ?? 'Entry agent'}</span>
            {isMarked && <span className="sr-only">, the run you come from</span>}
          </span>
          <span className="block truncate text-muted text-xs">
            <VisibleText text={message} use="prose" />
          </span>
        </span>
        <span className="relative block h-7">
          <span
            aria-hidden
            className="absolute top-2.5 h-2 bg-queued-soft"
            style={{ left: per(queued), width: per(start - queued) }}
          />
          <span
            aria-hidden
            className={classNames('absolute top-1 h-5 min-w-0.5 rounded-xs', tones[status])}
            style={{ left: `min(${per(start)}, 100% - 2px)`, width: per(end - start) }}
          />
          <span
            suppressHydrationWarning
            className="absolute top-1 whitespace-nowrap rounded-xs bg-surface/85 px-1 text-2xs text-ink leading-5 tabular-nums"
            style={placeOfWords(start, end)}
          >
            {words}
            <span className="sr-only">, began {new Date(createdAt).toISOString()}</span>
          </span>
        </span>
      </Link>
    </li>
  );
});
