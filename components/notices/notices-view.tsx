'use client';

import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { Bell } from 'lucide-react';
import Link from 'next/link';
import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { classNames } from '@/components/ui/class-names';
import { EmptyState } from '@/components/ui/empty-state';
import { TimeAgo } from '@/components/ui/time-ago';
import { VisibleText } from '@/components/ui/visible-text';
import { listNotices, type ShownNotices } from '@/lib/client/notices';
import { tellNoticesRead } from '@/lib/client/unread-count';
import { NoticeChoicesForm, type NoticeChoicesFormProps } from './notice-choices';

export interface NoticesViewProps {
  readonly choices: NoticeChoicesFormProps['first'];
  readonly services: {
    /** Each rejects with an Error whose message users may see. */
    readonly mark: (ids: readonly string[] | 'all') => Promise<void>;
    readonly choose: NoticeChoicesFormProps['onChoose'];
  };
}

const key = ['notices'];

/** What the person was told, newest first, and below how the person wants to hear of it. */
export function NoticesView({ choices, services }: NoticesViewProps) {
  const client = useQueryClient();
  const [fault, setFault] = useState<string>();
  const { data, error, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam, signal }) => listNotices(pageParam === '' ? undefined : pageParam, signal),
    initialPageParam: '',
    getNextPageParam: (last) => last.next,
    refetchInterval: 10_000,
    retry: false,
  });
  const all = data?.pages.flatMap(({ notices }) => notices) ?? [];
  const mark = async (ids: readonly string[] | 'all') => {
    setFault(undefined);
    try {
      await services.mark(ids);
      tellNoticesRead();
      await client.invalidateQueries({ queryKey: key });
    } catch (reason) {
      setFault(reason instanceof Error ? reason.message : String(reason));
    }
  };
  const problem = fault ?? error?.message;
  return (
    <div className="flex max-w-3xl flex-col gap-6">
      {problem !== undefined && (
        <p role="alert" className="text-bad text-sm">
          {problem}
        </p>
      )}
      {all.some(({ isRead }) => !isRead) && (
        <Button size="sm" className="self-end" onClick={() => void mark('all')}>
          Mark all as read
        </Button>
      )}
      {data !== undefined && all.length === 0 && (
        <EmptyState icon={<Bell aria-hidden />} title="Nothing yet">
          Reviews that you are asked for, mentions, publications, failed runs and alerts will be listed here.
        </EmptyState>
      )}
      {all.length > 0 && <NoticeList notices={all} onOpen={(id) => void mark([id])} />}
      {hasNextPage && (
        <Button size="sm" className="self-center" busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          Show older ones
        </Button>
      )}
      <NoticeChoicesForm first={choices} onChoose={services.choose} />
    </div>
  );
}

function NoticeList(props: { readonly notices: ShownNotices['notices']; readonly onOpen: (id: string) => void }) {
  return (
    <ul aria-label="Notices" className="divide-y rounded-lg border bg-surface shadow-card">
      {props.notices.map(({ id, words, href, at, projectName, isRead }) => (
        <li key={id} className="flex items-start gap-3 px-4 py-2.5 text-sm">
          <span
            aria-hidden
            className={classNames('mt-1.5 size-2 shrink-0 rounded-full', isRead ? 'bg-transparent' : 'bg-accent')}
          />
          <p className="min-w-0 flex-1">
            <Link
              href={href}
              onClick={() => props.onOpen(id)}
              className={classNames('break-words hover:underline', isRead ? 'text-muted' : 'font-medium text-ink')}
            >
              <VisibleText text={words} use="prose" />
            </Link>
            {!isRead && <span className="sr-only"> (not read)</span>}
            <span className="block text-muted text-xs">
              <VisibleText text={projectName ?? 'All projects'} /> · <TimeAgo at={at} />
            </span>
          </p>
        </li>
      ))}
    </ul>
  );
}
