'use client';

import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { joinGroups } from '@/components/history/join-groups';
import type { RunPage } from '@/lib/client/run-info';
import { listRuns } from '@/lib/client/runs';
import { isActive } from '@/lib/trace/run-state';

const busyMs = 2_000;
const quietMs = 6_000;
/** Of a list with more pages than this, only the newest page is read every few seconds, because all would be too much. */
const pagesKeptFresh = 5;
const noPage: string | undefined = undefined;

/** A page that the server sent with the opened address, and when it was read. */
export interface OpenedRuns {
  readonly filter: string;
  /** `undefined` if the address has a filter that cannot be read. */
  readonly page: RunPage | undefined;
  /** The time in epoch milliseconds. */
  readonly readAt: number;
}

/**
 * Returns the pages of the list loaded so far, which are requested again every few seconds. `filter` is query text as
 * `queryOf` writes it.
 */
export function useRunPages(filter: string, first: OpenedRuns) {
  const [opened] = useState(first);
  const query = useInfiniteQuery({
    queryKey: ['runs', filter],
    queryFn: ({ pageParam }) => listRuns(filter, pageParam),
    initialPageParam: noPage,
    getNextPageParam: (page) => page.next ?? undefined,
    initialData:
      filter === opened.filter && opened.page !== undefined
        ? { pages: [opened.page], pageParams: [noPage] }
        : undefined,
    initialDataUpdatedAt: opened.readAt,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data === undefined ? quietMs : intervalOf(state.data.pages)),
    staleTime: busyMs,
  });
  const pages = query.data?.pages ?? [];
  const newest = useQuery({
    queryKey: ['newest-runs', filter],
    queryFn: () => listRuns(filter, undefined),
    enabled: pages.length > pagesKeptFresh,
    refetchInterval: busyMs,
  });
  const head = pages.length > pagesKeptFresh && newest.data !== undefined ? [newest.data] : [];
  return {
    groups: joinGroups([...head, ...pages].flatMap((page) => page.groups)),
    /** False until the first answer. An address whose filter cannot be read never has one. */
    isLoaded: query.data !== undefined,
    hasMore: query.hasNextPage,
    isLoadingMore: query.isFetchingNextPage,
    showMore: () => void query.fetchNextPage(),
    refresh: () => void Promise.all([query.refetch(), head.length > 0 && newest.refetch()]),
    error: query.error,
    /** The time in epoch milliseconds. */
    readAt: Math.max(query.dataUpdatedAt, head.length > 0 ? newest.dataUpdatedAt : 0) || opened.readAt,
  };
}

function intervalOf(pages: readonly RunPage[]): number | false {
  if (pages.length > pagesKeptFresh) return false;
  return pages.some(isBusy) ? busyMs : quietMs;
}

function isBusy({ groups }: RunPage): boolean {
  return groups.some(({ runs }) => runs.some(({ status }) => isActive(status)));
}
