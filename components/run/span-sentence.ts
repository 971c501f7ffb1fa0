import { statusOf } from '@/components/timeline/span-status';
import { statusWord } from '@/components/ui/status';
import { spanTitle, type Trace } from '@/lib/trace/trace';
import { formatDuration } from '@/lib/trace/wording';

/** Says which bar is selected, for a screen reader: its name, whose it is, how it ended, and when it began. */
export function spanSentence(trace: Trace, span: number, moment: number | undefined): string {
  const { spans } = trace;
  const title = spanTitle(trace, span);
  const instance = trace.lanes[spans.lane.at(span)]?.instanceName;
  return [
    title,
    // The bar of an instance has the instance's name already.
    instance !== title && instance,
    spans.kindOf(span) !== 'decision' && statusWord(statusOf(trace, span)),
    `from ${formatDuration(spans.start.at(span))}`,
    moment !== undefined && `play-head at ${formatDuration(moment)}`,
  ]
    .filter(Boolean)
    .join(', ');
}
