'use client';

import { ExternalLink, LoaderCircle } from 'lucide-react';
import Link from 'next/link';
import { useEffect, useState } from 'react';
import { PlainText, TextDiff } from '@/components/hook-bench/text-diff';
import { type LiveTrace, useFetched } from '@/components/run/use-run';
import { statusOf } from '@/components/timeline/span-status';
import { kindWord, spanNotes } from '@/components/timeline/span-words';
import { Badge } from '@/components/ui/badge';
import { EmptyState } from '@/components/ui/empty-state';
import { StatusLabel } from '@/components/ui/status';
import type { Fetched } from '@/lib/client/event-cache';
import { type CallPage, loadCallPage } from '@/lib/client/model-calls';
import type { Difference } from '@/lib/trace/compare/compare-runs';
import { notRecorded } from '@/lib/trace/not-recorded';
import type { ShortEvent } from '@/lib/trace/short-event';
import { spanEnd, spanTitle } from '@/lib/trace/trace';
import { formatCount, formatDuration } from '@/lib/trace/wording';
import { deltaCount, deltaTime, differenceWords } from './compare-words';
import { SideMark } from './side-mark';
import { pairTexts, recordedTexts, type TextPair, textsOfCall, textsOfEvent } from './step-texts';
import type { StepPair } from './use-compare-place';

export interface StepPairProps {
  readonly a: ComparedSide;
  readonly b: ComparedSide;
  readonly pair: StepPair;
  /** The differences of this pair. */
  readonly differences: readonly Difference[];
}

export interface ComparedSide {
  readonly id: string;
  readonly run: LiveTrace;
}

/** Shows the chosen step of both runs: its figures, and what it was asked and answered as a diff. */
export function StepPairDetail({ a, b, pair, differences }: StepPairProps) {
  const shown = pair.a === undefined ? { side: b, span: pair.b } : { side: a, span: pair.a };
  if (shown.span === undefined || shown.span >= shown.side.run.trace.spans.length) {
    return (
      <EmptyState title="No step selected">
        Click a bar or a row, or press N for the next difference. What it was asked and answered appears here, side by
        side.
      </EmptyState>
    );
  }
  const { trace } = shown.side.run;
  const span = shown.span;
  const kind = trace.spans.kindOf(span);
  return (
    <div className="flex flex-col gap-3 p-3">
      <div>
        <h3 className="break-words font-medium text-ink text-sm">{spanTitle(trace, span)}</h3>
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-muted text-xs">
          {kindWord(trace, span)}
          {differences.map(({ what }) => (
            <Badge key={what} tone="warn">
              {differenceWords(what, kind === 'queued' ? 'instance' : kind)}
            </Badge>
          ))}
          {differences.length === 0 && pair.a !== undefined && pair.b !== undefined && <Badge>no difference</Badge>}
        </p>
      </div>
      <Facts {...{ a, b, pair }} />
      <Texts key={`${pair.a}.${pair.b}`} {...{ a, b, pair }} />
    </div>
  );
}

type BothProps = Pick<StepPairProps, 'a' | 'b' | 'pair'>;

function Facts({ a, b, pair }: BothProps) {
  const [left, right] = [factsOf(a, pair.a), factsOf(b, pair.b)];
  const delta = left !== undefined && right !== undefined;
  return (
    <div className="overflow-x-auto">
      <table className="w-full text-left text-xs tabular-nums [&_td]:py-0.5 [&_td]:pr-3 [&_th]:pr-3 [&_th]:font-normal">
        <thead className="text-2xs text-muted">
          <tr>
            <th scope="col">Run</th>
            <th scope="col">Status</th>
            <th scope="col">Starts at</th>
            <th scope="col">Duration</th>
            <th scope="col">Tokens</th>
            <th scope="col">Instance</th>
            <th scope="col">
              <span className="sr-only">Link</span>
            </th>
          </tr>
        </thead>
        <tbody>
          <FactsRow side="a" of={a} span={pair.a} />
          <FactsRow side="b" of={b} span={pair.b} />
          {delta && (
            <tr className="text-ink">
              <td className="text-muted">Δ</td>
              <td />
              <td>{deltaTime(right.start - left.start)}</td>
              <td>{deltaTime(right.duration - left.duration)}</td>
              <td>{deltaCount(right.tokens - left.tokens)}</td>
              <td />
              <td />
            </tr>
          )}
        </tbody>
      </table>
    </div>
  );
}

function factsOf({ run }: ComparedSide, span: number | undefined) {
  if (span === undefined || span >= run.trace.spans.length) return undefined;
  const { spans, lanes } = run.trace;
  const start = spans.start.at(span);
  return {
    start,
    duration: spanEnd(run.trace, span, run.now()) - start,
    tokens: spans.inputTokens.at(span) + spans.outputTokens.at(span),
    path: lanes[spans.lane.at(span)]?.path ?? '',
    seq: spans.startSeq.at(span),
  };
}

