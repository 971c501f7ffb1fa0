'use client';

import { Move } from 'lucide-react';
import { type RefObject, useEffect, useMemo, useRef, useState } from 'react';
import { scrollToShow } from '@/components/timeline/lane-scroll';
import { useSize } from '@/components/timeline/use-size';
import { Button } from '@/components/ui/button';
import { EmptyState } from '@/components/ui/empty-state';
import type { Picture } from '@/lib/graph/picture';
import type { Trace } from '@/lib/trace/trace';
import { graphScale } from './graph-scale';
import { pictureOfLanes } from './picture-of-lanes';
import { type RunBox, type RunDrawing, type RunLine, runGraph } from './run-graph';
import { RunGraphNode } from './run-graph-node';
import type { LoadedPicture } from './use-run-picture';
import { useWide } from './use-wide';
import { usedPart } from './used-part';

export interface RunGraphProps {
  readonly loaded: LoadedPicture;
  /** The whole trace of an imported run. It came without a graph, so its graph is who called whom. */
  readonly derivedFrom: Trace | undefined;
  readonly trace: Trace;
  readonly version: number;
  /** The run at its end, or as far as it has come. */
  readonly whole: Trace;
  /** The span whose agent is kept in view. */
  readonly followed: number | undefined;
  readonly onSelect: (span: number) => void;
  /** Microseconds since the origin. `undefined` means the end, or now while the run goes on. */
  readonly moment: number | undefined;
}

/**
 * Shows the graph as it was when the run started, with the work of each agent until a moment. Agents created during the run
 * are dashed.
 */
export function RunGraph({ loaded, derivedFrom, ...rest }: RunGraphProps) {
  if (derivedFrom !== undefined) return <Derived from={derivedFrom} {...rest} />;
  if (loaded === undefined) {
    return (
      <p role="status" className="p-3 text-muted text-sm">
        Loading the graph
      </p>
    );
  }
  if ('error' in loaded) return <EmptyState title="The graph could not be loaded">{loaded.error}</EmptyState>;
  return <Watched picture={loaded.picture} {...rest} />;
}

type Shown = Omit<RunGraphProps, 'loaded' | 'derivedFrom'>;

function Derived({ from, ...rest }: Shown & { readonly from: Trace }) {
  const { picture, leftOut } = useMemo(() => pictureOfLanes(from), [from]);
  const left =
    leftOut > 0 ? ` ${leftOut.toLocaleString('en-US')} more agents, servers and functions are left out.` : '';
  const note = `An imported run has no files. This graph shows who called whom.${left}`;
  return <Watched picture={picture} note={note} {...rest} />;
}

function Watched(props: Shown & { readonly picture: Picture; readonly note?: string }) {
  const { picture, note, trace, version, whole, followed, onSelect, moment } = props;
  const [showsAll, setShowsAll] = useState(false);
  // The trace changes in place; its length says when.
  const used = useMemo(() => usedPart(picture, whole), [picture, whole, whole.spans.length, whole.run.status]);
  const part = showsAll ? picture : used;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the trace changes in place; its version says when
  const drawing = useMemo(() => runGraph(part, trace, moment), [part, trace, version, moment]);
  const agent = followed === undefined ? undefined : trace.lanes[trace.spans.lane.at(followed)]?.agentName;
  const boxOf = (of: string | undefined) => drawing.boxes.find(({ kind, name }) => kind === 'agent' && name === of);
  if (drawing.boxes.length === 0)
    return <EmptyState title="No graph">The folder had no agent when the run started.</EmptyState>;
  const created = drawing.boxes.filter((box) => box.created).length;
  const called = drawing.lines.some((line) => line.dotted);
  const chosen = drawing.lines.some((line) => line.chosen > 0);
  const open = (lane: number) => {
    const span = trace.lanes[lane]?.span;
    if (span !== undefined) onSelect(span);
  };
  return (
    <div className="flex h-full min-h-0 flex-col">
      {(note !== undefined || created > 0 || called || chosen) && (
        <p className="shrink-0 px-3 pt-2 text-muted text-xs">
          {[
            note,
            created > 0 && `Dashed: ${created === 1 ? 'an agent' : `${created} agents`} made during this run`,
            called && 'Dotted: called by name',
            chosen && 'Bold: chosen by a router',
          ]
            .filter(Boolean)
            .join(' · ')}
        </p>
      )}
      <Drawing
        drawing={drawing}
        onOpen={open}
        open={moment !== undefined || trace.run.status === undefined}
        followed={boxOf(agent)}
        first={boxOf(whole.run.entryAgent)}
        others={
          used === picture ? undefined : { count: picture.nodes.length - used.nodes.length, showsAll, setShowsAll }
        }
      />
    </div>
  );
}

