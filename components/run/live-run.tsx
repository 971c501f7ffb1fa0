'use client';

import { ExternalLink, X } from 'lucide-react';
import Link from 'next/link';
import { useEffect, useEffectEvent, useRef } from 'react';
import { Timeline } from '@/components/timeline/timeline';
import { useShortTime } from '@/components/timeline/use-short-time';
import { buttonClass } from '@/components/ui/button';
import { classNames } from '@/components/ui/class-names';
import { IconButton } from '@/components/ui/icon-button';
import { partPages } from '@/lib/client/run-source';
import { lostSessions } from '@/lib/editor/lost-sessions';
import { distinctServers } from '@/lib/trace/failed-starts';
import { openQuestions } from '@/lib/trace/questions';
import type { RunState } from '@/lib/trace/run-state';
import { eventOf } from './event-of';
import { LaneTexts, RunQuestions, SaysNow, SpanDetail } from './lazy-tabs';
import { RunFacts, stateOf } from './run-facts';
import { RunResult } from './run-result';
import { RunNotLoaded } from './try-again';
import { useInLine } from './use-in-line';
import { useLaneIcons } from './use-lane-icons';
import { type LiveTrace, useFetched, useRun } from './use-run';
import { useSelection } from './use-selection';

export interface LiveRunProps {
  readonly runId: string;
  /** Called about ten times a second while the run goes on, and once when it ends. Its trace changes in place. */
  readonly onChange?: (run: LiveTrace, status: RunState) => void;
  /** Called when there is no such run any more. */
  readonly onGone?: () => void;
}

/**
 * Shows a run in a dock: growing bars on the left, the selection or the answer on the right. It fits into a height of 260
 * px.
 */
export function LiveRun({ runId, onChange, onGone }: LiveRunProps) {
  const run = useRun(runId);
  const { span, select, window, setWindow, view, setView } = useSelection();
  const { trace, version, phase } = run;
  const status = stateOf(run, 'queued');
  const live = phase !== 'ended';
  const short = useShortTime({ ...run, live });
  // The question needs the room of a narrow panel.
  const isAsking = openQuestions(trace).length > 0;
  const tell = useRef(onChange);
  tell.current = onChange;
  // biome-ignore lint/correctness/useExhaustiveDependencies: told once per version
  useEffect(() => tell.current?.(run, status), [trace, version]);
  const tellGone = useEffectEvent(() => onGone?.());
  useEffect(() => {
    if (run.isGone) tellGone();
  }, [run.isGone]);
  const { laneIcon } = useLaneIcons(runId, trace, version, false);
  if (phase === 'failed') {
    return <RunNotLoaded run={run} />;
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
        <div className={classNames('min-h-36 min-w-0 flex-1', isAsking && span === undefined && 'hidden @3xl:block')}>
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
            short={short}
            view={view}
            onView={setView}
            laneIcon={laneIcon}
            overBars={(place) => <LaneTexts said={run.said} trace={trace} place={place} />}
          />
        </div>
        <Detail {...{ runId, run, status, span, select }} />
      </div>
    </section>
  );
}

interface DetailProps {
  readonly runId: string;
  readonly run: LiveTrace;
  readonly status: RunState;
  readonly span: number | undefined;
  readonly select: (span: number | undefined) => void;
}

/** Shows the selected step, or the input and the answer of the run. A question to people is above, with its buttons in view. */
function Detail({ runId, run, status, span, select }: DetailProps) {
  const { trace, version } = run;
  const isAsking = openQuestions(trace).length > 0;
  return (
    <div
      className={classNames(
        'flex flex-col overflow-hidden border-t bg-surface @3xl:border-t-0 @3xl:border-l',
        isAsking
          ? 'min-h-0 flex-1 [container-type:size] @3xl:w-108 @3xl:flex-none @6xl:w-150'
          : 'max-h-1/2 shrink-0 @3xl:max-h-none @3xl:w-84',
      )}
    >
      {isAsking && (
        <RunQuestions
          key={`${span === undefined}`}
          {...{ runId, trace, version }}
          startOpen={span === undefined}
          fits
        />
      )}
      <div className="relative min-h-0 flex-1 overflow-auto">
        {span === undefined ? (
          <Result {...{ runId, run, status, select }} />
        ) : (
          <>
            <div className="absolute top-2 right-2">
              <IconButton size="sm" label="Close" icon={<X aria-hidden />} onClick={() => select(undefined)} />
            </div>
            <SpanDetail
              {...{ trace, span }}
              textsFirst
              now={run.now()}
              cache={run.cache}
              said={run.said}
              onSelect={select}
            />
          </>
        )}
      </div>
    </div>
  );
}

function Result({ runId, run, status, select }: Omit<DetailProps, 'span'>) {
  const { trace } = run;
  const isInLine = useInLine(runId, run.phase === 'live' && trace.lastSeq === 0);
  const [first, last] = useFetched(run.cache, [trace.lastSeq > 0 ? 1 : 0, trace.run.status ? trace.lastSeq : 0]);
  const began = eventOf(first, 'run.started');
  const finished = eventOf(last, 'run.finished');
  return (
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
  );
}
