'use client';

import { usePartUses } from '@/components/editor-state/part-uses-context';
import { later, useEver } from '@/components/ui/later';

export const GuardQuestion = later(async () => (await import('./guard-question')).GuardQuestion, null);

/** Asks before a part goes that something else needs. It stays afterwards, so that it gives the focus back. */
export function GuardDialog() {
  const wasAsked = useEver(usePartUses((state) => state.asked !== undefined));
  return wasAsked ? <GuardQuestion /> : null;
}
