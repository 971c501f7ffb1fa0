'use client';

import { type RefObject, useDeferredValue, useEffect, useMemo, useState } from 'react';
import { useReadProject } from '@/components/editor-state/project-context';
import { useRun } from '@/components/editor-state/run-context';
import { useShownRun } from '@/components/run/shown-run';
import { type LiveTrace, useFetched } from '@/components/run/use-run';
import { spanNotes, statusOf } from '@/components/timeline/span-words';
import { StatusLabel } from '@/components/ui/status';
import { VisibleText } from '@/components/ui/visible-text';
import { callsOf, type Drawn, targetOfEdge, targetOfHook, targetOfNode } from '@/lib/editor/last-calls';
import type { Point } from '@/lib/graph/graph';
import { formatCount } from '@/lib/trace/wording';
import { callName, countWords, durationOf } from './call-words';

/** A part of the canvas under the pointer. */
interface Part {
  readonly node?: string | undefined;
  readonly hook?: string | undefined;
  readonly edge?: string | undefined;
}

/** So long the pointer rests on a part before its card shows, in milliseconds. */
const restMs = 450;
const widthPx = 300;

/**
 * Shows the last call of what the pointer rests on: a small form of the tab *Last run*. It takes no pointer itself, and it is gone as
 * soon as somebody presses a button or a key, or turns the wheel.
 */
export function HoverCard({ frame }: { readonly frame: RefObject<HTMLElement | null> }) {
  const runId = useRun((state) => state.runId);
  const [shown, setShown] = useState<{ readonly part: Part; readonly at: Point }>();
  useEffect(() => {
    const box = frame.current;
    if (runId === undefined || box === null) return;
    return watchRest(box, setShown);
  }, [frame, runId]);
  const run = useShownRun(shown === undefined ? undefined : runId);
  if (shown === undefined || run === undefined) return null;
  return <CardOf run={run} {...shown} frame={frame.current?.getBoundingClientRect()} />;
}

/** Tells where the pointer rests, and when it no longer does. Returns a function that ends it. */
function watchRest(
  box: HTMLElement,
  tell: (shown: { readonly part: Part; readonly at: Point } | undefined) => void,
): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let key: string | undefined;
  let at: Point = { x: 0, y: 0 };
  const forget = () => {
    clearTimeout(timer);
    key = undefined;
    tell(undefined);
  };
  const onMove = (event: PointerEvent) => {
    at = { x: event.clientX, y: event.clientY };
    if (event.buttons !== 0 || event.pointerType === 'touch') return;
    const part = partAt(event.target);
    const next = part === undefined ? undefined : JSON.stringify(part);
    if (next === key) return;
    forget();
    key = next;
    if (part !== undefined) timer = setTimeout(() => tell({ part, at }), restMs);
  };
  const stop = new AbortController();
  const options = { signal: stop.signal, passive: true };
  box.addEventListener('pointermove', onMove, options);
  box.addEventListener('pointerleave', forget, options);
  box.addEventListener('wheel', forget, { ...options, capture: true });
  box.addEventListener('pointerdown', forget, { ...options, capture: true });
  window.addEventListener('keydown', forget, { ...options, capture: true });
  return () => {
    stop.abort();
    forget();
  };
}

/** Returns the part of the canvas that an element belongs to. A handle is there to be dragged, so it has no card. */
function partAt(target: EventTarget | null): Part | undefined {
  if (!(target instanceof Element) || target.closest('.react-flow__handle, input, textarea') !== null) return undefined;
  const node = target.closest('.react-flow__node')?.getAttribute('data-id');
  if (node != null) return { node, hook: target.closest('[data-bead]')?.getAttribute('data-bead') ?? undefined };
  const edge = target.closest('.react-flow__edge')?.getAttribute('data-id');
  return edge == null ? undefined : { edge };
}

function CardOf(props: {
  readonly run: LiveTrace;
  readonly part: Part;
  readonly at: Point;
  readonly frame: DOMRect | undefined;
}) {
  const { run, part, at, frame } = props;
  const { trace } = run;
  const { picture } = useReadProject()();
  const target = useMemo(() => targetOf(picture, part), [picture, part]);
  const version = useDeferredValue(run.version);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the trace changes in place; its version says when
  const calls = useMemo(() => target && callsOf(trace, target, 1), [trace, version, target]);
  const span = calls?.newest[0]?.span;
  const { spans } = trace;
  const seqs = span === undefined ? [0, 0] : [spans.startSeq.at(span), spans.endSeq.at(span)];
  const [input, output] = useFetched(run.previews, seqs).map((line) =>
    line !== undefined && line !== 'loading' && 'value' in line ? line.value.text : undefined,
  );
  if (target === undefined || calls === undefined || span === undefined || frame === undefined) return null;
  const used = spans.inputTokens.at(span) + spans.outputTokens.at(span);
  return (
    <div
      // The tab "Last run" has the same for people who use no pointer.
      aria-hidden
      data-last-call
      className="pointer-events-none absolute z-30 flex flex-col gap-1 rounded-lg border bg-raised px-3 py-2 text-xs shadow-pop"
      style={{ width: widthPx, ...besides(at, frame) }}
    >
      <p className="flex min-w-0 items-center gap-1.5">
        <StatusLabel status={statusOf(trace, span)} look="icon" />
        <span className="min-w-0 truncate font-medium text-ink">
          <VisibleText text={callName(trace, target, span)} />
        </span>
        {spanNotes(trace, span).map((note) => (
          <span key={note} className="shrink-0 text-warn">
            {note}
          </span>
        ))}
        <span className="ml-auto shrink-0 text-muted tabular-nums">
          {durationOf(trace, span, run.now())}
          {used > 0 && ` · ${formatCount(used)} tokens`}
        </span>
      </p>
      <Line word="in" text={input} />
      <Line word="out" text={output} />
      <p className="text-faint tabular-nums">{countWords(calls)} in this run</p>
    </div>
  );
}

function Line({ word, text }: { readonly word: string; readonly text: string | undefined }) {
  if (text === undefined || text === '') return null;
  return (
    <p className="flex min-w-0 gap-2">
      <span className="w-5 shrink-0 text-faint">{word}</span>
      <span className="line-clamp-3 min-w-0 break-words text-ink">
        <VisibleText text={text} />
      </span>
    </p>
  );
}

function targetOf(picture: Drawn, part: Part) {
  if (part.edge !== undefined) {
    const edge = picture.graph.edges.find(({ id }) => id === part.edge);
    return edge && targetOfEdge(picture, edge);
  }
  if (part.node === undefined) return undefined;
  return part.hook === undefined ? targetOfNode(picture, part.node) : targetOfHook(picture, part.node, part.hook);
}

/** Returns the place of the card beside the pointer, inside the canvas. It is on the side of the pointer that has more room. */
function besides(at: Point, frame: DOMRect): React.CSSProperties {
  const left = Math.max(8, Math.min(at.x - frame.left + 14, frame.width - widthPx - 8));
  return at.y - frame.top > frame.height / 2
    ? { left, bottom: frame.bottom - at.y + 14 }
    : { left, top: at.y - frame.top + 18 };
}
