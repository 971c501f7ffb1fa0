'use client';

import { ListTree, LoaderCircle, Play, Square, TriangleAlert } from 'lucide-react';
import Link from 'next/link';
import { useState } from 'react';
import { Timeline } from '@/components/timeline/timeline';
import { Button, buttonClass } from '@/components/ui/button';
import { CopyButton } from '@/components/ui/copy-button';
import { EmptyState } from '@/components/ui/empty-state';
import { ResizablePanel } from '@/components/ui/splitter';
import { Tabs } from '@/components/ui/tabs';
import type { RunInfo } from '@/lib/client/run-info';
import { partPages } from '@/lib/client/run-source';
import { distinctServers } from '@/lib/editor/failed-servers';
import { lostSessions } from '@/lib/editor/lost-sessions';
import { isActive, type RunState } from '@/lib/trace/run-state';
import { HistoryList } from './history-list';
import { LogList, RunGraph, SpanDetail, StateList, UsageTables } from './lazy-tabs';
import { eventOf } from './live-run';
import { countTrouble } from './log-trouble';
import { RunFacts, stateOf } from './run-facts';
import { RunKeys } from './run-keys';
import { RunResult } from './run-result';
import { type LiveTrace, useRun, useShelved } from './use-run';
import { useRunPicture } from './use-run-picture';
import { type RunLink, runTabs, usePlaceInUrl } from './use-selection';
import { useTimelineHeight } from './use-timeline-height';
import { useWide } from './use-wide';

export interface RunViewProps {
  readonly run: RunInfo;
  readonly link: RunLink;
  /** Answers a sentence when the stop could not be asked for. */
  readonly onStop: () => Promise<string | undefined>;
}

/** The whole page of a run: header, timeline, history on the left and the selection on the right; stacked on a phone. */
export function RunView({ run: info, link, onStop }: RunViewProps) {
  const run = useRun(info.id);
  const { trace, version, phase } = run;
  const place = usePlaceInUrl(trace, version, link);
  const { span, tab, moment } = place;
  const status = stateOf(run, info.status);
  const ended = trace.run.status !== undefined;
  const [last, first] = useShelved(run.shelf, [
    ended && (info.answer === undefined || info.isCut || info.failedServers !== undefined) ? trace.lastSeq : 0,
    info.isCut ? 1 : 0,
  ]);
  const finished = eventOf(last, 'run.finished');
  const began = eventOf(first, 'run.started');
  const picture = useRunPicture(info.id, tab === 'graph');
  const wide = useWide();
  const height = useTimelineHeight(trace);

  const loading = phase === 'loading' || (trace.lastSeq === 0 && !ended);
  const timeline = loading ? (
    <Waiting queued={phase !== 'loading'} />
  ) : ended && trace.lanes.length === 0 ? (
    <EmptyState title="Nothing was started">The run ended before its first instance. The result says why.</EmptyState>
  ) : (
    <Timeline
      trace={trace}
      version={version}
      now={run.now}
      live={phase !== 'ended'}
      selected={span}
      onSelect={place.select}
      window={place.window}
      onWindow={place.setWindow}
      moment={moment}
      onMoment={place.setMoment}
    />
  );
  const history = (
    <HistoryList trace={trace} version={version} selected={span} onSelect={place.select} previews={run.previews} />
  );
  const detail = (
    <>
      <h2 className="sr-only">Details</h2>
      <Tabs
        label="Details"
        value={tab}
        onValueChange={(id) => place.setTab(runTabs.find((one) => one === id) ?? 'result')}
        tabs={[
          {
            id: 'result',
            label: 'Result',
            content: (
              <RunResult
                status={status}
                message={info.message}
                messagePages={began && partPages(info.id, began, 0)}
                answer={info.isCut ? finished?.answer : (info.answer ?? finished?.answer)}
                answerPages={finished && partPages(info.id, finished, 0)}
                error={info.error ?? finished?.error ?? trace.run.error}
                failedServers={finished?.failedServers ?? distinctServers(trace.run.failedStarts)}
                lostSessions={lostSessions(trace)}
                complete={finished !== undefined || (info.finishedAt !== undefined && !info.isCut)}
              />
            ),
          },
          {
            id: 'selection',
            label: 'Selection',
            content:
              span === undefined ? (
                <EmptyState title="Nothing selected">
                  Click a bar or a row of the history to see what went in and out.
                </EmptyState>
              ) : (
                <SpanDetail trace={trace} span={span} now={run.now()} shelf={run.shelf} onSelect={place.select} />
              ),
          },
          {
            id: 'graph',
            label: 'Graph',
            content: (
              <RunGraph
                loaded={picture}
                trace={trace}
                version={version}
                onSelect={place.select}
                moment={moment}
                onMoment={place.setMoment}
              />
            ),
          },
          {
            id: 'state',
            label: 'State',
            badge: <Count of={trace.notes.length} what="changes" />,
            content: <StateList trace={trace} version={version} shelf={run.shelf} onSelect={place.select} />,
          },
          {
            id: 'log',
            label: 'Log',
            badge: <Count of={trace.logs.length} what="lines" alert={countTrouble(trace)} />,
            content: <LogList trace={trace} version={version} onSelect={place.select} />,
          },
          { id: 'usage', label: 'Usage', content: <UsageTables trace={trace} now={run.now()} /> },
        ]}
      />
    </>
  );

  return (
    <div className="flex h-full min-h-0 flex-col max-md:h-auto">
      <Header info={info} run={run} status={status} onStop={onStop} />
      {phase === 'failed' ? (
        <EmptyState title="The run could not be loaded">{run.error} It is tried again.</EmptyState>
      ) : wide ? (
        <>
          <ResizablePanel
            side="top"
            label="Timeline"
            storageKey="run-timeline"
            defaultSize={height}
            min={120}
            max={900}
          >
            {timeline}
          </ResizablePanel>
          <div className="flex min-h-0 flex-1">
            <ResizablePanel side="left" label="History" storageKey="run-history" defaultSize={640} min={260} max={1400}>
              <PaneTitle>History</PaneTitle>
              {history}
            </ResizablePanel>
            <div className="flex min-h-0 min-w-0 flex-1 flex-col bg-surface">{detail}</div>
          </div>
        </>
      ) : (
        <>
          <div className="shrink-0 border-b" style={{ height }}>
            {timeline}
          </div>
          <div className="flex min-h-48 flex-col border-b bg-surface">{detail}</div>
          <div className="flex h-96 shrink-0 flex-col bg-surface">
            <PaneTitle>History</PaneTitle>
            {history}
          </div>
        </>
      )}
    </div>
  );
}

