'use client';

import { LoaderCircle } from 'lucide-react';
import { useMemo, useState } from 'react';
import { classNames } from '@/components/ui/class-names';
import { EmptyState } from '@/components/ui/empty-state';
import type { Analysis } from '@/lib/trace/analysis/analyse';
import type { TotalKind } from '@/lib/trace/analysis/totals';
import type { Stretch } from '@/lib/trace/window-trace';
import { traceInWindow } from '@/lib/trace/window-trace';
import { ConcurrencyChart } from './concurrency-chart';
import type { InsightProps } from './insight-props';
import { PathList } from './path-list';
import { StragglerList } from './straggler-list';
import { Summary } from './summary';
import { TotalsTable } from './totals-table';
import { useAnalysis } from './use-analysis';
import { useSettled } from './use-settled';
import { WhatIfView } from './what-if-view';
import { PartChoice, WindowFigures } from './window-part';

type View = 'summary' | 'path' | 'stragglers' | TotalKind;

const tables: readonly { readonly view: TotalKind; readonly word: string }[] = [
  { view: 'agent', word: 'Agents' },
  { view: 'instance', word: 'Instances' },
  { view: 'tool', word: 'Tools' },
  { view: 'hook', word: 'Hooks' },
  { view: 'model', word: 'Models' },
];

/**
 * Answers where the time of a run went: a summary, the critical path, stragglers, and a table of durations, tokens, cost and
 * errors. A row selects its bars, and a selected bar marks its row.
 */
export function Insight(props: InsightProps) {
  const { trace, version, now } = props;
  const [isPart, setPart] = useState(false);
  const inView = useSettled(props.inView);
  const { analysis, window, failed } = useAnalysis(trace, version, now, isPart ? inView : undefined);
  if (failed) {
    return <EmptyState title="The run could not be analysed">Reload the page to try it again.</EmptyState>;
  }
  if (analysis === undefined) {
    return (
      <p role="status" className="flex items-center gap-2 p-3 text-muted text-sm">
        <LoaderCircle aria-hidden className="size-4 animate-spin" />
        Analysing
      </p>
    );
  }
  return <Analysed {...props} {...{ analysis, window, isPart }} onPart={setPart} />;
}

interface AnalysedProps extends InsightProps {
  readonly analysis: Analysis;
  /** The part of the run that was analysed; `undefined` for the whole. */
  readonly window: Stretch | undefined;
  /** True if the person has chosen the window in view. */
  readonly isPart: boolean;
  readonly onPart: (isPart: boolean) => void;
}

function Analysed(props: AnalysedProps) {
  const { version, now, analysis, window, createdAt, selected, onSelect, onDetails, highlight, onHighlight } = props;
  const [view, setView] = useState<View>('summary');
  // biome-ignore lint/correctness/useExhaustiveDependencies: the trace changes in place; its version says when
  const trace = useMemo(
    () => (window === undefined ? props.trace : traceInWindow(props.trace, window)),
    [props.trace, version, window],
  );
  const pathSpans = useMemo(
    () => new Set(analysis.path.flatMap(({ span }) => (span === undefined ? [] : [span]))),
    [analysis],
  );
  const show = (next: View) => {
    setView(next);
    if (next === 'path') onHighlight(pathSpans);
    else if (next === 'stragglers') onHighlight(new Set(analysis.stragglers.list.map(({ span }) => span)));
    else onHighlight(undefined);
  };
  const shown = { trace, version, now: now(), analysis, selected, onSelect };
  return (
    <div className="@container flex h-full min-h-96 flex-col">
      <div className="flex shrink-0 flex-wrap items-center gap-x-1 gap-y-1 border-b px-2 py-1">
        <ViewButton {...{ view, show }} of="summary" word="Summary" />
        <ViewButton {...{ view, show }} of="path" word="Critical path" count={analysis.path.length} />
        <ViewButton {...{ view, show }} of="stragglers" word="Stragglers" count={analysis.stragglers.count} />
        <span aria-hidden className="mx-1 h-4 w-px bg-line" />
        {tables.map(({ view: of, word }) => (
          <ViewButton key={of} {...{ view, show, of, word }} count={analysis.totals[of].rows.length} />
        ))}
        <PartChoice isPart={props.isPart} onPart={props.onPart} />
      </div>
      <div className="min-h-0 flex-1">
        {view === 'summary' ? (
          <div className="flex flex-col gap-4 p-3">
            {window !== undefined && <WindowFigures trace={props.trace} now={now()} window={window} />}
            <Summary {...shown} createdAt={createdAt} isPart={window !== undefined} />
            <ConcurrencyChart trace={trace} analysis={analysis} now={now()} />
            {window === undefined && <WhatIfView analysis={analysis} />}
          </div>
        ) : view === 'path' ? (
          <PathList {...shown} />
        ) : view === 'stragglers' ? (
          <Stragglers {...shown} />
        ) : (
          <TotalsTable
            key={view}
            {...shown}
            kind={view}
            onPick={(spans, slowest) => {
              onHighlight(spans);
              if (slowest !== undefined) onSelect(slowest);
            }}
          />
        )}
      </div>
      <Foot {...{ analysis, view, highlight, onHighlight, selected, onDetails }} />
    </div>
  );
}

