'use client';

import { useProject } from '@/components/editor-state/project-context';
import { later } from '@/components/ui/later';

export const PasteQuestion = later(async () => (await import('./paste-question')).PasteQuestion, null);

/** Asks about what was pasted, while that is a question. */
export function PasteDialog() {
  const pasting = useProject((state) => state.pasting);
  return pasting === undefined ? null : <PasteQuestion pasting={pasting} />;
}
