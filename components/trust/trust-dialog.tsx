'use client';

import { useTrust } from '@/components/editor-state/trust-context';
import { later } from '@/components/ui/later';

export const TrustQuestion = later(async () => (await import('./trust-question')).TrustQuestion, null);

/** Asks whether a run may start what the project starts, while that is a question. */
export function TrustDialog() {
  const isAsked = useTrust((state) => state.open !== undefined);
  return isAsked ? <TrustQuestion /> : null;
}
