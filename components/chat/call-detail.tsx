import { ExternalLink } from 'lucide-react';
import Link from 'next/link';
import type { ReactNode } from 'react';
import { EventParts } from '@/components/run/event-parts';
import { SaidOfSpan } from '@/components/run/said-text';
import { type LiveTrace, useFetched } from '@/components/run/use-run';
import { type ThreadLine, timedSpan } from '@/lib/trace/thread-lines';

export interface CallDetailProps {
  readonly run: LiveTrace;
  readonly line: Extract<ThreadLine, { kind: 'delegation' | 'tool' }>;
  /** Shows what an instance did. */
  readonly nested: (lane: number) => ReactNode;
}

/** Everything about one call: what it was given, what it did, what it gave, and where it is in the timeline. */
export function CallDetail({ run, line, nested }: CallDetailProps) {
  const { trace, cache } = run;
  const { spans } = trace;
  const { runId } = trace.run;
  const span = timedSpan(trace, line);
  const [started, ended] = useFetched(cache, [spans.startSeq.at(span), spans.endSeq.at(span)]);
  const isOpen = spans.statusOf(span) === 'open';
  // Texts between agents are prose; arguments and results of tools are data.
  const look = line.kind === 'delegation' ? ('prose' as const) : undefined;
  return (
    <div className="flex min-w-0 flex-col gap-2 py-1">
      {started !== undefined && <EventParts runId={runId} event={started} {...(look && { look })} />}
      {line.kind === 'delegation' && line.lane !== undefined && nested(line.lane)}
      {line.kind === 'delegation' && line.lane !== undefined && isOpen && <LaneSays run={run} lane={line.lane} />}
      {ended !== undefined && spans.endSeq.at(span) !== spans.startSeq.at(span) && (
        <EventParts runId={runId} event={ended} {...(look && { look })} />
      )}
      <p>
        <Link
          href={`/r/${runId}?span=${spans.startSeq.at(span)}`}
          className="inline-flex items-center gap-1 text-accent text-xs underline-offset-2 hover:underline"
        >
          <ExternalLink aria-hidden className="size-3.5" />
          Open in the timeline
        </Link>
      </p>
    </div>
  );
}

/** What the model of a child says now. */
function LaneSays({ run, lane }: { readonly run: LiveTrace; readonly lane: number }) {
  const { spans } = run.trace;
  const own = run.trace.lanes[lane]?.spans;
  for (let i = (own?.length ?? 0) - 1; own !== undefined && i >= 0; i--) {
    const span = own.ids.at(i);
    if (spans.kindOf(span) === 'model' && spans.statusOf(span) === 'open')
      return <SaidOfSpan said={run.said} trace={run.trace} span={span} />;
  }
  return null;
}
