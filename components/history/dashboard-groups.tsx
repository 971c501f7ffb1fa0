import { Download } from 'lucide-react';
import Link from 'next/link';
import { buttonClass } from '@/components/ui/button';
import { VisibleText } from '@/components/ui/visible-text';
import {
  type Dashboard,
  type DashboardFigures,
  type DashboardKey,
  dashboardGroups,
  errorRate,
} from '@/lib/trace/dashboard';
import { formatCount } from '@/lib/trace/wording';
import { clausesOfGroup, dashboardCsvHref, dashboardHref, endedRuns, failedRuns, runsHref } from './dashboard-links';
import { callWords, formatMs, formatShare, formatUsd, groupWords, nameOfGroup } from './dashboard-words';

export interface DashboardGroupsProps {
  readonly dashboard: Dashboard;
  readonly project: string | undefined;
}

/** The figures of a dashboard by project, agent, model, revision or tool, as a table. */
export function DashboardGroups({ dashboard, project }: DashboardGroupsProps) {
  const { range, by, groups } = dashboard;
  return (
    <section aria-label={`By ${groupWords[by].toLowerCase()}`} className="rounded-lg border bg-surface shadow-card">
      <div className="flex flex-wrap items-center gap-2 border-b px-3 py-1.5">
        <nav aria-label="Figures by" className="flex flex-wrap items-center gap-0.5">
          <span className="mr-1 text-muted text-xs">By</span>
          {dashboardGroups.map((each) => (
            <Link
              key={each}
              href={dashboardHref({ range, by: each, project })}
              aria-current={each === by ? 'page' : undefined}
              scroll={false}
              className="rounded-sm px-2 py-0.5 text-muted text-sm hover:text-ink aria-[current=page]:bg-accent-soft aria-[current=page]:font-medium aria-[current=page]:text-accent"
            >
              {groupWords[each]}
            </Link>
          ))}
        </nav>
        <a
          href={dashboardCsvHref({ range, by, project }, 'groups')}
          download
          className={`${buttonClass('ghost', 'sm')} ml-auto`}
        >
          <Download aria-hidden className="size-3.5" />
          CSV
        </a>
      </div>
      {groups.length === 0 ? (
        <p className="px-3 py-6 text-center text-muted text-sm">No run has ended in this time.</p>
      ) : (
        <Table {...{ dashboard, project }} />
      )}
    </section>
  );
}

function Table({ dashboard, project }: DashboardGroupsProps) {
  const { by, groups } = dashboard;
  const hasTokens = by !== 'tool';
  return (
    <div className="overflow-x-auto">
      <table className="w-full text-left text-sm tabular-nums">
        <thead className="text-muted text-xs">
          <tr className="[&>th]:whitespace-nowrap [&>th]:px-3 [&>th]:py-1.5 [&>th]:font-medium">
            <th scope="col">{groupWords[by]}</th>
            <th scope="col" className="text-right">
              {callWords[by]}
            </th>
            <th scope="col" className="text-right">
              Error rate
            </th>
            <th scope="col" className="text-right">
              50 %
            </th>
            <th scope="col" className="text-right">
              95 %
            </th>
            {hasTokens && (
              <>
                <th scope="col" className="text-right">
                  Tokens
                </th>
                <th scope="col" className="text-right">
                  Cost
                </th>
              </>
            )}
          </tr>
        </thead>
        <tbody>
          {groups.map(({ of, ...figures }) => (
            <Row key={`${of.project} ${of.name}`} {...{ of, figures, dashboard, project, hasTokens }} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface RowProps extends DashboardGroupsProps {
  readonly of: DashboardKey;
  readonly figures: DashboardFigures;
  readonly hasTokens: boolean;
}

function Row({ of, figures, dashboard, project, hasTokens }: RowProps) {
  const { by } = dashboard;
  const { calls, failed, p50, p95, tokens, costUsd } = figures;
  const clauses = clausesOfGroup(by, of);
  const isOfProject = clauses.some(({ field }) => field === 'project');
  const range = { ...dashboard, project: isOfProject ? undefined : project };
  const failedHref = runsHref(range, by === 'project' || by === 'revision' ? [...clauses, failedRuns] : clauses);
  return (
    <tr className="border-t [&>td]:whitespace-nowrap [&>td]:px-3 [&>td]:py-1.5 [&>td]:text-right hover:bg-hover">
      <th scope="row" className="max-w-80 truncate px-3 py-1.5 font-normal">
        <Link
          href={runsHref(range, [...clauses, endedRuns])}
          prefetch={false}
          className="text-ink underline-offset-2 hover:underline"
        >
          <VisibleText text={nameOfGroup(by, of)} />
        </Link>
      </th>
      <td>{formatCount(calls)}</td>
      <td>
        {failed === 0 ? (
          formatShare(errorRate(figures))
        ) : (
          <Link
            href={failedHref}
            prefetch={false}
            title={`${formatCount(failed)} failed`}
            className="text-bad hover:underline"
          >
            {formatShare(errorRate(figures))}
          </Link>
        )}
      </td>
      <td>{formatMs(p50)}</td>
      <td>{formatMs(p95)}</td>
      {hasTokens && (
        <>
          <td>{formatCount(tokens)}</td>
          <td>{formatUsd(costUsd)}</td>
        </>
      )}
    </tr>
  );
}
