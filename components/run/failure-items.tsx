'use client';

import type { ReactNode } from 'react';
import { Menu, MenuItem } from '@/components/ui/menu';
import { failureList, type ListedFailure } from '@/lib/trace/failure-list';
import { spanTitle, type Trace } from '@/lib/trace/trace';
import { formatDuration } from '@/lib/trace/wording';

export interface FailureItemsProps {
  /** The whole run. */
  readonly trace: Trace;
  readonly trigger: ReactNode;
  /** Moves to the failure of a span. */
  readonly onGo: (span: number, at: number) => void;
}

/** A longer list is cut. `E` reaches the others. */
const mostItems = 40;

/** The menu of failures: where and when each came, what it ended, and whether a later attempt went well. */
export function FailureItems({ trigger, ...props }: FailureItemsProps) {
  return (
    <Menu defaultOpen trigger={trigger} align="end">
      <Items {...props} />
    </Menu>
  );
}

/** They are looked for while the menu is open, and not while a run is replayed with the menu closed. */
function Items({ trace, onGo }: Omit<FailureItemsProps, 'trigger'>) {
  const failures = failureList(trace);
  const rest = failures.length - mostItems;
  return (
    <div className="max-h-80 max-w-88 overflow-y-auto">
      {failures.slice(0, mostItems).map((failure) => (
        <MenuItem key={failure.span} onSelect={() => onGo(failure.span, failure.at)}>
          <span className="flex gap-2">
            <span className="min-w-0 flex-1 truncate">{spanTitle(trace, failure.span)}</span>
            <span className="shrink-0 text-muted text-xs tabular-nums">{formatDuration(failure.at)}</span>
          </span>
          <span className="block truncate text-muted text-xs">{failureWords(trace, failure)}</span>
        </MenuItem>
      ))}
      {rest > 0 ? <p className="px-2 py-1 text-muted text-xs">And {rest} more. E goes from one to the next.</p> : null}
    </div>
  );
}

/** Returns words such as `In kid[1]; it ended lead too` and `In kid[1]; attempt 2 went well`. */
function failureWords(trace: Trace, { span, ended, recoveredBy }: ListedFailure): string {
  const own = trace.spans.lane.at(span);
  const name = (lane: number) => trace.lanes[lane]?.instanceName ?? '';
  const others = ended.filter((lane) => lane !== own).map(name);
  const place = ended.includes(own)
    ? `It ended ${[name(own), ...others].join(', ')}`
    : `In ${name(own)}, which went on`;
  return recoveredBy === undefined ? place : `${place}; attempt ${recoveredBy} went well`;
}
