'use client';

import { LoaderCircle } from 'lucide-react';
import { later } from '@/components/ui/later';

/**
 * The bars of the page of a run. They show nothing before the events are there, so their code comes beside the events, and the rest of
 * the page can be used before it is there.
 */
export const RunBars = later(
  async () => (await import('@/components/timeline/timeline')).Timeline,
  <NoBarsYet what="Loading the timeline" />,
);
// Not in an effect: the code is asked for while React still makes the page interactive.
if (typeof window !== 'undefined') RunBars.load();

/** Stands in the place of the bars until there are some. */
export function NoBarsYet({ what }: { readonly what: string }) {
  return (
    <p role="status" className="flex h-full items-center justify-center gap-2 bg-surface text-muted text-sm">
      <LoaderCircle aria-hidden className="size-4 animate-spin" />
      {what}
    </p>
  );
}