function Stragglers(props: Parameters<typeof StragglerList>[0]) {
  if (props.analysis.stragglers.count > 0) return <StragglerList {...props} />;
  return (
    <EmptyState title="No stragglers">
      No instance, tool call or model call took much longer than others of its kind.
    </EmptyState>
  );
}

/** Says how many rows there are, and what the bars show. */
function Foot(props: {
  readonly analysis: Analysis;
  readonly view: View;
  readonly highlight: ReadonlySet<number> | undefined;
  readonly onHighlight: InsightProps['onHighlight'];
  readonly selected: number | undefined;
  readonly onDetails: () => void;
}) {
  const { analysis, view, highlight, onHighlight, selected, onDetails } = props;
  const link = 'cursor-pointer text-accent underline-offset-2 hover:underline';
  return (
    <p className="flex min-h-7 shrink-0 flex-wrap items-center gap-x-4 border-t px-3 text-2xs text-muted tabular-nums">
      <span>{rowsWord(analysis, view)}</span>
      {highlight !== undefined && (
        <span>
          {highlight.size.toLocaleString('en-US')} {highlight.size === 1 ? 'bar' : 'bars'} highlighted{' '}
          <button type="button" className={link} onClick={() => onHighlight(undefined)}>
            Show all
          </button>
        </span>
      )}
      {selected !== undefined && (
        <button type="button" className={link} onClick={onDetails}>
          Details of the selected bar
        </button>
      )}
    </p>
  );
}

function rowsWord({ path, stragglers, totals }: Analysis, view: View): string {
  if (view === 'summary') return '';
  if (view === 'path') return plural(path.length, 'step');
  if (view !== 'stragglers') return plural(totals[view].rows.length, 'row');
  const { list, count } = stragglers;
  return list.length === count
    ? plural(count, 'straggler')
    : `The first ${list.length} of ${plural(count, 'straggler')}`;
}

function plural(count: number, word: string): string {
  return `${count.toLocaleString('en-US')} ${word}${count === 1 ? '' : 's'}`;
}

function ViewButton(props: {
  readonly view: View;
  readonly of: View;
  readonly word: string;
  readonly count?: number;
  readonly show: (view: View) => void;
}) {
  const { view, of, word, count, show } = props;
  return (
    <button
      type="button"
      aria-pressed={view === of}
      onClick={() => show(of)}
      className={classNames(
        'flex h-6 cursor-pointer items-center gap-1 whitespace-nowrap rounded px-2 text-xs',
        view === of ? 'bg-accent-soft font-medium text-ink' : 'text-muted hover:bg-hover hover:text-ink',
      )}
    >
      {word}
      {count !== undefined && <span className="text-2xs text-faint tabular-nums">{count.toLocaleString('en-US')}</span>}
    </button>
  );
}
