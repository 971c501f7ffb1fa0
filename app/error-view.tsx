'use client';

import { DatabaseZap, TriangleAlert } from 'lucide-react';
import { useEffect } from 'react';
import { buttonClass } from '@/components/ui/button';
import { EmptyState } from '@/components/ui/empty-state';
import { unavailableSentence } from '@/lib/base/app-error';

export interface ErrorViewProps {
  readonly error: Error & { digest?: string };
  /** Asks the server for the page again. */
  readonly retry: () => void;
}

/**
 * Says that the server or its database is down, and reloads the page when it is back. Any other error is shown as one fixed
 * sentence; the server's log has the details under the digest.
 */
export function ErrorView({ error, retry }: ErrorViewProps) {
  const outage = unavailableSentence(error.digest);
  if (outage !== undefined) return <OutagePage error={error} sentence={outage} retry={retry} />;
  return (
    <EmptyState
      icon={<TriangleAlert aria-hidden />}
      heading="h1"
      title="This page could not be shown"
      action={<RetryButton retry={retry} />}
    >
      Nothing you saved is lost. If it happens again, look in the server's log
      {error.digest ? ` for ${error.digest}.` : '.'}
    </EmptyState>
  );
}

const retryMs = 3_000;

function OutagePage({ error, sentence, retry }: ErrorViewProps & { readonly sentence: string }) {
  // A failed try brings a new error, which sets the next timer.
  // biome-ignore lint/correctness/useExhaustiveDependencies: `error` starts the wait anew, it is not read.
  useEffect(() => {
    const timer = setTimeout(retry, retryMs);
    return () => clearTimeout(timer);
  }, [error, retry]);
  return (
    <EmptyState
      icon={<DatabaseZap aria-hidden />}
      heading="h1"
      title="Callboard cannot read its data just now"
      action={<RetryButton retry={retry} />}
    >
      <span role="status">{sentence}</span> Nothing you saved is lost. This page tries again by itself.
    </EmptyState>
  );
}

function RetryButton({ retry }: Pick<ErrorViewProps, 'retry'>) {
  return (
    <button type="button" onClick={() => retry()} className={buttonClass('primary')}>
      Try again
    </button>
  );
}
