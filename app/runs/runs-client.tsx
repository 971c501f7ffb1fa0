'use client';

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { ChartNoAxesGantt } from 'lucide-react';
import Link from 'next/link';
import { useSearchParams } from 'next/navigation';
import { useState } from 'react';
import { projectNames } from '@/app/project-names';
import type { RunPage } from '@/app/run-filter';
import { FilterBar } from '@/components/history/filter-bar';
import { filterFromUrl, filterToUrl, type RunFilter } from '@/components/history/run-filter';
import { RunList } from '@/components/history/run-list';
import { Page } from '@/components/shell/page';
import { Button, buttonClass } from '@/components/ui/button';
import { EmptyState } from '@/components/ui/empty-state';

export interface RunsClientProps {
  /** For the address the page was opened at. */
  readonly first: RunPage;
  /** When it was read, epoch milliseconds: how long a run takes so far is the same on the server and in the browser. */
  readonly readAt: number;
}

const pageSize = 30;
const busyMs = 2_000;
const quietMs = 6_000;

export function RunsClient({ first, readAt }: RunsClientProps) {
  const params = useSearchParams();
  const filter = filterFromUrl(new URLSearchParams(params.toString()));
  const asked = filterToUrl(filter, 'complete');
  const [limit, setLimit] = useState(pageSize);
  const [opened] = useState(asked);
  const { data, error, dataUpdatedAt } = useQuery({
    queryKey: ['runs', asked, limit],
    queryFn: () => loadRuns(asked, limit),
    initialData: asked === opened && limit === pageSize ? first : undefined,
    initialDataUpdatedAt: readAt,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (isBusy(state.data) ? busyMs : quietMs),
    staleTime: busyMs,
  });
  const setFilter = (next: RunFilter) => {
    setLimit(pageSize);
    const query = filterToUrl(next);
    window.history.replaceState(null, '', query === '' ? '/runs' : `/runs?${query}`);
  };
  const groups = data?.groups ?? [];
  const total = data?.total ?? 0;
  return (
    <Page title="Runs" description="Runs that share a correlation id stand together.">
      <div className="mb-4">
        <FilterBar filter={filter} onChange={setFilter} projects={projectNames} />
      </div>
      {error !== null && (
        <p role="status" className="mb-3 rounded border border-warn bg-warn-soft px-3 py-2 text-sm text-warn">
          {error.message} The list is asked for again.
        </p>
      )}
      {groups.length === 0 ? (
        <Nothing filtered={asked !== ''} onClear={() => setFilter({})} />
      ) : (
        <>
          <RunList groups={groups} now={dataUpdatedAt} />
          <div className="mt-4 flex items-center gap-3 text-muted text-xs">
            <span>
              {groups.length} of {total} {total === 1 ? 'group' : 'groups'}
            </span>
            {groups.length < total && (
              <Button size="sm" onClick={() => setLimit(Math.min(limit + pageSize, 500))}>
                Show more
              </Button>
            )}
          </div>
        </>
      )}
    </Page>
  );
}

function Nothing({ filtered, onClear }: { readonly filtered: boolean; readonly onClear: () => void }) {
  const icon = <ChartNoAxesGantt aria-hidden />;
  return filtered ? (
    <EmptyState icon={icon} title="No run matches" action={<Button onClick={onClear}>Clear the filter</Button>}>
      Remove a part of the filter to see more.
    </EmptyState>
  ) : (
    <EmptyState
      icon={icon}
      title="No runs yet"
      action={
        <Link href="/" className={buttonClass('primary')}>
          Open a project
        </Link>
      }
    >
      Run a project and it appears here with its status, time and tokens.
    </EmptyState>
  );
}

function isBusy(page: RunPage | undefined): boolean {
  return (
    page?.groups.some(({ runs }) => runs.some(({ status }) => status === 'queued' || status === 'running')) ?? false
  );
}

async function loadRuns(filter: string, limit: number): Promise<RunPage> {
  const response = await fetch(`/api/v1/runs?${filter}${filter === '' ? '' : '&'}limit=${limit}`).catch(() => {
    throw new Error('The server cannot be reached.');
  });
  const body: RunPage & { error?: { message?: string } } = await response.json();
  if (!response.ok) throw new Error(body.error?.message ?? `The server answered ${response.status}.`);
  return body;
}
