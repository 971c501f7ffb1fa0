import { type QueryClient, useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { readAgain } from '@/components/shell/read-again';
import type { ConversationDetail, ConversationInfo, TurnInfo } from '@/lib/base/conversation';
import { RequestError } from '@/lib/client/ask';
import { listConversations, readConversation } from '@/lib/client/conversations';

const listKey = (project: string) => ['conversations', project];
const threadKey = (project: string, id: string | undefined) => ['conversation', project, id];
const listPage = 30;
const threadPage = 20;
/** Messages of other people and of scripts are found this often. What this page follows is told by a stream. */
const refreshMs = 30_000;

/** Lists the conversations of a project, newest first. */
export function useConversations(project: string) {
  return useInfiniteQuery({
    queryKey: listKey(project),
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      listConversations(project, { limit: listPage, ...(pageParam !== undefined && { cursor: pageParam }) }, signal),
    getNextPageParam: ({ next }) => next ?? undefined,
    refetchInterval: refreshMs,
    retry: false,
    select: ({ pages }): readonly ConversationInfo[] => pages.flatMap(({ conversations }) => conversations),
  });
}

export interface Thread {
  readonly info: ConversationDetail;
  /** Oldest first. */
  readonly turns: readonly TurnInfo[];
}

/** Reads a conversation from its end. `fetchNextPage` reads earlier turns. */
export function useThread(project: string, id: string | undefined) {
  return useInfiniteQuery({
    queryKey: threadKey(project, id),
    enabled: id !== undefined,
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      readConversation(
        project,
        id ?? '',
        { limit: threadPage, ...(pageParam !== undefined && { cursor: pageParam }) },
        signal,
      ),
    getNextPageParam: ({ next }) => next ?? undefined,
    refetchInterval: (query) => (isGone(query.state.error) ? false : refreshMs),
    retry: (failures, error) => failures < 1 && !isGone(error),
    select: ({ pages }): Thread | undefined => {
      const [newest] = pages;
      return newest && { info: newest, turns: pages.toReversed().flatMap(({ turns }) => turns) };
    },
  });
}

/** True if the conversation does not exist, so that asking again does not help. */
function isGone(error: unknown): boolean {
  return error instanceof RequestError && error.status === 404;
}

/** Returns a function that reads the list and the open conversation again. */
export function useRefresh(project: string, id: string | undefined): () => Promise<void> {
  const client = useQueryClient();
  return useCallback(() => refresh(client, project, id), [client, project, id]);
}

async function refresh(client: QueryClient, project: string, id: string | undefined): Promise<void> {
  await Promise.all([
    readAgain(client, listKey(project)),
    id !== undefined && readAgain(client, threadKey(project, id)),
  ]);
}
