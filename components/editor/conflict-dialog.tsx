'use client';

import { useProject } from '@/components/editor-state/project-context';
import { later } from '@/components/ui/later';

/** The question brings the comparison of texts, which most sessions never need. */
const ConflictQuestion = later(async () => (await import('./conflict-question')).ConflictQuestion, null);

/** Asks what to keep of each file that was changed here and elsewhere in the same place. */
export function ConflictDialog() {
  const conflict = useProject((state) => state.conflict);
  return conflict?.asking ? <ConflictQuestion conflict={conflict} /> : null;
}
