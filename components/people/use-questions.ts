import { keepPreviousData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { readAgain } from '@/components/shell/read-again';
import type { PendingInfo } from '@/lib/base/pending-info';
import { listPending, watchPending } from '@/lib/client/pending';
import type { InboxPlace } from './inbox-place';

const pageSize = 100;

export interface Questions {
  readonly items: readonly PendingInfo[];
  /** How many wait in all; `undefined` until it is known. */
  readonly open: number | undefined;
  readonly isLoaded: boolean;
  readonly error: Error | null;
  /** Changes when the questions were read again. */
  readonly version: number;
  readonly hasMore: boolean;
  /** Reads the next page. Resolves to all questions that are known then. */
  readonly more: () => Promise<readonly PendingInfo[]>;
}

/** Reads the questions of a place page by page, and reads them again when one was asked or has ended. */
export function useQuestions({ status, run, project }: InboxPlace): Questions {
  const client = useQueryClient();
  useEffect(() => watchPending({}, () => void readAgain(client, ['pending'])), [client]);
  const query = {
    status,
    limit: String(pageSize),
    ...(run !== undefined && { run }),
    ...(project !== undefined && { project }),
  };
  const { data, error, dataUpdatedAt, hasNextPage, fetchNextPage } = useInfiniteQuery({
    queryKey: ['pending', query],
    queryFn: ({ signal, pageParam }) =>
      listPending({ ...query, ...(pageParam !== '' && { after: pageParam }) }, signal),
    initialPageParam: '',
    getNextPageParam: (last) => last.next,
    placeholderData: keepPreviousData,
    refetchInterval: 30_000,
    retry: false,
  });
  return {
    items: itemsOf(data),
    open: data?.pages.at(-1)?.open,
    isLoaded: data !== undefined,
    error,
    version: dataUpdatedAt,
    hasMore: hasNextPage,
    more: async () => itemsOf((await fetchNextPage()).data),
  };
}

function itemsOf(
  data: { readonly pages: readonly { readonly items: readonly PendingInfo[] }[] } | undefined,
): readonly PendingInfo[] {
  const all = data?.pages.flatMap(({ items }) => items) ?? [];
  // A question that ended between two requests may have moved others to another page.
  const seen = new Set<string>();
  return all.filter(({ id }) => !seen.has(id) && seen.add(id));
}
