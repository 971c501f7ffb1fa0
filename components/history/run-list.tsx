'use client';

import {
  ChartNoAxesGantt,
  CircleDollarSign,
  Coins,
  Cpu,
  Hourglass,
  Link2,
  Timer,
  TriangleAlert,
  User,
  UserRound,
} from 'lucide-react';
import Link from 'next/link';
import type { CSSProperties } from 'react';
import { AgainBadge } from '@/components/run/again-links';
import { FailedBadge } from '@/components/run/failed-badge';
import { RunMarkBadges } from '@/components/run/run-marks';
import { SourceBadge } from '@/components/run/source-badge';
import { ScoreBadge } from '@/components/scores/score-badge';
import { Badge } from '@/components/ui/badge';
import { Checkbox } from '@/components/ui/checkbox';
import { classNames } from '@/components/ui/class-names';
import { StatusLabel } from '@/components/ui/status';
import { TimeAgo } from '@/components/ui/time-ago';
import { VisibleText } from '@/components/ui/visible-text';
import { runGroupHref } from '@/lib/client/run-address';
import { type RunGroupInfo, type RunInfo, ranWords, runDuration } from '@/lib/client/run-info';
import { tokens } from '@/lib/runtime/record/messages';
import { costOfRun, formatCost } from '@/lib/trace/cost';
import { sortedGroup } from '@/lib/trace/run-sort';
import { sumsLine } from '@/lib/trace/run-sums';
import { formatCount, formatDuration } from '@/lib/trace/wording';

import { columnWidths, type RunColumn } from './run-columns';

/** The server counts the runs of a group up to this number. */
const mostCounted = 1_000;

export interface RunListProps {
  readonly groups: readonly RunGroupInfo[];
  /** The time in epoch milliseconds. */
  readonly now: number;
  readonly chosen: ReadonlySet<string>;
  readonly columns: ReadonlySet<RunColumn>;
  /** Chooses a run or takes it out; with `range`, all runs from the one that was chosen last. */
  readonly onChoose: (id: string, range: boolean) => void;
}

