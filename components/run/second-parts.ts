import { timelineParts } from '@/components/timeline/timeline-parts';
import { HistoryList, RunTransport } from './lazy-tabs';

/** Loads what is around the bars. Called when the page asks for the events of the run. */
export function loadSecondParts(): void {
  for (const part of [...timelineParts, RunTransport, HistoryList]) part.load();
}