/** How much a tab holds; trouble in it is told by its own number, an icon and a colour. */
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

function Waiting({ queued }: { readonly queued: boolean }) {
  return (
    <p role="status" className="flex h-full items-center justify-center gap-2 bg-surface text-muted text-sm">
      <LoaderCircle aria-hidden className="size-4 animate-spin" />
      {queued ? 'Waiting for a worker. Bars appear here when it starts.' : 'Loading the timeline'}
    </p>
  );
}

function PaneTitle({ children }: { readonly children: string }) {
  return (
    <h2 className="flex h-9 shrink-0 items-center gap-1.5 border-b px-3 font-medium text-ink text-sm">
      <ListTree aria-hidden className="size-3.5 text-faint" />
      {children}
    </h2>
  );
}

interface HeaderProps {
  readonly info: RunInfo;
  readonly run: LiveTrace;
  readonly status: RunState;
  readonly onStop: RunViewProps['onStop'];
}

function Header({ info, run, status, onStop }: HeaderProps) {
  const [stopping, setStopping] = useState(false);
  const [fault, setFault] = useState<string | undefined>(undefined);
  const live = isActive(status);
  const stop = async () => {
    setStopping(true);
    setFault(undefined);
    const failure = await onStop();
    if (failure === undefined) return;
    setFault(failure);
    setStopping(false);
  };
  return (
    <header className="shrink-0 border-b bg-surface px-3 py-2 sm:px-4">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
        <h1 className="min-w-0 max-w-full truncate font-semibold text-ink text-lg">
          {run.trace.run.entryAgent || info.entryAgent || 'Run'}
        </h1>
        <RunFacts run={run} status={status} info={info} />
        <span className="hidden flex-1 sm:block" />
        <div className="flex items-center gap-2">
          <RunKeys />
          {live && (
            <Button size="sm" busy={stopping} icon={<Square aria-hidden className="size-3.5" />} onClick={stop}>
              {stopping ? 'Stopping' : 'Stop'}
            </Button>
          )}
          <Link href={`/p/${info.projectId}?again=${info.id}`} className={buttonClass('secondary', 'sm')}>
            <Play aria-hidden className="size-3.5" />
            Run again
          </Link>
        </div>
      </div>
      <div className="mt-0.5 flex flex-wrap items-center gap-x-4 text-muted text-xs">
        <span>
          Project{' '}
          <Link href={`/p/${info.projectId}`} className="text-accent underline underline-offset-2">
            {info.projectName}
          </Link>
        </span>
        <span className="flex min-w-0 items-center gap-1">
          Correlation{' '}
          <Link
            href={`/runs?correlation=${encodeURIComponent(info.correlationId)}`}
            title={info.correlationId}
            className="max-w-40 truncate font-mono text-2xs text-accent underline-offset-2 hover:underline"
          >
            {info.correlationId}
          </Link>
          <CopyButton text={info.correlationId} label="Copy correlation id" />
        </span>
        <span title={`The files that this run was started with: tree ${info.treeHash}`}>
          Files <span className="font-mono text-2xs">{info.treeHash.slice(0, 8)}</span>
        </span>
        {info.model !== undefined && <span>Model {info.model}</span>}
      </div>
      <p aria-live="polite" className="text-bad text-xs empty:hidden">
        {fault}
      </p>
    </header>
  );
}
