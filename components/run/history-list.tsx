'use client';

import { ChevronDown, ChevronRight, CircleX } from 'lucide-react';
import { memo, type ReactNode, type RefObject, useEffect, useMemo, useRef, useState } from 'react';
import { InstanceName } from '@/components/timeline/instance-name';
import { scrollToShow } from '@/components/timeline/lane-scroll';
import { laneStatus } from '@/components/timeline/span-status';
import { useSize } from '@/components/timeline/use-size';
import { childrenOf, isError } from '@/components/timeline/walk';
import { classNames } from '@/components/ui/class-names';
import { StatusLabel } from '@/components/ui/status';
import type { EventCache, Fetched } from '@/lib/client/event-cache';
import type { EventPreview } from '@/lib/client/run-source';
import { type HistoryIndex, type HistoryRow, indexHistory } from '@/lib/trace/history';
import { layoutRows } from '@/lib/trace/lanes';
import { isLaneWaiting, openByLane } from '@/lib/trace/questions';
import { spanName, type Trace } from '@/lib/trace/trace';
import { DelegationBadge, InstanceLink } from './delegation';
import { DecisionRow, ReasonRow } from './history-decision';
import { HookRow } from './history-hook';
import { QuestionRow } from './history-question';
import type { LiveSaid, Said } from './live-said';
import { SaidRow } from './said-text';
import { useRowStop } from './use-row-stop';
import { useFetched } from './use-run';
import { useSaid } from './use-said';

export interface HistoryListProps {
  readonly trace: Trace;
  readonly version: number;
  readonly selected: number | undefined;
  /** True if the result of the selected call was chosen, and not the call. */
  readonly atEnd: boolean;
  /** The span whose row is kept in view, if it is not the selected one. */
  readonly followed: number | undefined;
  readonly onSelect: (span: number, atEnd?: boolean) => void;
  /** Arguments and results are requested as their rows come into view. */
  readonly previews: EventCache<EventPreview>;
  /** What models say in calls that go on. */
  readonly said: LiveSaid;
}

const rowPx = 26;
/** The height of an unfolded reason: four lines. */
const reasonPx = 76;
const spareRows = 6;
/** The rows with a line that comes from the server. */
const previewed: ReadonlySet<HistoryRow['kind']> = new Set(['call', 'hook', 'result', 'answered']);

/** Shows what each instance called and got, grouped by correlation id and instance. Only the rows in view are rendered. */
export const HistoryList = memo(function HistoryList(props: HistoryListProps) {
  const { trace, version, selected, atEnd, followed, onSelect, previews, said } = props;
  const [folded, setFolded] = useState<ReadonlySet<number>>(new Set());
  const [reasons, setReasons] = useState<ReadonlySet<number>>(new Set());
  const [scrollTop, setScrollTop] = useState(0);
  const box = useRef<HTMLDivElement>(null);
  const { height } = useSize(box);
  const { laneVersion } = trace;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the trace changes in place; its lane version says when
  const lanes = useMemo(() => [...layoutRows(trace, new Set()).lanes], [trace, laneVersion]);
  const saying = useSaid(said, trace);
  const speakers = saying.map(({ span }) => span).join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the trace changes in place; its version says when
  const index = useMemo(() => {
    const spans = saying.map(({ span }) => span);
    return indexHistory(trace, lanes, folded, reasons, spans);
  }, [trace, version, lanes, folded, reasons, speakers]);
  useShown(box, trace, index, selected, atEnd);
  useShown(box, trace, index, followed, true);
  const first = Math.max(0, rowAtTop(index, scrollTop) - spareRows);
  const last = Math.min(index.count, rowAtTop(index, scrollTop + height) + 1 + spareRows);
  const shown = index.rows(first, last);
  const lines = useFetched(
    previews,
    shown.map((row) => (row.kind !== 'group' && previewed.has(row.kind) ? row.seq : 0)),
  );

  const chosen = shown.findIndex((row) => row.kind !== 'group' && row.span === selected);
  const stop = useRowStop(box, chosen < 0 ? undefined : first + chosen + 1);

  return (
    <div
      ref={box}
      {...stop}
      onScroll={(event) => setScrollTop(event.currentTarget.scrollTop)}
      className="h-full min-h-0 overflow-y-auto overflow-x-hidden"
    >
      <ol aria-label="Calls and results" className="relative" style={{ height: topOf(index, index.count) }}>
        {shown.map((row, i) => (
          <li
            key={row.kind === 'group' ? `g${row.lane}` : row.kind === 'reason' ? `r${row.seq}` : row.seq}
            aria-posinset={first + i + 1}
            aria-setsize={index.count}
            className="absolute inset-x-0"
            style={{ top: topOf(index, first + i), height: row.kind === 'reason' ? reasonPx : rowPx }}
          >
            <Row
              {...{ trace, row, onSelect, atEnd }}
              line={lines[i]}
              selected={row.kind !== 'group' && row.span === selected}
              said={row.kind === 'said' ? saying.find(({ span }) => span === row.span) : undefined}
              unfolded={row.kind === 'group' ? !folded.has(row.lane) : reasons.has(row.span)}
              onToggle={() =>
                row.kind === 'group' ? setFolded(toggled(folded, row.lane)) : setReasons(toggled(reasons, row.span))
              }
            />
          </li>
        ))}
      </ol>
    </div>
  );
});

