'use client';

import { Inbox } from 'lucide-react';
import Link from 'next/link';
import { onAnswered, readOpenCount } from '@/lib/client/open-count';
import { CountBadge } from './count-badge';
import { usePolledCount } from './use-polled-count';

const questions = { read: readOpenCount, onChange: onAnswered, everyMs: 10_000 };

/** The way to the inbox, with the number of questions that wait. */
export function InboxLink({ path, className }: { readonly path: string; readonly className: string }) {
  const open = usePolledCount(path, questions);
  return (
    <Link href="/inbox" aria-current={path.startsWith('/inbox') ? 'page' : undefined} className={className}>
      {/* The number reaches over the icon, and the word is beside it on a phone. */}
      <span className="relative max-sm:has-[>span]:mr-1.5">
        <Inbox aria-hidden className="size-4.5" />
        <CountBadge count={open} />
      </span>
      <span className="max-[22.5rem]:sr-only">Inbox</span>
      {open > 0 && <span className="sr-only">, {open} waiting</span>}
    </Link>
  );
}
