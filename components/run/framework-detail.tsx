import { clockDate } from '@/components/timeline/clock-words';
import { kindWord } from '@/components/timeline/span-words';
import { isRecord, type Json } from '@/lib/base/json';
import { foldedSpansKey, foldedSpansTitle } from '@/lib/trace/folded-spans';
import type { ShortEvent } from '@/lib/trace/short-event';
import { spanDetail, spanEnd, spanTitle } from '@/lib/trace/trace';
import { formatDuration } from '@/lib/trace/wording';
import type { SpanDetailProps } from './detail-props';
import { EventParts } from './event-parts';
import { Payload } from './payload';
import { useRunSight } from './run-sight';
import { SpanTitleLink } from './span-title-link';
import { useFetched } from './use-run';

/** Shows a span of a framework: its time, the step that it was folded into, and what the source says of it. */
export function FrameworkDetail({ trace, span, now, cache, onSelect }: SpanDetailProps) {
  const { spans } = trace;
  const sight = useRunSight();
  const [event] = useFetched(cache, [spans.startSeq.at(span)]);
  const host = spans.parent.at(span);
  const start = spans.start.at(span);
  const id = spanDetail(trace, span);
  const source = typeof event === 'object' && 'value' in event ? sourceOf(event.value, id) : undefined;
  return (
    <div className="flex flex-col gap-3 p-3">
      <div className="min-w-0">
        <h2 className="break-words font-medium text-ink text-sm">{spanTitle(trace, span)}</h2>
        <div className="text-muted text-xs">{kindWord(trace, span)}</div>
      </div>
      <dl className="grid grid-cols-[max-content_minmax(0,1fr)] gap-x-4 gap-y-1 text-xs [&>dd]:min-w-0 [&>dd]:break-words [&>dd]:text-ink [&>dd]:tabular-nums [&>dt]:text-muted">
        <dt>Duration</dt>
        <dd>{formatDuration(spanEnd(trace, span, now) - start)}</dd>
        <dt>Starts at</dt>
        <dd>
          {formatDuration(start)}
          <span className="text-muted"> · {clockDate(trace, start)}</span>
        </dd>
        <dt>Instance</dt>
        <dd>{trace.lanes[spans.lane.at(span)]?.path}</dd>
        <dt>Folded into</dt>
        <dd>
          <SpanTitleLink {...{ trace, onSelect }} span={host} />
        </dd>
      </dl>
      {source !== undefined && <Payload title="Recorded span" value={source} />}
      {sight !== 'bare' && source === undefined && (
        <EventParts runId={trace.run.runId} event={event} isShown={({ title }) => title.startsWith(foldedSpansTitle)} />
      )}
    </div>
  );
}

/** Returns what an event says of the folded span with this id. A long list may be cut before it. */
function sourceOf({ imported, cut }: ShortEvent, id: string): Json | undefined {
  const list = imported?.attributes[foldedSpansKey];
  if (cut !== undefined || !Array.isArray(list)) return undefined;
  return list.find((one) => isRecord(one) && one.span_id === id);
}