/** Scrolls to the row of a span, or of its result, when another one is to be shown. */
function useShown(
  box: RefObject<HTMLElement | null>,
  { spans }: Trace,
  index: HistoryIndex,
  span: number | undefined,
  atEnd: boolean,
) {
  const latest = useRef(index);
  latest.current = index;
  useEffect(() => {
    if (span === undefined || span >= spans.length || box.current === null) return;
    const seq = (atEnd && spans.endSeq.at(span)) || spans.startSeq.at(span);
    const row = latest.current.rowOf(span, seq);
    if (row === undefined) return;
    const place = { top: topOf(latest.current, row), bottom: topOf(latest.current, row + 1) };
    const view = { top: box.current.scrollTop, height: box.current.clientHeight };
    const to = scrollToShow(place, view);
    if (to !== view.top) box.current.scrollTop = to;
  }, [box, spans, span, atEnd]);
}

interface RowProps {
  readonly trace: Trace;
  readonly row: HistoryRow;
  readonly line: Fetched<EventPreview> | undefined;
  readonly selected: boolean;
  readonly atEnd: boolean;
  /** What a row of kind `said` shows. */
  readonly said: Said | undefined;
  /** True for a group that shows its rows, and a decision that shows its reason. */
  readonly unfolded: boolean;
  readonly onToggle: () => void;
  readonly onSelect: HistoryListProps['onSelect'];
}

function Row({ row, ...props }: RowProps): ReactNode {
  const { trace, line, selected, atEnd, unfolded, onToggle, onSelect } = props;
  switch (row.kind) {
    case 'group':
      return <GroupRow {...{ trace, row, onToggle }} folded={!unfolded} />;
    case 'decision':
      return <DecisionRow {...{ trace, row, onSelect, selected, unfolded, onToggle }} />;
    case 'reason':
      return <ReasonRow trace={trace} span={row.span} />;
    case 'said':
      return <SaidRow said={props.said} selected={selected} onSelect={() => onSelect(row.span)} />;
    case 'hook':
      return <HookRow {...{ trace, row, onSelect, line, selected }} />;
    case 'asked':
    case 'answered':
      return (
        <QuestionRow {...{ trace, row, line, onSelect }} selected={selected && (row.kind === 'answered') === atEnd} />
      );
    case 'call':
    case 'result':
      return <CallRow {...{ trace, row, line, onSelect }} selected={selected && (row.kind === 'result') === atEnd} />;
  }
}

/** Returns the y of a row. That of the number of rows is the height of all. */
function topOf({ reasons }: HistoryIndex, row: number): number {
  const taller = reasons.filter((reason) => reason < row).length;
  return row * rowPx + taller * (reasonPx - rowPx);
}

/** Returns the last row that begins at or above a y. */
function rowAtTop(index: HistoryIndex, y: number): number {
  let low = 0;
  let high = Math.max(index.count - 1, 0);
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if (topOf(index, middle) <= y) low = middle;
    else high = middle - 1;
  }
  return low;
}

function toggled(set: ReadonlySet<number>, one: number): ReadonlySet<number> {
  const next = new Set(set);
  if (!next.delete(one)) next.add(one);
  return next;
}

