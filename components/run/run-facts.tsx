'use client';

import { CalendarClock, CircleDollarSign, Coins, Hand, Timer, WifiOff } from 'lucide-react';
import { dateAndTime } from '@/components/timeline/clock-words';
import { Badge } from '@/components/ui/badge';
import { StatusLabel } from '@/components/ui/status';
import { useTick } from '@/components/ui/use-tick';
import { type RunInfo, runDuration } from '@/lib/client/run-info';
import { tokens } from '@/lib/runtime/record/messages';
import { type Cost, costOfRun, formatCost, usageByModel } from '@/lib/trace/cost';
import { distinctServers } from '@/lib/trace/failed-starts';
import { suspendedSince, waitedForPeople } from '@/lib/trace/questions';
import { isActive, type RunState } from '@/lib/trace/run-state';
import { formatCount, formatDuration } from '@/lib/trace/wording';
import { FailedBadge } from './failed-badge';
import { LeftOutBadge } from './left-out-badge';
import { RunMarkLinks } from './run-marks';
import { SourceBadge } from './source-badge';
import { TryAgain } from './try-again';
import type { LiveTrace } from './use-run';

export interface RunFactsProps {
  readonly run: LiveTrace;
  readonly status: RunState;
  /** What is known before the events are loaded. */
  readonly info?: RunInfo;
}

/** Shows status, time and tokens of a run, updated while it runs. */
export function RunFacts({ run, status, info }: RunFactsProps) {
  const live = isActive(status);
  useTick(live, 100);
  const here = run.phase !== 'loading' || info === undefined;
  const usage = here ? run.trace.run.usage : info.usage;
  const duration = here ? run.now() : (runDuration(info, info.startedAt ?? 0) ?? 0);
  const scripted = here ? run.trace.run.scripted : info.scripted;
  const cost = costOfRun({ scripted, modelUsage: here ? usageByModel(run.trace) : (info.modelUsage ?? {}) });
  return (
    <>
      <StatusLabel status={status} />
      <FailedBadge failed={here ? distinctServers(run.trace.run.failedStarts) : info.failedServers} />
      {run.phase === 'reconnecting' && (
        <Badge tone="warn" icon={<WifiOff aria-hidden />}>
          Reconnecting
        </Badge>
      )}
      {run.phase === 'reconnecting' && run.refused !== undefined && (
        <span role="status" className="text-warn text-xs">
          {run.refused} Callboard tries again.
        </span>
      )}
      {run.phase === 'reconnecting' && run.lacksCode === true && (
        <span role="status" className="text-warn text-xs">
          The code that follows the run could not be loaded. <TryAgain lacksCode />
        </span>
      )}
      {info !== undefined && <SourceBadge source={info.source} />}
      {scripted && (
        <Badge tone="neutral" title="A script answers in place of a model">
          Scripted
        </Badge>
      )}
      <LeftOutBadge leftOut={(here ? run.trace.run.leftOut : undefined) ?? info?.leftOut} />
      {info !== undefined && <RunMarkLinks marks={info} />}
      {run.trace.run.resumed.length > 0 && (
        <Badge tone="warn" title="A worker resumed the run where the last one stopped">
          Resumed{run.trace.run.resumed.length > 1 ? ` ×${run.trace.run.resumed.length}` : ''}
        </Badge>
      )}
      <span className="flex items-center gap-1 whitespace-nowrap text-muted text-xs tabular-nums" title="Duration">
        <Timer aria-hidden className="size-3.5" />
        <span className="sr-only">Duration </span>
        {formatDuration(duration)}
      </span>
      <Began origin={run.trace.origin} />
      <Waited trace={run.trace} duration={duration} now={run.now()} />
      <span
        className="flex items-center gap-1 whitespace-nowrap text-muted text-xs tabular-nums"
        title={`${usage.inputTokens.toLocaleString('en-US')} in, ${usage.outputTokens.toLocaleString('en-US')} out, ${usage.modelCalls} model calls`}
      >
        <Coins aria-hidden className="size-3.5" />
        {formatCount(tokens(usage))} tokens
      </span>
      {!scripted && (tokens(usage) > 0 || cost.usd > 0) && (
        <span
          className="flex items-center gap-1 whitespace-nowrap text-muted text-xs tabular-nums"
          title={costTitle(cost)}
        >
          <CircleDollarSign aria-hidden className="size-3.5" />
          <span className="sr-only">Cost </span>
          {formatCost(cost)}
        </span>
      )}
    </>
  );
}

/** Says when the run began. Only the browser knows the time zone, and it has the events. */
function Began({ origin }: Pick<LiveTrace['trace'], 'origin'>) {
  if (origin === undefined) return null;
  return (
    <time
      dateTime={new Date(origin).toISOString()}
      title="When the run began, in your time zone"
      className="flex items-center gap-1 whitespace-nowrap text-muted text-xs tabular-nums"
    >
      <CalendarClock aria-hidden className="size-3.5" />
      {dateAndTime(origin)}
    </time>
  );
}

/** Says for how much of the run people were waited for. */
function Waited({
  trace,
  duration,
  now,
}: Pick<LiveTrace, 'trace'> & { readonly duration: number; readonly now: number }) {
  if (trace.questions.length === 0) return null;
  const waited = formatDuration(waitedForPeople(trace, now));
  return (
    <span
      className="flex items-center gap-1 whitespace-nowrap text-warn text-xs tabular-nums"
      title={`Waited for people: ${waited} of ${formatDuration(duration)}`}
    >
      <Hand aria-hidden className="size-3.5" />
      waited {waited}
      <span className="sr-only"> of {formatDuration(duration)} for people</span>
    </span>
  );
}

/** Returns a sentence that names what the cost leaves out. */
export function costTitle({ unpriced }: Cost): string {
  if (unpriced.length === 0) return 'Cost at list prices';
  return `No price is known for ${unpriced.join(', ')}`;
}

/**
 * Returns the status of a run from its events. Until the first event has arrived it is `before`, the status in the list of
 * runs.
 */
export function stateOf(run: Pick<LiveTrace, 'trace'>, before: RunState): RunState {
  if (run.trace.run.status !== undefined) return run.trace.run.status;
  if (suspendedSince(run.trace) !== undefined) return 'suspended';
  return run.trace.lastSeq > 0 ? 'running' : before;
}
