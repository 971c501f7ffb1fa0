import type { Metadata } from 'next';
import { findRuns, runQuery } from '@/app/run-filter';
import { QueryProvider } from '@/components/shell/query-provider';
import { RunsClient } from './runs-client';

export const metadata: Metadata = { title: 'Runs' };

interface RunsPageProps {
  readonly searchParams: Promise<Readonly<Record<string, string | string[] | undefined>>>;
}

/** Shows all runs, grouped by correlation id. A filter that is not valid filters nothing. */
export default async function RunsPage({ searchParams }: RunsPageProps) {
  const asked = runQuery.safeParse(await searchParams);
  const query = asked.success ? asked.data : runQuery.parse({});
  const page = await findRuns(query);
  const readAt = Date.now();
  return (
    <QueryProvider>
      <RunsClient first={page} readAt={readAt} />
    </QueryProvider>
  );
}
