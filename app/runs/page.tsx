import type { Metadata } from 'next';
import { findRuns, pageSize, type RunQuery, readRunQuery } from '@/app/run-filter';
import { QueryProvider } from '@/components/shell/query-provider';
import { AppError } from '@/lib/base/app-error';
import { RunsClient } from './runs-client';

export const metadata: Metadata = { title: 'Runs' };

interface RunsPageProps {
  readonly searchParams: Promise<Readonly<Record<string, string | string[] | undefined>>>;
}

/** Shows all runs, grouped by correlation id. A filter that is not valid filters nothing. */
export default async function RunsPage({ searchParams }: RunsPageProps) {
  const params = Object.entries(await searchParams).flatMap(([key, value = []]) =>
    [value].flat().map((each) => [key, each] as const),
  );
  const page = await findRuns(queryOrNone(params));
  const readAt = Date.now();
  return (
    <QueryProvider>
      <RunsClient first={page} readAt={readAt} />
    </QueryProvider>
  );
}

function queryOrNone(params: readonly (readonly [string, string])[]): RunQuery {
  try {
    return readRunQuery(params);
  } catch (error) {
    if (error instanceof AppError) return { where: [], limit: pageSize };
    throw error;
  }
}
