'use client';

import { Inbox } from 'lucide-react';
import Link from 'next/link';
import { useEffect, useState } from 'react';
import { onAnswered, readOpenCount } from '@/lib/client/open-count';

/** A stream on every page would use up the few connections that a browser has for one server. */
const pollMs = 10_000;

/** The way to the inbox, with the number of questions that wait. */
export function InboxLink({ path, className }: { readonly path: string; readonly className: string }) {
  const open = useOpenCount(path);
  return (
    <Link href="/inbox" aria-current={path.startsWith('/inbox') ? 'page' : undefined} className={className}>
      <span className="relative">
        <Inbox aria-hidden className="size-4.5" />
        {open > 0 && (
          <span
            aria-hidden
            className="absolute -top-1.5 -right-1.5 sm:-right-2.5 min-w-4 rounded-full bg-warn px-1 text-center font-medium text-2xs text-accent-ink leading-4 tabular-nums"
          >
            {open > 99 ? '99+' : open}
          </span>
        )}
      </span>
      Inbox
      {open > 0 && <span className="sr-only">, {open} waiting</span>}
    </Link>
  );
}

/** Returns how many questions wait, as far as it is known. It is asked again when the page changes, is looked at, or answers one. */
function useOpenCount(path: string): number {
  const [open, setOpen] = useState(0);
  const isSignedOut = path.startsWith('/sign-in');
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked again on another page
  useEffect(() => {
    if (isSignedOut) return;
    const gone = new AbortController();
    const read = () => {
      if (document.visibilityState === 'hidden') return;
      readOpenCount(gone.signal).then(
        (count) => {
          if (!gone.signal.aborted) setOpen(count);
        },
        // Without an answer the last number stays.
        () => {},
      );
    };
    read();
    const timer = setInterval(read, pollMs);
    const unsubscribe = onAnswered(read);
    document.addEventListener('visibilitychange', read);
    return () => {
      gone.abort();
      clearInterval(timer);
      unsubscribe();
      document.removeEventListener('visibilitychange', read);
    };
  }, [path, isSignedOut]);
  return isSignedOut ? 0 : open;
}
