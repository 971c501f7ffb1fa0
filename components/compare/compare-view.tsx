'use client';

import { useEffect, useMemo, useRef } from 'react';
import { TryAgain } from '@/components/run/try-again';
import { useRun } from '@/components/run/use-run';
import { useWide } from '@/components/run/use-wide';
import { Announcer, announce } from '@/components/ui/announcer';
import { EmptyState } from '@/components/ui/empty-state';
import { ResizablePanel } from '@/components/ui/splitter';
import { Tabs } from '@/components/ui/tabs';
import { isTyping } from '@/components/ui/typing';
import type { RunInfo } from '@/lib/client/run-info';
import { agentRows, deltaOf, instanceRows } from '@/lib/trace/compare/compare-figures';
import { type Difference, noComparison } from '@/lib/trace/compare/compare-runs';
import { runFigures } from '@/lib/trace/figures';
import { isActive } from '@/lib/trace/run-state';
import { ChangeList } from './change-list';
import { CompareHead } from './compare-head';
import { type CompareLink, compareTabs, swapped } from './compare-link';
import { CompareTimelines } from './compare-timelines';
import { describeDifference } from './compare-words';
import { DifferenceList } from './difference-list';
import { FirstDifference } from './first-difference';
import { RowTable } from './row-table';
import { StepPairDetail } from './step-pair';
import { type CompareState, type StepPair, useComparePlace } from './use-compare-place';
import { type Comparison, useComparison } from './use-comparison';

export interface CompareViewProps {
  readonly a: RunInfo;
  readonly b: RunInfo;
  readonly link: CompareLink;
  /** Opens another address of this page. */
  readonly onGo: (address: string) => void;
  /** Asks for another run in the place of one. */
  readonly onChoose: (side: 'a' | 'b') => void;
}

/** Two runs beside each other: their figures, their timelines, where they first differ, and any step as a diff. */
export function CompareView({ a, b, link, onGo, onChoose }: CompareViewProps) {
  const [runA, runB] = [useRun(a.id), useRun(b.id)];
  const comparison = useComparison(a.id, runA, b.id, runB);
  const { compared, version } = comparison;
  const { differences } = compared;
  const state = useComparePlace(link, runA, runB, compared);
  const chosen = useChosenDifference(differences, state.pair);
  const choose = (place: number) => {
    const one = differences[place];
    if (one === undefined) return;
    state.select({ a: one.a, b: one.b });
    chosen.note(place);
    const { title, instance, words } = describeDifference(runA.trace, runB.trace, one);
    announce(`Difference ${place + 1} of ${differences.length}: ${title} of ${instance}, ${words}`);
  };
  useDifferenceKeys(differences.length, chosen.place, choose);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the traces change in place; `version` says when
  const delta = useMemo(
    () =>
      deltaOf(runFigures({ trace: runA.trace, now: runA.now() }), runFigures({ trace: runB.trace, now: runB.now() })),
    [version, runA.trace, runB.trace],
  );
  const failed = [runA, runB].find(({ phase }) => phase === 'failed');
  const both = { a, b, runA, runB };
  return (
    <div className="flex h-full min-h-0 flex-col max-md:h-auto">
      <CompareHead
        a={{ info: a, run: runA }}
        b={{ info: b, run: runB }}
        delta={delta}
        onSwap={() => onGo(swapped(state.address()).search)}
        onChoose={onChoose}
        address={() => state.address().href}
      />
      <Announcer />
      {failed !== undefined ? (
        <EmptyState title="A run could not be loaded">
          {failed.error} <TryAgain lacksCode={failed.lacksCode} />
        </EmptyState>
      ) : (
        <>
          <FirstDifference
            a={runA.trace}
            b={runB.trace}
            differences={differences}
            chosen={chosen.place}
            isPartial={comparison.isPartial}
            progress={comparison.progress}
            live={isActive(runA.trace.run.status ?? 'running') || isActive(runB.trace.run.status ?? 'running')}
            error={comparison.error}
            onChoose={choose}
          />
          <Panes
            timelines={<CompareTimelines {...{ runA, runB, compared, state }} />}
            lists={<Lists {...both} {...{ comparison, state }} chosen={chosen.place} onChoose={choose} />}
            detail={
              <StepPairDetail
                a={{ id: a.id, run: runA }}
                b={{ id: b.id, run: runB }}
                pair={state.pair}
                differences={differences.filter((one) => isOfPair(one, state.pair))}
              />
            }
          />
        </>
      )}
    </div>
  );
}

/** Knows which difference is chosen. One step may have two, of which the one that was chosen last counts. */
function useChosenDifference(all: readonly Difference[], pair: StepPair) {
  const last = useRef(-1);
  const noted = all[last.current];
  const isNoted = noted !== undefined && isOfPair(noted, pair);
  return {
    place: isNoted ? last.current : all.findIndex((one) => isOfPair(one, pair)),
    note: (place: number) => {
      last.current = place;
    },
  };
}

function isOfPair(one: Difference, pair: StepPair): boolean {
  return (pair.a !== undefined || pair.b !== undefined) && one.a === pair.a && one.b === pair.b;
}

