'use client';

import { useProject } from '@/components/editor-state/project-context';
import { later } from '@/components/ui/later';

export const PasteQuestion = later(async () => (await import('./paste-question')).PasteQuestion, null);

const PasteField = later(async () => (await import('./paste-field')).PasteField, null);

/** Takes a text to paste, and asks about what was pasted while that is a question. */
export function PasteDialog() {
  const pasting = useProject((state) => state.pasting);
  const hasField = useProject((state) => state.pasteField);
  if (pasting === undefined && hasField) return <PasteField />;
  return pasting === undefined ? null : <PasteQuestion pasting={pasting} />;
}
