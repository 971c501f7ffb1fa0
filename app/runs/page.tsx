import type { Metadata } from 'next';
import { pageActor } from '@/app/page-actor';
import { QueryProvider } from '@/components/shell/query-provider';
import { openRuns, partsOf, type Query } from './open-runs';
import { RunsClient } from './runs-client';

export const metadata: Metadata = { title: 'Runs' };

interface RunsPageProps {
  readonly searchParams: Promise<Query>;
}

/** Shows all runs, grouped by correlation id. */
export default async function RunsPage({ searchParams }: RunsPageProps) {
  const parts = partsOf(await searchParams);
  return (
    <QueryProvider>
      <RunsClient {...(await openRuns(await pageActor(), parts))} />
    </QueryProvider>
  );
}