/** Shows runs in groups of the same correlation id, newest group first. A click with Shift on a row chooses up to it. */
export function RunList({ groups, now, chosen, columns, onChoose }: RunListProps) {
  const { wide, narrow } = columnWidths(columns);
  return (
    <ul className="flex flex-col gap-2" style={{ '--wide': wide, '--narrow': narrow } as CSSProperties}>
      {groups.map(({ correlationId, runCount, sums, runs }) => (
        <li key={correlationId} className="overflow-hidden rounded-lg border bg-surface shadow-card">
          {runCount > 1 && correlationId !== sortedGroup && (
            <div className="flex flex-wrap items-center gap-x-3 gap-y-0.5 border-b bg-ground px-3 py-1 text-2xs text-muted">
              <GroupName correlationId={correlationId} />
              <span className="ml-auto tabular-nums">
                {counted(runs.length, runCount)}
                {sums !== undefined && sums.ended > 0 && ` · ${sumsLine(sums)}`}
              </span>
            </div>
          )}
          <ul>
            {runs.map((run) => (
              <li
                key={run.id}
                className={classNames(
                  'flex items-center border-line border-b pl-1 last:border-b-0',
                  chosen.has(run.id) && 'bg-accent-soft',
                )}
              >
                <Checkbox
                  label={`Select the run of ${run.entryAgent ?? 'the entry agent'}: ${run.message.slice(0, 60)}`}
                  checked={chosen.has(run.id)}
                  onToggle={({ shiftKey }) => onChoose(run.id, shiftKey)}
                />
                <RunRow run={run} now={now} columns={columns} onChoose={() => onChoose(run.id, true)} />
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ul>
  );
}

function GroupName({ correlationId }: Pick<RunGroupInfo, 'correlationId'>) {
  return (
    <span className="flex min-w-0 items-center gap-2">
      <Link2 aria-hidden className="size-3 shrink-0 text-faint" />
      <Link
        href={`/runs?correlation=${encodeURIComponent(correlationId)}`}
        title={`Only runs of ${correlationId}`}
        className="min-w-0 truncate font-mono underline-offset-2 hover:text-ink hover:underline"
      >
        {correlationId}
      </Link>
      <Link
        href={runGroupHref(correlationId)}
        prefetch={false}
        aria-label={`Timeline of the runs of ${correlationId}`}
        className="flex shrink-0 items-center gap-1 underline-offset-2 hover:text-ink hover:underline"
      >
        <ChartNoAxesGantt aria-hidden className="size-3" />
        Timeline
      </Link>
    </span>
  );
}

/** Returns `3 runs`, `20 of 134 runs` or `20 of 1,000 or more runs`. */
function counted(listed: number, all: number): string {
  const total = all >= mostCounted ? `${mostCounted.toLocaleString('en-US')} or more` : `${all}`;
  return listed < all || all >= mostCounted ? `${listed} of ${total} runs` : `${all} runs`;
}

interface RunRowProps {
  readonly run: RunInfo;
  readonly now: number;
  readonly columns: ReadonlySet<RunColumn>;
  /** Called for a click with Shift, which then does not open the run. */
  readonly onChoose: () => void;
}

function RunRow({ run, now, columns, onChoose }: RunRowProps) {
  return (
    <Link
      href={`/r/${run.id}`}
      onClick={(event) => {
        if (!event.shiftKey) return;
        event.preventDefault();
        onChoose();
      }}
      className={classNames(
        'grid min-w-0 flex-1 grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3 gap-y-1 py-2 pr-3 pl-1 hover:bg-hover focus-visible:-outline-offset-2',
        'md:grid-cols-[var(--narrow)] xl:grid-cols-[var(--wide)]',
      )}
    >
      {/* On a phone status, project and time share a line of their own, so that figures below never cut the status. */}
      <span className="col-span-2 flex items-center justify-between gap-3 md:contents">
        <span className="shrink-0">
          <StatusLabel status={run.status} />
        </span>
        {columns.has('project') && (
          <span className="min-w-0 truncate text-muted text-xs max-md:ml-auto md:order-1">
            <VisibleText text={run.projectName} />
          </span>
        )}
        <span className="whitespace-nowrap text-right shrink-0 text-muted text-xs md:order-last">
          <TimeAgo at={run.createdAt} />
        </span>
      </span>
      {/* What finds no room beside the marks goes below them. */}
      <span className="col-span-2 flex min-w-0 flex-wrap items-baseline gap-x-2 gap-y-1 md:col-span-1">
        <span className="min-w-0 break-words font-medium text-ink text-sm">{run.entryAgent ?? 'Entry agent'}</span>
        <span className="shrink-0 self-center empty:hidden">
          <SourceBadge source={run.source} />
        </span>
        <span className="shrink-0 self-center empty:hidden">
          <AgainBadge again={run.again} />
        </span>
        {run.revision !== undefined && (
          <span className="shrink-0 self-center">
            <Badge title="What the run ran">{ranWords(run)}</Badge>
          </span>
        )}
        <span className="shrink-0 self-center empty:hidden">
          <ScoreBadge score={run.score} />
        </span>
        <span className="flex min-w-0 flex-wrap gap-1 self-center empty:hidden">
          <RunMarkBadges marks={run} />
        </span>
        {run.scripted && (
          <span className="shrink-0 self-center">
            <Badge title="A script answers in place of a model">Scripted</Badge>
          </span>
        )}
        <span className="shrink-0 self-center empty:hidden">
          <FailedBadge failed={run.failedServers} />
        </span>
        <span className="min-w-0 flex-1 basis-24 truncate text-muted text-sm">{run.error?.message ?? run.message}</span>
      </span>
      <span className="col-span-2 flex gap-3 md:contents">
        <Chosen run={run} now={now} columns={columns} />
      </span>
    </Link>
  );
}

/** The chosen columns of a row, but for the project, which stands elsewhere on a phone. */
function Chosen({ run, now, columns }: Omit<RunRowProps, 'onChoose'>) {
  const duration = runDuration(run, now);
  const cost = costWord(run);
  return (
    <>
      {columns.has('by') && <Starter startedBy={run.startedBy} />}
      {columns.has('model') && <Name icon={<Cpu aria-hidden />} name="Model" value={run.model} />}
      {columns.has('user') && <Name icon={<UserRound aria-hidden />} name="User" value={run.user} />}
      {columns.has('duration') && (
        <Figure
          icon={<Timer aria-hidden />}
          name="Duration"
          value={duration === undefined ? '–' : formatDuration(duration)}
        />
      )}
      {columns.has('tokens') && (
        <Figure icon={<Coins aria-hidden />} name="Tokens" value={formatCount(tokens(run.usage))} />
      )}
      {columns.has('errors') && <Figure icon={<TriangleAlert aria-hidden />} name="Errors" value={run.errors ?? '–'} />}
      {columns.has('waited') && (
        <Figure
          icon={<Hourglass aria-hidden />}
          name="Waited"
          value={run.waitedMs === undefined ? '–' : formatDuration(run.waitedMs * 1_000)}
        />
      )}
      {columns.has('cost') &&
        (cost === undefined ? (
          <span className="hidden md:order-2 md:block" />
        ) : (
          <Figure icon={<CircleDollarSign aria-hidden />} name="Cost" value={cost} />
        ))}
    </>
  );
}

function Starter({ startedBy }: Pick<RunInfo, 'startedBy'>) {
  if (startedBy === undefined) return <span className="hidden xl:order-1 xl:block" />;
  // Between a phone and a wide screen there is no room for one more column, so that it has a line of its own.
  return (
    <span
      title={`Started by ${startedBy}`}
      className="flex min-w-0 items-center gap-1 text-muted text-xs md:max-xl:order-last md:max-xl:col-span-full xl:order-1 [&>svg]:size-3.5 [&>svg]:shrink-0 [&>svg]:text-faint"
    >
      <User aria-hidden />
      <span className="sr-only">Started by </span>
      <span className="truncate">{startedBy}</span>
    </span>
  );
}

function Name(props: { readonly icon: React.ReactNode; readonly name: string; readonly value: string | undefined }) {
  if (props.value === undefined) return <span className="hidden md:order-1 md:block" />;
  return (
    <span
      title={`${props.name} ${props.value}`}
      className="flex min-w-0 items-center gap-1 text-muted text-xs max-md:hidden md:order-1 [&>svg]:size-3.5 [&>svg]:shrink-0 [&>svg]:text-faint"
    >
      {props.icon}
      <span className="sr-only">{props.name} </span>
      <span className="truncate">{props.value}</span>
    </span>
  );
}

/** Returns the cost in words, or `undefined` while the usage is not known, where nothing was used, and for scripted runs. */
function costWord({ modelUsage, scripted, usage }: RunInfo): string | undefined {
  if (scripted || modelUsage === undefined) return undefined;
  const cost = costOfRun({ scripted, modelUsage });
  // A trace may have recorded a cost and no tokens.
  return tokens(usage) === 0 && cost.usd === 0 ? undefined : formatCost(cost);
}

function Figure(props: { readonly icon: React.ReactNode; readonly name: string; readonly value: string | number }) {
  return (
    <span
      title={props.name}
      className="flex items-center justify-end gap-1 whitespace-nowrap md:order-2 text-muted text-xs tabular-nums [&>svg]:size-3.5 [&>svg]:text-faint"
    >
      {props.icon}
      <span className="sr-only">{props.name} </span>
      {props.value}
    </span>
  );
}
