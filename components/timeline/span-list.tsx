'use client';

import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { classNames } from '@/components/ui/class-names';
import { StatusLabel } from '@/components/ui/status';
import { spanEnd, spanTitle, type Trace } from '@/lib/trace/trace';
import { formatCount, formatDuration } from '@/lib/trace/wording';
import { statusOf } from './span-status';
import { kindWord } from './span-words';

export interface SpanListProps {
  readonly trace: Trace;
  readonly now: number;
  readonly selected: number | undefined;
  readonly onSelect: (span: number) => void;
}

const pageSize = 200;

/** Shows the timeline as words: the same spans in order of start, for screen readers, copying and printing. */
export function SpanList({ trace, now, selected, onSelect }: SpanListProps) {
  const [limit, setLimit] = useState(pageSize);
  const count = trace.spans.length;
  const shown = Math.min(limit, count);
  return (
    <div className="relative h-full overflow-auto">
      <table className="w-full border-collapse text-left text-xs">
        <caption className="sr-only">Spans in order of start</caption>
        <thead className="sticky top-0 bg-surface text-faint">
          <tr className="[&>th]:border-b [&>th]:px-2 [&>th]:py-1.5 [&>th]:font-medium">
            <th scope="col">Name</th>
            <th scope="col">Kind</th>
            <th scope="col">Instance</th>
            <th scope="col">Status</th>
            <th scope="col" className="text-right">
              Start
            </th>
            <th scope="col" className="text-right">
              Duration
            </th>
            <th scope="col" className="text-right">
              Tokens
            </th>
          </tr>
        </thead>
        <tbody>
          {Array.from({ length: shown }, (_, span) => {
            const isDecision = trace.spans.kindOf(span) === 'decision';
            const tokens = trace.spans.inputTokens.at(span) + trace.spans.outputTokens.at(span);
            return (
              <tr
                // Spans of a framework share the event of the step that took them in. Their details are their ids.
                key={`${trace.spans.startSeq.at(span)} ${trace.spans.detail.at(span)}`}
                className={classNames(
                  '[&>td]:border-line [&>td]:border-b [&>td]:px-2 [&>td]:py-1',
                  span === selected && 'bg-accent-soft',
                )}
              >
                <td>
                  <button
                    type="button"
                    onClick={() => onSelect(span)}
                    aria-pressed={span === selected}
                    className="cursor-pointer text-left text-ink underline-offset-2 hover:underline"
                  >
                    {spanTitle(trace, span)}
                  </button>
                </td>
                <td className="whitespace-nowrap text-muted">{kindWord(trace, span)}</td>
                <td className="text-muted">{trace.lanes[trace.spans.lane.at(span)]?.instanceName}</td>
                <td className="whitespace-nowrap">
                  {!isDecision && <StatusLabel status={statusOf(trace, span)} look="plain" />}
                </td>
                <td className="whitespace-nowrap text-right text-muted">
                  {formatDuration(trace.spans.start.at(span))}
                </td>
                <td className="whitespace-nowrap text-right">
                  {!isDecision && formatDuration(spanEnd(trace, span, now) - trace.spans.start.at(span))}
                </td>
                <td className="text-right text-muted">{tokens > 0 ? formatCount(tokens) : ''}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
      <div className="flex items-center gap-3 px-2 py-2 text-muted text-xs">
        {shown.toLocaleString('en-US')} of {count.toLocaleString('en-US')} spans
        {shown < count && (
          <Button size="sm" onClick={() => setLimit(limit + pageSize)}>
            Show {Math.min(pageSize, count - shown)} more
          </Button>
        )}
      </div>
    </div>
  );
}
