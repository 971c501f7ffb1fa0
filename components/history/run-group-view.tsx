'use client';

import { ArrowLeft, ArrowRight, ListFilter } from 'lucide-react';
import Link from 'next/link';
import { useRouter } from 'next/navigation';
import type { ReactNode } from 'react';
import { Page } from '@/components/shell/page';
import { buttonClass } from '@/components/ui/button';
import { CopyButton } from '@/components/ui/copy-button';
import { EmptyState } from '@/components/ui/empty-state';
import { useWhileVisible } from '@/components/ui/use-while-visible';
import { neighboursOf, type RunGroupTimes, readAgainAfter } from '@/lib/trace/run-group';
import { costOfSums } from '@/lib/trace/run-sums';
import { formatCount, formatDuration } from '@/lib/trace/wording';
import { RunGroupBars } from './run-group-bars';

export interface RunGroupViewProps {
  readonly group: RunGroupTimes;
  /** The run from which somebody comes. */
  readonly run: string | undefined;
  /** When the server read the runs, in epoch milliseconds. */
  readonly readAt: number;
}

/** The runs of a correlation id: their sums, and a bar for each on one axis of wall-clock time, which is a link to the run. */
export function RunGroupView({ group, run, readAt }: RunGroupViewProps) {
  const { correlationId, runs, sums, isCut } = group;
  const router = useRouter();
  useWhileVisible(() => router.refresh(), readAgainAfter(group));
  const { previous, next } = run === undefined ? { previous: undefined, next: undefined } : neighboursOf(runs, run);
  return (
    <Page
      title="Runs of a correlation id"
      description={
        <span className="flex min-w-0 items-center gap-1">
          <span className="min-w-0 break-all font-mono text-xs">{correlationId}</span>
          <CopyButton text={correlationId} label="Copy correlation id" />
        </span>
      }
      actions={
        <>
          {previous !== undefined && (
            <Link href={`/r/${previous.id}`} className={buttonClass()}>
              <ArrowLeft aria-hidden className="size-4" />
              Previous run
            </Link>
          )}
          {next !== undefined && (
            <Link href={`/r/${next.id}`} className={buttonClass()}>
              Next run
              <ArrowRight aria-hidden className="size-4" />
            </Link>
          )}
          <Link href={`/runs?correlation=${encodeURIComponent(correlationId)}`} className={buttonClass()}>
            <ListFilter aria-hidden className="size-4" />
            In the list
          </Link>
        </>
      }
    >
      {runs.length === 0 ? (
        <EmptyState icon={<ListFilter aria-hidden />} title="No run">
          No run that you may see has this correlation id. It may have been deleted.
        </EmptyState>
      ) : (
        <>
          <Sums sums={sums} isCut={isCut} />
          {runs.length < sums.runs && (
            <p className="mb-2 text-muted text-sm">
              The newest {formatCount(runs.length)} of {isCut && 'more than '}
              {sums.runs.toLocaleString('en-US')} runs are drawn. The sums are those of{' '}
              {isCut ? `the newest ${sums.runs.toLocaleString('en-US')}` : 'all'}.
            </p>
          )}
          <RunGroupBars runs={runs} run={run} readAt={readAt} />
        </>
      )}
    </Page>
  );
}

function Sums({ sums, isCut }: Pick<RunGroupTimes, 'sums' | 'isCut'>) {
  const { runs, ended, failed, errors, durationMs, tokens } = sums;
  return (
    <ul className="mb-4 grid grid-cols-2 gap-2 sm:grid-cols-3 lg:grid-cols-6">
      <Sum name="Runs">
        {runs.toLocaleString('en-US')}
        {isCut && '+'}
        {ended < runs && <span className="ml-1 font-normal text-muted text-xs">{runs - ended} active</span>}
      </Sum>
      <Sum name="Failed" isBad={failed > 0}>
        {failed.toLocaleString('en-US')}
      </Sum>
      <Sum name="Duration" title="The sum of the runs that have ended, without the queue">
        {formatDuration(durationMs * 1_000)}
      </Sum>
      <Sum name="Tokens">{formatCount(tokens)}</Sum>
      <Sum name="Cost">{costOfSums(sums)}</Sum>
      <Sum name="Errors" title="Steps that failed" isBad={errors > 0}>
        {errors.toLocaleString('en-US')}
      </Sum>
    </ul>
  );
}

interface SumProps {
  readonly name: string;
  readonly title?: string;
  readonly isBad?: boolean;
  readonly children: ReactNode;
}

function Sum({ name, title, isBad = false, children }: SumProps) {
  return (
    <li title={title} className="rounded-lg border bg-surface px-3 py-2 shadow-card">
      <span className="block text-muted text-xs">{name}</span>
      <span className={`block font-semibold text-lg tabular-nums tracking-tight ${isBad ? 'text-bad' : 'text-ink'}`}>
        {children}
      </span>
    </li>
  );
}
