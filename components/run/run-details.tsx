'use client';

import { TriangleAlert } from 'lucide-react';
import { useScores } from '@/components/scores/scores-context';
import { Button } from '@/components/ui/button';
import { EmptyState } from '@/components/ui/empty-state';
import { Tabs } from '@/components/ui/tabs';
import type { RunInfo } from '@/lib/client/run-info';
import { partPages } from '@/lib/client/run-source';
import { lostSessions } from '@/lib/editor/lost-sessions';
import { distinctServers } from '@/lib/trace/failed-starts';
import { ownSource } from '@/lib/trace/run-source';
import type { RunState } from '@/lib/trace/run-state';
import type { AgainServices } from './again-services';
import { BareResult } from './bare-result';
import type { OfKind } from './event-of';
import { Insight, LogList, RunGraph, SaysNow, ScoreNotes, SpanDetail, StateList } from './lazy-tabs';
import { countTrouble } from './log-trouble';
import { runTabs } from './run-link';
import { RunResult } from './run-result';
import { type RunSight, useRunSight } from './run-sight';
import type { LiveTrace } from './use-run';
import type { LoadedPicture } from './use-run-picture';
import type { RunPlace } from './use-selection';

export interface RunDetailsProps {
  readonly info: RunInfo;
  readonly run: LiveTrace;
  /** The whole run, whatever moment of it is shown. */
  readonly whole: LiveTrace;
  readonly place: RunPlace;
  readonly status: RunState;
  readonly picture: LoadedPicture;
  /** The first and the last event of the run, once they are loaded. */
  readonly began: OfKind<'run.started'> | undefined;
  readonly finished: OfKind<'run.finished'> | undefined;
  /** The span that the graph keeps in view while the run plays. */
  readonly followed: number | undefined;
  /** Unset if steps of the run cannot be run again. */
  readonly again: AgainServices | undefined;
  /** Moves the play-head to the start of what is selected. */
  readonly onGoToSelected: () => void;
}

/** Shows the result of a run, the selected span, the graph, state, log and usage, as tabs. */
export function RunDetails(props: RunDetailsProps) {
  const { run, place, picture, info } = props;
  const { trace, version } = run;
  const { span, tab, moment } = place;
  const sight = useRunSight();
  return (
    <>
      <h2 className="sr-only">Details</h2>
      <Tabs
        label="Details"
        value={tab}
        onValueChange={(id) => place.setTab(runTabs.find((one) => one === id) ?? 'result')}
        tabs={shownIn(sight, [
          {
            id: 'result',
            label: 'Result',
            content:
              sight === 'bare' ? (
                <BareResult status={props.status} errorCode={trace.run.error?.code} />
              ) : (
                <Result {...props} />
              ),
          },
          {
            id: 'selection',
            label: 'Selection',
            content:
              span === undefined ? (
                <EmptyState title="Nothing selected">
                  Click a bar or a row of the history to see its input and output.
                </EmptyState>
              ) : span >= trace.spans.length ? (
                <NotYet onGo={props.onGoToSelected} />
              ) : (
                <SpanDetail
                  {...{ trace, span, moment }}
                  {...(sight === 'whole' && { projectId: info.projectId })}
                  now={run.now()}
                  cache={run.cache}
                  said={run.said}
                  onSelect={place.select}
                  again={props.again}
                />
              ),
          },
          {
            id: 'graph',
            label: 'Graph',
            content: (
              <RunGraph
                loaded={picture}
                derivedFrom={info.source === ownSource ? undefined : props.whole.trace}
                {...{ trace, version, moment }}
                whole={props.whole.trace}
                followed={props.followed}
                onSelect={place.select}
              />
            ),
          },
          {
            id: 'state',
            label: 'State',
            badge: <Count of={trace.notes.filter(({ kind }) => kind !== 'decision').length} what="changes" />,
            content: <StateList trace={trace} version={version} cache={run.cache} onSelect={place.select} />,
          },
          {
            id: 'log',
            label: 'Log',
            badge: <Count of={trace.logs.length} what="lines" alert={countTrouble(trace)} />,
            content: <LogList trace={trace} version={version} onSelect={place.select} />,
          },
          { id: 'insight', label: 'Insight', content: <InsightTab {...props} /> },
        ])}
      />
    </>
  );
}

/** Leaves out the tabs that show only texts. */
function shownIn<Tab extends { readonly id: string }>(sight: RunSight, tabs: readonly Tab[]): Tab[] {
  return tabs.filter(({ id }) => sight !== 'bare' || !['graph', 'state', 'log'].includes(id));
}

function InsightTab({ info, run, place }: RunDetailsProps) {
  return (
    <Insight
      trace={run.trace}
      version={run.version}
      now={run.now}
      createdAt={info.createdAt}
      inView={place.window}
      selected={place.span}
      onSelect={place.select}
      onDetails={() => place.setTab('selection')}
      highlight={place.highlight}
      onHighlight={place.setHighlight}
    />
  );
}

const unknown = { answer: undefined, error: undefined, finishedAt: undefined };

function NotYet({ onGo }: { readonly onGo: () => void }) {
  return (
    <EmptyState
      title="Not yet"
      action={
        <Button size="sm" onClick={onGo}>
          Go to its start
        </Button>
      }
    >
      What is selected began after this moment.
    </EmptyState>
  );
}

/** Shows the result. It comes from the run's row in the database if that has it, otherwise from the last event. */
function Result({ info, run: { trace, said }, status, began, finished, place }: RunDetailsProps) {
  // At an earlier moment the run had neither an answer nor an error yet.
  const known = place.moment === undefined ? info : { ...info, ...unknown };
  const hasScores = (useScores()?.all ?? []).some(({ span }) => span === null);
  return (
    <>
      <RunResult
        status={status}
        isInLine={info.isInLine}
        message={known.message}
        messagePages={began && partPages(info.id, began, 0)}
        answer={info.isCut ? finished?.answer : (known.answer ?? finished?.answer)}
        answerPages={finished && partPages(info.id, finished, 0)}
        error={known.error ?? finished?.error ?? trace.run.error}
        failedServers={finished?.failedServers ?? distinctServers(trace.run.failedStarts)}
        lostSessions={lostSessions(trace)}
        complete={finished !== undefined || (known.finishedAt !== undefined && !info.isCut)}
        saysNow={<SaysNow said={said} trace={trace} onSelect={place.select} />}
      />
      {hasScores && (
        <div className="px-3 pb-3">
          <ScoreNotes />
        </div>
      )}
    </>
  );
}

/** Shows the number of items in a tab. Problems have a number of their own, with an icon and a colour. */
function Count(props: { readonly of: number; readonly what: string; readonly alert?: number }) {
  const { of, what, alert = 0 } = props;
  if (of === 0) return null;
  return alert > 0 ? (
    <span className="flex items-center gap-0.5 rounded bg-warn-soft px-1 text-2xs text-warn tabular-nums">
      <TriangleAlert aria-hidden className="size-3" />
      {alert}
      <span className="sr-only"> warnings and errors</span>
    </span>
  ) : (
    <span className="rounded bg-sunken px-1 text-2xs text-muted tabular-nums">
      {of}
      <span className="sr-only"> {what}</span>
    </span>
  );
}
