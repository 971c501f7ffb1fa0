import type { Metadata } from 'next';
import { isAllowedSomewhere } from '@/app/allowed-somewhere';
import { pageActor } from '@/app/page-actor';
import { findRuns, type RunQuery, readRunQuery } from '@/app/run-filter';
import { QueryProvider } from '@/components/shell/query-provider';
import { AppError } from '@/lib/base/app-error';
import { scopeFor } from '@/lib/base/rights';
import { readSavedFilters } from '@/lib/server/run-lists';
import { RunsClient } from './runs-client';

export const metadata: Metadata = { title: 'Runs' };

interface RunsPageProps {
  readonly searchParams: Promise<Readonly<Record<string, string | string[] | undefined>>>;
}

/** Shows all runs, grouped by correlation id. The browser asks again for a filter that is not valid, and is told what is wrong. */
export default async function RunsPage({ searchParams }: RunsPageProps) {
  const params = Object.entries(await searchParams).flatMap(([key, value = []]) =>
    [value].flat().map((each) => [key, each] as const),
  );
  const [query, actor] = [readQuery(params), await pageActor()];
  const [page, saved] = await Promise.all([query && findRuns(actor, query), readSavedFilters(actor)]);
  const readAt = Date.now();
  return (
    <QueryProvider>
      <RunsClient
        first={page}
        readAt={readAt}
        saved={saved}
        imports={scopeFor(actor.reach, 'run.import') === 'all'}
        deletes={isAllowedSomewhere(actor, 'run.delete')}
      />
    </QueryProvider>
  );
}

function readQuery(params: readonly (readonly [string, string])[]): RunQuery | undefined {
  try {
    return readRunQuery(params);
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}
