'use client';

import { ChartNoAxesGantt } from 'lucide-react';
import Link from 'next/link';
import { useRouter, useSearchParams } from 'next/navigation';
import { projectNames } from '@/app/project-names';
import { FilterBar } from '@/components/history/filter-bar';
import { ImportRuns } from '@/components/history/import-runs';
import { filterFromUrl, filterToUrl, type RunFilter } from '@/components/history/run-filter';
import { RunList } from '@/components/history/run-list';
import { Page } from '@/components/shell/page';
import { Button, buttonClass } from '@/components/ui/button';
import { EmptyState } from '@/components/ui/empty-state';
import type { RunPage } from '@/lib/client/run-info';
import { useRunPages } from './use-run-pages';

export interface RunsClientProps {
  /** The first page for the address that was opened. */
  readonly first: RunPage;
  /**
   * When the page was read, in epoch milliseconds. The duration of a running run is computed from it, so that server and
   * browser show the same.
   */
  readonly readAt: number;
}

export function RunsClient({ first, readAt }: RunsClientProps) {
  const router = useRouter();
  const params = useSearchParams();
  const filter = filterFromUrl(new URLSearchParams(params.toString()));
  const asked = filterToUrl(filter, 'complete');
  const list = useRunPages(asked, { filter: asked, page: first, readAt });
  const { groups, hasMore } = list;
  const setFilter = (next: RunFilter) => {
    const query = filterToUrl(next);
    window.history.replaceState(null, '', query === '' ? '/runs' : `/runs?${query}`);
  };
  return (
    <Page
      title="Runs"
      description="Runs with the same correlation id are grouped."
      actions={<ImportRuns onImported={() => router.refresh()} />}
    >
      <div className="mb-4">
        <FilterBar filter={filter} onChange={setFilter} projects={projectNames} />
      </div>
      {list.error !== null && (
        <p role="status" className="mb-3 rounded border border-warn bg-warn-soft px-3 py-2 text-sm text-warn">
          {list.error.message} The list will be loaded again.
        </p>
      )}
      {groups.length > 0 && <RunList groups={groups} now={list.readAt} />}
      {groups.length === 0 && !hasMore && <Nothing filtered={asked !== ''} onClear={() => setFilter({})} />}
      {(groups.length > 0 || hasMore) && (
        <div className="mt-4 flex items-center gap-3 text-muted text-xs">
          <p role="status">{shown(groups.length, hasMore)}</p>
          {hasMore && (
            <Button size="sm" busy={list.isLoadingMore} onClick={list.showMore}>
              {groups.length === 0 ? 'Search older runs' : 'Show more'}
            </Button>
          )}
        </div>
      )}
    </Page>
  );
}

/** Says how much of the list is shown. While there are more pages, only the newest runs have been searched. */
function shown(groups: number, hasMore: boolean): string {
  if (groups === 0) return 'None of the newest runs matches.';
  const counted = `${groups} ${groups === 1 ? 'group' : 'groups'}`;
  return hasMore ? `The newest ${counted}; there may be more` : counted;
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
