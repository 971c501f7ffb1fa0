'use client';

import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ProjectCardData, ProjectCardPage } from '@/lib/client/project-page';
import { isActive } from '@/lib/trace/run-state';
import type { ProjectActions } from './project-types';

const workingMs = 3_000;
const readingMs = 1_000;
const quietMs = 30_000;
/** A list with more pages than this is not refreshed every few seconds, because that would load too much. */
const pagesKeptFresh = 5;

/**
 * Returns the pages of the list loaded so far. `first` is the first page for `openedWith`, which the server sent with the
 * page.
 */
export function useProjects(text: string, openedWith: string, first: ProjectCardPage, list: ProjectActions['list']) {
  const [opened] = useState({ text: openedWith, page: first });
  const query = useInfiniteQuery({
    queryKey: ['projects', text],
    queryFn: ({ pageParam }) => list({ text, after: pageParam }),
    initialPageParam: noPage,
    getNextPageParam: (page) => page.next ?? undefined,
    initialData: text === opened.text ? { pages: [opened.page], pageParams: [noPage] } : undefined,
    placeholderData: keepPreviousData,
    // A run in progress changes its card. Otherwise only actions on this page change the list.
    refetchInterval: ({ state }) => (state.data === undefined ? quietMs : intervalOf(state.data.pages)),
  });
  const pages = query.data?.pages ?? [];
  return {
    projects: distinct(pages.flatMap((page) => page.projects)),
    total: pages[0]?.total ?? 0,
    hasMore: query.hasNextPage,
    isLoadingMore: query.isFetchingNextPage,
    showMore: () => void query.fetchNextPage(),
    error: query.error,
  };
}

const noPage: string | undefined = undefined;

function intervalOf(pages: readonly ProjectCardPage[]): number | false {
  if (pages.length > pagesKeptFresh) return false;
  const projects = pages.flatMap((page) => page.projects);
  if (projects.some(({ state }) => state === 'reading')) return readingMs;
  return projects.some(isWorking) ? workingMs : quietMs;
}

function isWorking({ lastRun }: ProjectCardData): boolean {
  return isActive(lastRun?.status);
}

/** Removes duplicates, because a project that changed between two requests is on both pages. */
function distinct(projects: readonly ProjectCardData[]): readonly ProjectCardData[] {
  return [...new Map(projects.map((project) => [project.id, project] as const)).values()];
}
