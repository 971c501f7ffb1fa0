import type { CallTarget, FoundCalls } from '@/lib/editor/last-calls';
import { NO_SPAN } from '@/lib/trace/span-table';
import { spanEnd, spanName, type Trace } from '@/lib/trace/trace';
import { formatCount, formatDuration } from '@/lib/trace/wording';

/** Says how many calls there are, and how many of them failed or are running. */
export function countWords({ count, failed, running }: FoundCalls): string {
  return [
    count === 0 ? 'no call' : count === 1 ? '1 call' : `${formatCount(count)} calls`,
    failed > 0 && `${formatCount(failed)} failed`,
    running > 0 && `${formatCount(running)} running`,
  ]
    .filter(Boolean)
    .join(' · ');
}

/** Names one call in the list of its target: the instance, the tool, or what a hook wrapped. */
export function callName(trace: Trace, { kind }: CallTarget, span: number): string {
  const { spans, lanes } = trace;
  const lane = lanes[spans.lane.at(span)];
  switch (kind) {
    case 'agent':
      return lane?.instanceName ?? '';
    case 'tools':
      return spans.kindOf(span) === 'setup' ? 'start' : spanName(trace, span);
    case 'hook': {
      const parent = spans.parent.at(span);
      return parent === NO_SPAN || spans.kindOf(parent) !== 'tool'
        ? (lane?.instanceName ?? '')
        : spanName(trace, parent);
    }
    case 'wire': {
      const begun = (lane?.children ?? []).flatMap((index) => {
        const child = lanes[index];
        return child?.parentSpan === span ? [child.instanceName] : [];
      });
      return begun.length > 0 ? begun.join(', ') : spanName(trace, span);
    }
  }
}

/** The event whose one line is shown of a call: what it got. A hook or a start says something only when it has ended. */
export function lineSeq({ spans }: Trace, span: number): number {
  const kind = spans.kindOf(span);
  return kind === 'hook' || kind === 'setup' ? spans.endSeq.at(span) : spans.startSeq.at(span);
}

export function durationOf(trace: Trace, span: number, now: number): string {
  return formatDuration(spanEnd(trace, span, now) - trace.spans.start.at(span));
}
