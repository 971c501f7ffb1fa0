'use client';

import { TriangleAlert } from 'lucide-react';
import { Button } from '@/components/ui/button';
import { EmptyState } from '@/components/ui/empty-state';

/** One fixed sentence: what went wrong is in the server's log, under the digest. */
export default function ErrorPage({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) {
  return (
    <EmptyState
      icon={<TriangleAlert aria-hidden />}
      heading="h1"
      title="This page could not be shown"
      action={
        <Button variant="primary" onClick={reset}>
          Try again
        </Button>
      }
    >
      Nothing you saved is lost. If it happens again, look in the server's log
      {error.digest ? ` for ${error.digest}.` : '.'}
    </EmptyState>
  );
}
