'use client';

import { TriangleAlert } from 'lucide-react';
import { buttonClass } from '@/components/ui/button';
import { EmptyState } from '@/components/ui/empty-state';

/** One fixed sentence: what went wrong is in the server's log, under the digest. */
export default function ErrorPage({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) {
  return (
    <EmptyState
      icon={<TriangleAlert aria-hidden />}
      heading="h1"
      title="This page could not be shown"
      action={
        <button type="button" onClick={reset} className={buttonClass('primary')}>
          Try again
        </button>
      }
    >
      Nothing you saved is lost. If it happens again, look in the server's log
      {error.digest ? ` for ${error.digest}.` : '.'}
    </EmptyState>
  );
}
