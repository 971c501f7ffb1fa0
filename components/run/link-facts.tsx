'use client';

import Link from 'next/link';
import { importedRunId } from '@/lib/base/imported-run-id';
import { isRecord } from '@/lib/base/json';
import { getChecked } from '@/lib/client/ask';
import type { Fetched } from '@/lib/client/event-cache';
import type { ShortEvent } from '@/lib/trace/short-event';
import { type SpanLinkFact, spanLinksOf } from '@/lib/trace/span-links';
import { spanOfSeq } from '@/lib/trace/span-of-seq';
import type { Trace } from '@/lib/trace/trace';
import { SpanTitleLink } from './span-title-link';
import { useLoaded } from './use-loaded';

interface LinkFactsProps {
  readonly trace: Trace;
  /** The event that began the span. */
  readonly started: Fetched<ShortEvent> | undefined;
  /** If it is absent, links to spans of other runs are shown as text. */
  readonly projectId: string | undefined;
  readonly onSelect: (span: number) => void;
}

/** The other links are in the source of the span, below. */
const mostShown = 20;

/** Lists the spans that a span of an imported run links to. A span of the same run is selected, the run of another trace opened. */
export function LinkFacts({ trace, started, projectId, onSelect }: LinkFactsProps) {
  const links = typeof started === 'object' && 'value' in started ? spanLinksOf(started.value.imported) : [];
  if (links.length === 0) return null;
  return (
    <>
      <dt>Linked to</dt>
      <dd>
        <ul>
          {links.slice(0, mostShown).map((link, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a span may link to the same span twice, and links keep their order
            <li key={place} className="break-all">
              <LinkedSpan {...{ link, trace, projectId, onSelect }} />
            </li>
          ))}
        </ul>
        {links.length > mostShown && <span className="text-muted">and {links.length - mostShown} more</span>}
      </dd>
    </>
  );
}

function LinkedSpan(props: Pick<LinkFactsProps, 'trace' | 'projectId' | 'onSelect'> & { readonly link: SpanLinkFact }) {
  const { link, trace, projectId, onSelect } = props;
  const span = link.event === undefined ? undefined : spanOfSeq(trace, link.event);
  if (span !== undefined) {
    return <SpanTitleLink {...{ trace, onSelect }} span={span} />;
  }
  if (link.name !== undefined || projectId === undefined) return link.name ?? traceWords(link);
  const run = importedRunId(projectId, link.traceId);
  return <OtherTrace key={run} link={link} run={run} />;
}

/** Links to the run of another trace, if it was imported into the same project. */
function OtherTrace({ link, run }: { readonly link: SpanLinkFact; readonly run: string }) {
  const found = useLoaded(run, (signal) => getChecked(`/api/v1/runs/${run}`, isRecord, signal));
  if (found === undefined || !('value' in found)) return traceWords(link);
  return (
    <Link href={`/r/${run}`} className="text-accent underline-offset-2 hover:underline">
      {traceWords(link)}
    </Link>
  );
}

function traceWords({ traceId, spanId }: SpanLinkFact): string {
  return `span ${spanId} of trace ${traceId}`;
}
