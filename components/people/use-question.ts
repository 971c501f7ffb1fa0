'use client';

import { useEffect, useState } from 'react';
import type { PendingDetail } from '@/lib/base/pending-info';
import { readPending } from '@/lib/client/pending';

export type LoadedQuestion = { readonly value: PendingDetail } | { readonly error: string };

/** Reads a question, and reads it again when `version` changes. What was read before shows until then. */
export function useQuestion(id: string, version: unknown): LoadedQuestion | undefined {
  const [loaded, setLoaded] = useState<{ readonly id: string; readonly question: LoadedQuestion } | undefined>(
    undefined,
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: the version says when to read again
  useEffect(() => {
    const gone = new AbortController();
    readPending(id, gone.signal)
      .then((value): LoadedQuestion => ({ value }))
      .catch((error: unknown): LoadedQuestion => ({ error: error instanceof Error ? error.message : String(error) }))
      .then((question) => {
        if (!gone.signal.aborted) setLoaded({ id, question });
      });
    return () => gone.abort();
  }, [id, version]);
  return loaded?.id === id ? loaded.question : undefined;
}
