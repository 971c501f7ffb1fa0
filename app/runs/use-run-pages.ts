'use client';

import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { joinGroups } from '@/components/history/join-groups';
import type { RunPage } from '@/lib/client/run-info';
import { listRuns } from '@/lib/client/runs';
import { isActive } from '@/lib/trace/run-state';

const busyMs = 2_000;
const quietMs = 6_000;
/** A list with more pages than this is not refreshed every few seconds, because that would load too much. */
const pagesKeptFresh = 5;
const noPage: string | undefined = undefined;

/** A page that the server sent with the opened address, and when it was read. */
export interface OpenedRuns {
  readonly filter: string;
  readonly page: RunPage;
  /** The time in epoch milliseconds. */
  readonly readAt: number;
}

/**
 * Returns the pages of the list loaded so far, which are requested again every few seconds. `filter` is query text as
 * `filterToUrl` writes it.
 */
export function useRunPages(filter: string, first: OpenedRuns) {
  const [opened] = useState(first);
  const query = useInfiniteQuery({
    queryKey: ['runs', filter],
    queryFn: ({ pageParam }) => listRuns(filter, pageParam),
    initialPageParam: noPage,
    getNextPageParam: (page) => page.next ?? undefined,
    initialData: filter === opened.filter ? { pages: [opened.page], pageParams: [noPage] } : undefined,
    initialDataUpdatedAt: opened.readAt,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data === undefined ? quietMs : intervalOf(state.data.pages)),
    staleTime: busyMs,
  });
  return {
    groups: joinGroups((query.data?.pages ?? []).flatMap((page) => page.groups)),
    isLoaded: query.data !== undefined,
    hasMore: query.hasNextPage,
    isLoadingMore: query.isFetchingNextPage,
    showMore: () => void query.fetchNextPage(),
    error: query.error,
    /** The time in epoch milliseconds. */
    readAt: query.dataUpdatedAt,
  };
}

function intervalOf(pages: readonly RunPage[]): number | false {
  if (pages.length > pagesKeptFresh) return false;
  return pages.some(isBusy) ? busyMs : quietMs;
}

function isBusy({ groups }: RunPage): boolean {
  return groups.some(({ runs }) => runs.some(({ status }) => isActive(status)));
}
