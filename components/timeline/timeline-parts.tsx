'use client';

import { later } from '@/components/ui/later';

/** These parts are around the bars, which do not wait for them. Each has its place before its code is there. */
export const TimelineHead = later(async () => (await import('./timeline-head')).TimelineHead, null);
export const Overview = later(
  async () => (await import('./overview')).Overview,
  <div className="h-9 min-w-0 flex-1 bg-surface" />,
);

/** What is around the bars, to be loaded while the run itself is. */
export const timelineParts = [TimelineHead, Overview];
