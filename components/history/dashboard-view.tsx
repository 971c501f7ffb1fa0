'use client';

import { ChartNoAxesGantt, Download, X } from 'lucide-react';
import Link from 'next/link';
import type { ReactNode } from 'react';
import { Page } from '@/components/shell/page';
import { buttonClass } from '@/components/ui/button';
import { classNames } from '@/components/ui/class-names';
import { later } from '@/components/ui/later';
import { type Dashboard, type DashboardRange, dashboardRanges, errorRate } from '@/lib/trace/dashboard';
import { formatCount } from '@/lib/trace/wording';
import { DashboardGroups } from './dashboard-groups';
import { dashboardCsvHref, dashboardHref, endedRuns, failedRuns, runsHref } from './dashboard-links';
import { formatMs, formatShare, formatUsd } from './dashboard-words';
import type { ProjectName } from './project-names';

const DashboardCharts = later(
  async () => (await import('./dashboard-charts')).DashboardCharts,
  <p role="status" className="h-[73.5rem] p-3 lg:h-[36.5rem] text-muted text-sm">
    Loading
  </p>,
);

export interface DashboardViewProps {
  readonly dashboard: Dashboard;
  /** The project whose runs are counted; all that the person may see by default. */
  readonly project: ProjectName | undefined;
  /** The alerts on these figures. */
  readonly alerts: ReactNode;
}

/** Figures of the runs that have ended in a range: sums, over time, and by what took part. Every figure is a link to its runs. */
export function DashboardView({ dashboard, project, alerts }: DashboardViewProps) {
  const { range, by } = dashboard;
  const address = { range, by, project: project?.id };
  return (
    <Page
      title="Dashboard"
      description="Runs that have ended, by the time of their start (UTC). Times are true to 9 %."
      actions={
        <>
          <Ranges current={range} hrefOf={(each) => dashboardHref({ ...address, range: each })} />
          <a href={dashboardCsvHref(address, 'time')} download className={buttonClass()}>
            <Download aria-hidden className="size-4" />
            CSV
          </a>
          <Link href={runsHref({ ...dashboard, project: project?.id })} className={buttonClass()}>
            <ChartNoAxesGantt aria-hidden className="size-4" />
            Runs
          </Link>
        </>
      }
    >
      {project !== undefined && (
        <p className="mb-3 inline-flex max-w-full items-center gap-1 rounded bg-hover py-0.5 pr-0.5 pl-2 text-sm">
          <span className="truncate">
            Project <span className="font-medium">{project.name}</span>
          </span>
          <Link
            href={dashboardHref({ ...address, project: undefined })}
            aria-label="Show all projects"
            className="flex size-6 items-center justify-center rounded-sm text-muted hover:bg-line hover:text-ink"
          >
            <X aria-hidden className="size-3.5" />
          </Link>
        </p>
      )}
      <Totals dashboard={dashboard} project={project?.id} />
      {alerts}
      <DashboardCharts dashboard={dashboard} project={project?.id} />
      <DashboardGroups dashboard={dashboard} project={project?.id} />
    </Page>
  );
}

interface RangesProps {
  readonly current: DashboardRange;
  readonly hrefOf: (range: DashboardRange) => string;
}

const ranges = Object.keys(dashboardRanges) as readonly DashboardRange[];

function Ranges({ current, hrefOf }: RangesProps) {
  return (
    <nav aria-label="Range" className="flex rounded border border-line-strong bg-surface p-0.5">
      {ranges.map((range) => (
        <Link
          key={range}
          href={hrefOf(range)}
          aria-current={range === current ? 'page' : undefined}
          title={`The last ${dashboardRanges[range].words}`}
          className="flex h-6.5 items-center rounded-sm px-2 text-muted text-sm hover:text-ink aria-[current=page]:bg-accent-soft aria-[current=page]:font-medium aria-[current=page]:text-accent"
        >
          {range}
        </Link>
      ))}
    </nav>
  );
}

function Totals({ dashboard, project }: { readonly dashboard: Dashboard; readonly project: string | undefined }) {
  const { total, waiting } = dashboard;
  const all = runsHref({ ...dashboard, project }, [endedRuns]);
  const failed = runsHref({ ...dashboard, project }, [failedRuns]);
  const inbox = project === undefined ? '/inbox' : `/inbox?project=${encodeURIComponent(project)}`;
  return (
    <ul className="mb-4 grid grid-cols-2 gap-2 sm:grid-cols-4 lg:grid-cols-7">
      <Total name="Runs" href={all}>
        {formatCount(total.calls)}
      </Total>
      <Total name="Error rate" href={failed} tone={total.failed > 0 ? 'bad' : undefined}>
        {formatShare(errorRate(total))}
      </Total>
      <Total name="Half took at most" href={all}>
        {formatMs(total.p50)}
      </Total>
      <Total name="95 % took at most" href={all}>
        {formatMs(total.p95)}
      </Total>
      <Total name="Tokens" href={all}>
        {formatCount(total.tokens)}
      </Total>
      <Total name="Cost" href={all}>
        {formatUsd(total.costUsd)}
      </Total>
      <Total
        name="Waiting now"
        href={inbox}
        title="Questions to people that are open now"
        tone={waiting > 0 ? 'warn' : undefined}
      >
        {formatCount(waiting)}
      </Total>
    </ul>
  );
}

interface TotalProps {
  readonly name: string;
  readonly href: string;
  readonly title?: string;
  readonly tone?: 'bad' | 'warn' | undefined;
  readonly children: ReactNode;
}

function Total({ name, href, title, tone, children }: TotalProps) {
  return (
    <li>
      <Link
        href={href}
        title={title}
        prefetch={false}
        className="block h-full rounded-lg border bg-surface px-3 py-2 shadow-card hover:border-line-strong"
      >
        <span className="block text-muted text-xs">{name}</span>
        <span
          className={classNames(
            'block font-semibold text-ink text-lg tabular-nums tracking-tight',
            tone === 'bad' && 'text-bad',
            tone === 'warn' && 'text-warn',
          )}
        >
          {children}
        </span>
      </Link>
    </li>
  );
}
