'use client';

import { lazy, Suspense } from 'react';
import { useProject } from '@/components/editor-state/project-context';

/** The question brings the comparison of texts, which most sessions never need. */
const ConflictQuestion = lazy(async () => ({ default: (await import('./conflict-question')).ConflictQuestion }));

/** Asks what to keep of each file that was changed here and elsewhere in the same place. */
export function ConflictDialog() {
  const conflict = useProject((state) => state.conflict);
  if (!conflict?.asking) return null;
  return (
    <Suspense fallback={null}>
      <ConflictQuestion conflict={conflict} />
    </Suspense>
  );
}