function FactsRow({
  side,
  of,
  span,
}: {
  readonly side: 'a' | 'b';
  readonly of: ComparedSide;
  readonly span: number | undefined;
}) {
  const facts = factsOf(of, span);
  const letter = side.toUpperCase();
  if (facts === undefined || span === undefined) {
    return (
      <tr>
        <td>
          <SideMark side={side} />
        </td>
        <td colSpan={6} className="text-muted">
          This run has no such step.
        </td>
      </tr>
    );
  }
  const notes = spanNotes(of.run.trace, span);
  return (
    <tr className="text-ink">
      <td>
        <SideMark side={side} />
      </td>
      <td className="whitespace-nowrap">
        <StatusLabel status={statusOf(of.run.trace, span)} look="plain" />
        {notes.length > 0 && <span className="text-muted"> {notes.join(' · ')}</span>}
      </td>
      <td className="whitespace-nowrap">{formatDuration(facts.start)}</td>
      <td className="whitespace-nowrap">{formatDuration(facts.duration)}</td>
      <td>{facts.tokens === 0 ? '–' : formatCount(facts.tokens)}</td>
      <td className="min-w-32 max-w-64 truncate text-muted" title={facts.path}>
        {facts.path}
      </td>
      <td className="whitespace-nowrap">
        <Link
          href={`/r/${of.id}?span=${facts.seq}`}
          className="inline-flex items-center gap-1 text-accent underline-offset-2 hover:underline"
        >
          <ExternalLink aria-hidden className="size-3.5" />
          Open in {letter}
        </Link>
      </td>
    </tr>
  );
}

function Texts({ a, b, pair }: BothProps) {
  const [left, right] = [useTexts(a, pair.a), useTexts(b, pair.b)];
  if (left === 'loading' || right === 'loading') {
    return (
      <p role="status" className="flex items-center gap-2 text-muted text-xs">
        <LoaderCircle aria-hidden className="size-3.5 animate-spin" />
        Loading
      </p>
    );
  }
  const error = 'error' in left ? left.error : 'error' in right ? right.error : undefined;
  if (error !== undefined) return <p className="text-bad text-xs">{error}</p>;
  if (!('texts' in left) || !('texts' in right)) return null;
  // What differs comes first, because the tools of a model call may be long.
  const pairs = pairTexts(left.texts, right.texts).toSorted((x, y) => Number(x.a === x.b) - Number(y.a === y.b));
  if (pairs.length === 0) return <p className="text-muted text-xs">This step has no arguments, messages or result.</p>;
  return pairs.map((one) => (
    <TextBeside
      key={one.title}
      text={one}
      isPair={pair.a !== undefined && pair.b !== undefined}
      isUnrecorded={(one.a === undefined && left.isPart) || (one.b === undefined && right.isPart)}
    />
  ));
}

function TextBeside(props: {
  readonly text: TextPair;
  readonly isPair: boolean;
  /** One of the runs does not have this text, because its source did not record it. */
  readonly isUnrecorded: boolean;
}) {
  const { isPair, isUnrecorded } = props;
  const { title, a, b, isCut } = props.text;
  const note = isCut ? ' (the beginning; open the run for the rest)' : '';
  if (isPair && isUnrecorded) {
    const sides = a === undefined ? ', in B; not recorded in A' : ', in A; not recorded in B';
    return <PlainText label={`${title}${sides}${note}`} text={a ?? b ?? ''} />;
  }
  if (isPair && a !== b) return <TextDiff label={`${title}: − A, + B${note}`} before={a ?? ''} after={b ?? ''} />;
  const which = isPair ? ', the same in both' : a === undefined ? ', in B' : ', in A';
  return <PlainText label={`${title}${which}${note}`} text={a ?? b ?? ''} />;
}

type LoadedTexts =
  | 'loading'
  | { readonly error: string }
  | {
      readonly texts: ReturnType<typeof textsOfEvent>;
      /** The source of the run did not record all texts of the step. */
      readonly isPart: boolean;
    };

/** Loads the texts of a step: of a model call the whole conversation, of another step what its events have. */
function useTexts({ id, run }: ComparedSide, span: number | undefined): LoadedTexts {
  const { spans } = run.trace;
  const seqs = span === undefined ? [] : [spans.startSeq.at(span), spans.endSeq.at(span)];
  const [started, ended] = useFetched(run.cache, seqs);
  const call = useCallPage(id, started, seqs[1] ?? 0);
  if (span === undefined) return { texts: [], isPart: false };
  for (const one of [started, ended]) {
    if (one === 'loading') return 'loading';
    if (one !== undefined && 'error' in one) return one;
  }
  if (started === undefined) return 'loading';
  const first = loadedOf(started);
  if (first?.kind === 'model.started' && first.request !== undefined) {
    if (call === undefined) return 'loading';
    return 'error' in call ? call : { texts: textsOfCall(call.page), isPart: false };
  }
  // A decision has one event for both.
  const texts = [...textsOfEvent(first), ...(seqs[1] === seqs[0] ? [] : textsOfEvent(loadedOf(ended)))];
  const missing = notRecorded(first?.imported);
  // A model call whose request is not known has no conversation to compare.
  const isPart = missing.size > 0 || first?.kind === 'model.started';
  return { texts: recordedTexts(texts, missing), isPart };
}

function loadedOf(fetched: Fetched<ShortEvent> | undefined): ShortEvent | undefined {
  return fetched !== undefined && fetched !== 'loading' && 'value' in fetched ? fetched.value : undefined;
}

type LoadedCall = { readonly page: CallPage } | { readonly error: string } | undefined;

/** Loads the last page of the conversation of a model call, again when the call ends. */
function useCallPage(runId: string, started: Fetched<ShortEvent> | undefined, endSeq: number): LoadedCall {
  const [loaded, setLoaded] = useState<LoadedCall>(undefined);
  const event = loadedOf(started);
  const seq = event?.kind === 'model.started' && event.request !== undefined ? event.seq : undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a call that ends is loaded again
  useEffect(() => {
    if (seq === undefined) return;
    const stop = new AbortController();
    loadCallPage({ runId, seq, withAnswer: true }, undefined, stop.signal).then(
      (page) => setLoaded({ page }),
      (error: unknown) => {
        if (!stop.signal.aborted) setLoaded({ error: error instanceof Error ? error.message : 'Try again later.' });
      },
    );
    return () => stop.abort();
  }, [runId, seq, endSeq]);
  return loaded;
}