/** `N` leads to the next difference and `Shift+N` to the one before, wherever the focus is but in a field. */
function useDifferenceKeys(count: number, place: number, choose: (place: number) => void): void {
  const latest = useRef({ count, place, choose });
  latest.current = { count, place, choose };
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key.toLowerCase() !== 'n' || !(event.target instanceof Element)) return;
      if (isTyping(event.target) || event.target.closest('[role=dialog], [role=menu]') !== null) return;
      const now = latest.current;
      if (now.count === 0) return;
      event.preventDefault();
      const next = event.shiftKey ? (now.place <= 0 ? now.count - 1 : now.place - 1) : (now.place + 1) % now.count;
      now.choose(next);
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, []);
}

interface ListsProps {
  readonly a: RunInfo;
  readonly b: RunInfo;
  readonly runA: ReturnType<typeof useRun>;
  readonly runB: ReturnType<typeof useRun>;
  readonly comparison: Comparison;
  readonly state: CompareState;
  readonly chosen: number;
  readonly onChoose: (place: number) => void;
}

function Lists({ a, b, runA, runB, comparison, state, chosen, onChoose }: ListsProps) {
  const { compared, version } = comparison;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the traces change in place; `version` says when
  const instances = useMemo(
    () =>
      compared === noComparison
        ? []
        : instanceRows({ trace: runA.trace, now: runA.now() }, { trace: runB.trace, now: runB.now() }, compared),
    [version, compared],
  );
  const agents = useMemo(() => agentRows(instances), [instances]);
  const { pair, sort, setSort } = state;
  const laneA = pair.a === undefined ? undefined : runA.trace.spans.lane.at(pair.a);
  const laneB = pair.b === undefined ? undefined : runB.trace.spans.lane.at(pair.b);
  const marked = instances.find((row) => (laneA === undefined ? row.laneB === laneB : row.laneA === laneA));
  const isMarked = laneA !== undefined || laneB !== undefined;
  const pick = ({ laneA, laneB }: { readonly laneA: number | undefined; readonly laneB: number | undefined }) =>
    state.select({
      a: laneA === undefined ? undefined : runA.trace.lanes[laneA]?.span,
      b: laneB === undefined ? undefined : runB.trace.lanes[laneB]?.span,
    });
  const tables = { sort, onSort: setSort };
  return (
    <Tabs
      label="Comparison"
      value={state.tab}
      onValueChange={(id) => state.setTab(compareTabs.find((tab) => tab === id) ?? 'instances')}
      tabs={[
        {
          id: 'instances',
          label: 'Instances',
          content: (
            <RowTable
              {...tables}
              label="Instances of both runs"
              rows={instances}
              marked={isMarked ? marked?.key : undefined}
              onPick={pick}
            />
          ),
        },
        {
          id: 'agents',
          label: 'Agents',
          content: (
            <RowTable
              {...tables}
              label="Agents of both runs"
              rows={agents}
              marked={isMarked ? marked?.agent : undefined}
              onPick={(row) => {
                const first = instances.find(({ agent }) => agent === row.agent);
                if (first !== undefined) pick(first);
              }}
            />
          ),
        },
        {
          id: 'differences',
          label: 'Differences',
          badge: <Count of={compared.differences.length} />,
          content: (
            <DifferenceList
              a={runA.trace}
              b={runB.trace}
              differences={compared.differences}
              chosen={chosen}
              onChoose={onChoose}
            />
          ),
        },
        {
          id: 'changes',
          label: 'Input and files',
          content: <ChangeList a={a} b={b} open={state.file} onOpen={state.setFile} />,
        },
      ]}
    />
  );
}

function Count({ of }: { readonly of: number }) {
  return of === 0 ? null : (
    <span className="rounded bg-sunken px-1 text-2xs text-muted tabular-nums">{of.toLocaleString('en-US')}</span>
  );
}

/** Puts the parts side by side, or on a phone below each other. */
function Panes(props: {
  readonly timelines: React.ReactNode;
  readonly lists: React.ReactNode;
  readonly detail: React.ReactNode;
}) {
  const { timelines, lists, detail } = props;
  const wide = useWide();
  return wide ? (
    <>
      <ResizablePanel
        side="top"
        label="Timelines"
        storageKey="compare-timelines"
        defaultSize={360}
        min={160}
        max={1200}
      >
        {timelines}
      </ResizablePanel>
      <div className="flex min-h-0 flex-1">
        <ResizablePanel
          side="left"
          label="Lists"
          storageKey="compare-lists"
          defaultSize={820}
          min={300}
          max={1400}
          className="max-w-[calc(100%-20rem)]!"
        >
          {lists}
        </ResizablePanel>
        <section aria-label="Selected step" className="min-h-0 min-w-0 flex-1 overflow-auto bg-surface">
          {detail}
        </section>
      </div>
    </>
  ) : (
    <>
      <div className="h-96 shrink-0 border-b">{timelines}</div>
      <section aria-label="Selected step" className="min-h-40 border-b bg-surface">
        {detail}
      </section>
      <div className="flex h-96 shrink-0 flex-col bg-surface">{lists}</div>
    </>
  );
}
