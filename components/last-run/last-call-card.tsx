'use client';

import { useDeferredValue, useMemo } from 'react';
import { useReadProject } from '@/components/editor-state/project-context';
import { useShownRun } from '@/components/run/shown-run';
import { type LiveTrace, useFetched } from '@/components/run/use-run';
import { statusOf } from '@/components/timeline/span-status';
import { spanNotes } from '@/components/timeline/span-words';
import { StatusLabel } from '@/components/ui/status';
import { VisibleText } from '@/components/ui/visible-text';
import { callsOf, type Drawn, targetOfEdge, targetOfHook, targetOfNode } from '@/lib/editor/last-calls';
import type { Point } from '@/lib/graph/graph';
import { formatCount } from '@/lib/trace/wording';
import { callName, countWords, durationOf } from './call-words';

/** A part of the canvas under the pointer. */
export interface Part {
  readonly node?: string | undefined;
  readonly hook?: string | undefined;
  readonly edge?: string | undefined;
}

export interface LastCallProps {
  readonly runId: string;
  readonly part: Part;
  /** The place of the pointer on the screen. */
  readonly at: Point;
  /** The place of the canvas on the screen. */
  readonly frame: DOMRect | undefined;
}

const widthPx = 300;

/** The last call of a part of the canvas, beside the pointer. */
export function LastCallCard({ runId, ...props }: LastCallProps) {
  const run = useShownRun(runId);
  return run === undefined ? null : <CardOf run={run} {...props} />;
}

function CardOf({ run, part, at, frame }: Omit<LastCallProps, 'runId'> & { readonly run: LiveTrace }) {
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
