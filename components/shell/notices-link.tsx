'use client';

import { Bell } from 'lucide-react';
import Link from 'next/link';
import { onNoticesRead, readUnreadCount } from '@/lib/client/unread-count';
import { CountBadge } from './count-badge';
import { usePolledCount } from './use-polled-count';

const notices = { read: readUnreadCount, onChange: onNoticesRead, everyMs: 30_000 };

/** The way to what the person was told, with the number of what is not read. */
export function NoticesLink({ path, className }: { readonly path: string; readonly className: string }) {
  const unread = usePolledCount(path, notices);
  return (
    <Link href="/notices" aria-current={path.startsWith('/notices') ? 'page' : undefined} className={className}>
      <span className="relative">
        <Bell aria-hidden className="size-4.5" />
        <CountBadge count={unread} />
      </span>
      <span className="sr-only sm:not-sr-only">Notices</span>
      {unread > 0 && <span className="sr-only">, {unread} not read</span>}
    </Link>
  );
}
