'use client';

import { DatabaseZap, TriangleAlert } from 'lucide-react';
import { useEffect } from 'react';
import { buttonClass } from '@/components/ui/button';
import { EmptyState } from '@/components/ui/empty-state';
import { VisibleText } from '@/components/ui/visible-text';
import { toldSentence } from '@/lib/base/app-error';

export interface ErrorViewProps {
  readonly error: Error & { digest?: string };
  /** Asks the server for the page again. */
  readonly retry: () => void;
}

const retryMs = 3_000;

/**
 * Says that the server or its database is down, and reloads the page when it is back. A page that would be too large, or was asked for too
 * often, says so. Any other error is shown as one fixed sentence; the server's log has the details under the digest.
 */
export function ErrorView({ error, retry }: ErrorViewProps) {
  const told = toldSentence(error.digest);
  const isOutage = told?.code === 'unavailable';
  // A failed try brings a new error, which sets the next timer.
  // biome-ignore lint/correctness/useExhaustiveDependencies: `error` starts the wait anew, it is not read.
  useEffect(() => {
    if (!isOutage) return;
    const timer = setTimeout(retry, retryMs);
    return () => clearTimeout(timer);
  }, [isOutage, error, retry]);
  const Icon = isOutage ? DatabaseZap : TriangleAlert;
  return (
    <EmptyState
      icon={<Icon aria-hidden />}
      heading="h1"
      title={isOutage ? 'Callboard cannot read its data just now' : 'This page could not be shown'}
      action={
        <button type="button" onClick={() => retry()} className={buttonClass('primary')}>
          Try again
        </button>
      }
    >
      {told && (
        <span role="status">
          <VisibleText text={told.sentence} />
        </span>
      )}{' '}
      Nothing you saved is lost. {isOutage && 'This page tries again by itself.'}
      {!told && `If it happens again, look in the server's log${ofDigest(error)}.`}
    </EmptyState>
  );
}

function ofDigest({ digest }: ErrorViewProps['error']): string {
  return digest ? ` for ${digest}` : '';
}