function GroupRow(props: {
  readonly trace: Trace;
  readonly row: Extract<HistoryRow, { kind: 'group' }>;
  readonly folded: boolean;
  readonly onToggle: () => void;
}) {
  const lane = props.trace.lanes[props.row.lane];
  if (lane === undefined) return null;
  const Chevron = props.folded ? ChevronRight : ChevronDown;
  const { calls, decisions } = props.row;
  return (
    <button
      type="button"
      data-row
      aria-expanded={!props.folded}
      onClick={props.onToggle}
      title={`${lane.path}\n${lane.correlationId}`}
      className="flex size-full cursor-pointer items-center gap-1.5 border-b bg-ground px-2 text-left text-xs hover:bg-hover focus-visible:-outline-offset-2"
    >
      <Chevron aria-hidden className="size-3.5 shrink-0 text-faint" />
      <StatusLabel status={laneStatus(lane, isLaneWaiting(props.trace, openByLane(props.trace), lane))} look="icon" />
      <InstanceName name={lane.instanceName} strong />
      <span className="min-w-0 flex-1 truncate font-mono text-2xs text-faint">{shortId(lane.correlationId)}</span>
      <span className="shrink-0 text-2xs text-muted tabular-nums">
        {[
          calls === 1 ? '1 call' : `${calls} calls`,
          decisions > 0 && (decisions === 1 ? '1 decision' : `${decisions} decisions`),
        ]
          .filter(Boolean)
          .join(' · ')}
      </span>
    </button>
  );
}

function CallRow(props: {
  readonly trace: Trace;
  readonly row: Extract<HistoryRow, { kind: 'call' | 'result' }>;
  readonly line: Fetched<EventPreview> | undefined;
  readonly selected: boolean;
  readonly onSelect: HistoryListProps['onSelect'];
}) {
  const { trace, row, line, selected, onSelect } = props;
  const failed = row.kind === 'result' && isError(trace, row.span);
  const preview = line === undefined || line === 'loading' ? '…' : 'value' in line ? line.value.text : line.error;
  const delegated = row.kind === 'call' && trace.spans.sourceOf(row.span) === 'agent';
  return (
    <div
      className={classNames(
        'flex size-full items-stretch border-ground border-b hover:bg-hover',
        selected && 'bg-accent-soft hover:bg-accent-soft',
      )}
    >
      <button
        type="button"
        data-row
        aria-pressed={selected}
        onClick={() => onSelect(row.span, row.kind === 'result')}
        className="flex min-w-0 flex-1 cursor-pointer items-center gap-1.5 pr-2 pl-7 text-left text-xs focus-visible:-outline-offset-2"
      >
        <span
          className={classNames(
            'w-13 shrink-0 font-mono text-2xs',
            row.kind === 'call' ? 'text-muted' : failed ? 'text-bad' : 'text-ok',
          )}
        >
          {row.kind === 'result' ? 'result→' : trace.spans.kindOf(row.span) === 'setup' ? 'start→' : 'tool→'}
        </span>
        {failed && (
          <span className="text-bad">
            <CircleX aria-hidden className="size-3.5" />
            <span className="sr-only">failed</span>
          </span>
        )}
        {delegated && <DelegationBadge />}
        {row.kind === 'call' && (
          <span className={classNames('font-medium text-ink', delegated ? 'min-w-12 truncate' : 'shrink-0')}>
            {spanName(trace, row.span)}
          </span>
        )}
        <span className={classNames('min-w-0 flex-1 truncate font-mono text-2xs', failed ? 'text-bad' : 'text-muted')}>
          {preview}
        </span>
      </button>
      {delegated && <ChildLinks trace={trace} span={row.span} onSelect={onSelect} />}
    </div>
  );
}

/** Links to the latest attempt, and says how many there were. */
function ChildLinks(props: {
  readonly trace: Trace;
  readonly span: number;
  readonly onSelect: (span: number) => void;
}) {
  const { trace, span, onSelect } = props;
  const children = childrenOf(trace, span);
  const lane = children.at(-1);
  if (lane === undefined) return null;
  return (
    <span className="flex max-w-2/5 shrink-0 items-center gap-1 pr-2 text-2xs">
      <InstanceLink {...{ trace, lane, onSelect }} look="name" className="w-full" />
      {children.length > 1 && <span className="shrink-0 text-muted">{children.length} attempts</span>}
    </span>
  );
}

function shortId(id: string): string {
  return id.length > 20 ? id.slice(0, 8) : id;
}
