'use client';

import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { RunPage } from '@/app/run-filter';
import { joinGroups } from '@/components/history/join-groups';

const busyMs = 2_000;
const quietMs = 6_000;
/** With more pages than this a list that asks again by itself would ask for too much. */
const pagesKeptFresh = 5;
const noPage: string | undefined = undefined;

/** A page the server sent with the address the list was opened at, and when it was read. */
export interface OpenedRuns {
  readonly filter: string;
  readonly page: RunPage;
  /** Epoch milliseconds. */
  readonly readAt: number;
}

/** The pages of the list loaded so far, asked for again every few seconds. `filter`: query text as `filterToUrl` writes it. */
export function useRunPages(filter: string, first: OpenedRuns) {
  const [opened] = useState(first);
  const query = useInfiniteQuery({
    queryKey: ['runs', filter],
    queryFn: ({ pageParam }) => loadPage(filter, pageParam),
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
    /** Epoch milliseconds. */
    readAt: query.dataUpdatedAt,
  };
}

function intervalOf(pages: readonly RunPage[]): number | false {
  if (pages.length > pagesKeptFresh) return false;
  return pages.some(isBusy) ? busyMs : quietMs;
}

function isBusy({ groups }: RunPage): boolean {
  return groups.some(({ runs }) => runs.some(({ status }) => status === 'queued' || status === 'running'));
}

/** The answers that came last, by address, so that one that has not changed is not sent again. */
const answers = new Map<string, { readonly tag: string; readonly page: RunPage }>();
const mostAnswers = pagesKeptFresh + 1;

async function loadPage(filter: string, after: string | undefined): Promise<RunPage> {
  const query = new URLSearchParams(filter);
  if (after !== undefined) query.set('after', after);
  const url = `/api/v1/runs?${query}`;
  const known = answers.get(url);
  const headers: HeadersInit = known === undefined ? {} : { 'If-None-Match': known.tag };
  const response = await fetch(url, { headers }).catch(() => {
    throw new Error('The server cannot be reached.');
  });
  if (response.status === 304 && known !== undefined) return known.page;
  const body: RunPage & { error?: { message?: string } } = await response.json();
  if (!response.ok) throw new Error(body.error?.message ?? `The server answered ${response.status}.`);
  keepAnswer(url, response.headers.get('etag'), body);
  return body;
}

function keepAnswer(url: string, tag: string | null, page: RunPage): void {
  answers.delete(url);
  if (tag !== null) answers.set(url, { tag, page });
  for (const oldest of answers.keys()) {
    if (answers.size <= mostAnswers) return;
    answers.delete(oldest);
  }
}
