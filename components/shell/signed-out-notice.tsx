'use client';

import { useSyncExternalStore } from 'react';
import { isSignedOut, onSignedOut } from '@/lib/client/signed-out';

/**
 * Says that the session of this page has ended, and leads to the sign-in page in another tab, so that nothing on this page is lost. It goes
 * away by itself: the number of open questions is asked when the page is looked at again.
 */
export function SignedOutNotice({ path }: { readonly path: string }) {
  const isOut = useSyncExternalStore(onSignedOut, isSignedOut, () => false);
  if (!isOut) return null;
  return (
    <p
      role="alert"
      className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b bg-warn-soft px-4 py-2 text-ink text-sm"
    >
      <span className="min-w-0 flex-1 basis-60">You are signed out. What you have not saved is kept on this page.</span>
      <a
        href={`/sign-in?to=${encodeURIComponent(path)}`}
        target="_blank"
        rel="noreferrer"
        className="font-medium text-accent underline underline-offset-2"
      >
        Sign in again
      </a>
    </p>
  );
}