function Drawing(props: {
  readonly drawing: RunDrawing;
  readonly onOpen: (lane: number) => void;
  readonly open: boolean;
  /** The box to keep in view. */
  readonly followed: RunBox | undefined;
  /** The box that is in view when the graph opens. */
  readonly first: RunBox | undefined;
  /** What the run did not use. */
  readonly others:
    | { readonly count: number; readonly showsAll: boolean; readonly setShowsAll: (shows: boolean) => void }
    | undefined;
}) {
  const { drawing, onOpen, open, followed, first, others } = props;
  const { boxes, lines, width, height } = drawing;
  const box = useRef<HTMLDivElement>(null);
  const view = useSize(box);
  const isStacked = !useWide();
  const [isWhole, setWhole] = useState(false);
  const [scrolled, setScrolled] = useState(0);
  const { scale, isLarge } = graphScale(drawing, view, { isWhole, isStacked });
  useKept(box, { followed, first, scale, isSized: view.width > 0 });
  const beyond = Math.ceil(width * scale) - view.width - scrolled;
  return (
    <div className="relative flex min-h-0 flex-1 flex-col">
      <div
        ref={box}
        onScroll={(event) => setScrolled(event.currentTarget.scrollLeft)}
        className="relative min-h-0 flex-1 overflow-auto max-md:max-h-96"
      >
        <div
          className="overflow-hidden"
          style={{ width: Math.floor(width * scale), height: Math.floor(height * scale) }}
        >
          <div className="relative origin-top-left" style={{ width, height, transform: `scale(${scale})` }}>
            <Lines lines={lines} width={width} height={height} />
            <ul aria-label="Graph of this run">
              {boxes.map((one) => (
                <li
                  key={one.id}
                  className="absolute"
                  style={{ left: one.x, top: one.y, width: one.width, height: one.height }}
                >
                  <RunGraphNode box={one} onOpen={onOpen} open={open} />
                </li>
              ))}
            </ul>
          </div>
        </div>
      </div>
      {view.width > 0 && beyond > 1 && (
        <div className="pointer-events-none absolute inset-y-0 right-0 w-10 bg-linear-to-l from-surface to-transparent" />
      )}
      {(isLarge || others !== undefined) && (
        <p className="flex min-h-7 shrink-0 flex-wrap items-center gap-1.5 border-t px-3 text-2xs text-muted">
          {isLarge && <Move aria-hidden className="size-3.5 shrink-0" />}
          <span className="min-w-0 flex-1">
            {isLarge &&
              (isWhole ? 'The whole graph. Names may be too small to read.' : 'Scroll for the rest of the graph')}
          </span>
          {isLarge && (
            <Button size="sm" variant="ghost" onClick={() => setWhole(!isWhole)}>
              {isWhole ? 'Make names readable' : 'See it whole'}
            </Button>
          )}
          {others !== undefined && (
            <Button size="sm" variant="ghost" onClick={() => others.setShowsAll(!others.showsAll)}>
              {others.showsAll ? 'Only what took part' : `Show ${others.count} more that took no part`}
            </Button>
          )}
        </p>
      )}
    </div>
  );
}

interface Kept {
  readonly followed: RunBox | undefined;
  readonly first: RunBox | undefined;
  readonly scale: number;
  readonly isSized: boolean;
}

/** Scrolls to a box when the graph opens, and when another one is to be kept in view. */
function useKept(view: RefObject<HTMLElement | null>, { followed, first, scale, isSized }: Kept) {
  const wasOpened = useRef(false);
  const id = followed?.id;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each box, which has its place
  useEffect(() => {
    const { current } = view;
    const box = followed ?? (wasOpened.current ? undefined : first);
    if (current === null || box === undefined || !isSized) return;
    wasOpened.current = true;
    const { scrollLeft, scrollTop, clientWidth, clientHeight } = current;
    const across = { top: box.x * scale, bottom: (box.x + box.width) * scale };
    const down = { top: box.y * scale, bottom: (box.y + box.height) * scale };
    current.scrollLeft = scrollToShow(across, { top: scrollLeft, height: clientWidth });
    current.scrollTop = centred(down, { top: scrollTop, height: clientHeight });
  }, [id, isSized]);
}

interface Stretch {
  readonly top: number;
  readonly bottom: number;
}

/** Returns where to scroll so that a box out of view is in the middle, with what it calls beside it. */
function centred({ top, bottom }: Stretch, view: { readonly top: number; readonly height: number }): number {
  if (top >= view.top && bottom <= view.top + view.height) return view.top;
  return Math.max(0, (top + bottom - view.height) / 2);
}

function Lines({ lines, width, height }: Pick<RunDrawing, 'lines' | 'width' | 'height'>) {
  return (
    <>
      <svg aria-hidden width={width} height={height} className="absolute inset-0 fill-none">
        <defs>
          <marker
            id="run-graph-arrow"
            viewBox="0 0 8 8"
            refX="7"
            refY="4"
            markerWidth="9"
            markerHeight="9"
            markerUnits="userSpaceOnUse"
            orient="auto"
          >
            <path d="M1 1 7 4 1 7" className="fill-none" stroke="context-stroke" />
          </marker>
        </defs>
        {lines.map((line) => (
          <path
            key={line.id}
            d={line.path}
            stroke={inkOf(line)}
            strokeWidth={line.live > 0 || line.chosen > 0 ? 2 : line.faint ? 1 : 1.25}
            strokeDasharray={line.dashed ? '5 4' : line.dotted ? '2 3' : undefined}
            markerEnd="url(#run-graph-arrow)"
          />
        ))}
      </svg>
      {lines.map(
        (line) =>
          line.calls > 1 && (
            <span
              key={line.id}
              aria-hidden
              title={`${line.calls} calls`}
              className="absolute -translate-x-1/2 -translate-y-1/2 rounded-full border bg-surface px-1.5 text-2xs text-muted tabular-nums"
              style={{ left: line.x, top: line.y }}
            >
              {line.calls}
            </span>
          ),
      )}
    </>
  );
}

function inkOf({ live, chosen, dashed, faint }: RunLine): string {
  if (live > 0) return 'var(--busy)';
  if (chosen > 0) return 'var(--accent)';
  if (dashed) return 'var(--agent)';
  return faint ? 'var(--line-strong)' : 'var(--faint)';
}
