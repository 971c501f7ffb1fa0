'use client';

import { ExternalLink, X } from 'lucide-react';
import Link from 'next/link';
import { useEffect, useRef } from 'react';
import { Timeline } from '@/components/timeline/timeline';
import { buttonClass } from '@/components/ui/button';
import { EmptyState } from '@/components/ui/empty-state';
import { IconButton } from '@/components/ui/icon-button';
import { partPages } from '@/lib/client/run-source';
import { lostSessions } from '@/lib/editor/lost-sessions';
import { distinctServers } from '@/lib/trace/failed-starts';
import { openQuestions } from '@/lib/trace/questions';
import type { RunState } from '@/lib/trace/run-state';
import type { Trace } from '@/lib/trace/trace';
import { eventOf } from './event-of';
import { LaneTexts, RunQuestions, SaysNow, SpanDetail } from './lazy-tabs';
import { RunFacts, stateOf } from './run-facts';
import { RunResult } from './run-result';
import { useInLine } from './use-in-line';
import { useLaneIcons } from './use-lane-icons';
import { useFetched, useRun } from './use-run';
import { useSelection } from './use-selection';

export interface LiveRunProps {
  readonly runId: string;
  /** Called about ten times a second while the run goes on, and once when it ends. The trace changes in place. */
  readonly onChange?: (trace: Trace, status: RunState) => void;
}

/**
 * Shows a run in a dock: growing bars on the left, the selection or the answer on the right. It fits into a height of 260
 * px.
 */
export function LiveRun({ runId, onChange }: LiveRunProps) {
  const run = useRun(runId);
  const { span, select, window, setWindow, view, setView } = useSelection();
  const { trace, version, phase } = run;
  const status = stateOf(run, 'queued');
  const live = phase !== 'ended';
  const isInLine = useInLine(runId, phase === 'live' && trace.lastSeq === 0);
  const isAsking = openQuestions(trace).length > 0;
  const tell = useRef(onChange);
  tell.current = onChange;
  // biome-ignore lint/correctness/useExhaustiveDependencies: told once per version
  useEffect(() => tell.current?.(trace, status), [trace, version]);
  const { laneIcon } = useLaneIcons(runId, trace, version, false);
  const [first, last] = useFetched(run.cache, [trace.lastSeq > 0 ? 1 : 0, trace.run.status ? trace.lastSeq : 0]);
  const began = eventOf(first, 'run.started');
  const finished = eventOf(last, 'run.finished');
  if (phase === 'failed') {
    return <EmptyState title="The run could not be loaded">{run.error} Callboard tries again.</EmptyState>;
  }
  return (
    <section aria-label="Run" className="@container flex h-full min-h-0 flex-col">
      <div className="flex min-h-9 shrink-0 flex-wrap items-center gap-x-3 gap-y-1 border-b bg-surface px-3 py-1">
        <RunFacts run={run} status={status} />
        <span className="flex-1" />
        <Link href={`/r/${runId}`} className={buttonClass('ghost', 'sm')}>
          <ExternalLink aria-hidden className="size-3.5" />
          Open run
        </Link>
      </div>
      <div className="flex min-h-0 flex-1 flex-col @3xl:flex-row">
        <div className="min-h-36 min-w-0 flex-1">
          <Timeline
            compact
            trace={trace}
            version={version}
            now={run.now}
            live={live}
            selected={span}
            onSelect={select}
            window={window}
            onWindow={setWindow}
            view={view}
            onView={setView}
            laneIcon={laneIcon}
            overBars={(place) => <LaneTexts said={run.said} trace={trace} place={place} />}
          />
        </div>
        <div className="relative max-h-1/2 shrink-0 overflow-auto border-t bg-surface @3xl:max-h-none @3xl:w-84 @3xl:border-t-0 @3xl:border-l">
          {span === undefined && isAsking && <RunQuestions {...{ runId, trace, version }} startOpen />}
          {span === undefined ? (
            <RunResult
              status={status}
              isInLine={isInLine}
              message={began?.message}
              messagePages={began && partPages(runId, began, 0)}
              answer={finished?.answer}
              answerPages={finished && partPages(runId, finished, 0)}
              error={finished?.error ?? trace.run.error}
              failedServers={finished?.failedServers ?? distinctServers(trace.run.failedStarts)}
              lostSessions={lostSessions(trace)}
              complete={finished !== undefined}
              saysNow={<SaysNow said={run.said} trace={trace} onSelect={select} />}
            />
          ) : (
            <>
              <div className="absolute top-2 right-2">
                <IconButton size="sm" label="Close" icon={<X aria-hidden />} onClick={() => select(undefined)} />
              </div>
              <SpanDetail {...{ trace, span }} now={run.now()} cache={run.cache} said={run.said} onSelect={select} />
            </>
          )}
        </div>
      </div>
    </section>
  );
}
