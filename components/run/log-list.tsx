'use client';

import { Bug, CircleX, Info, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { clockDate } from '@/components/timeline/clock-words';
import { Button } from '@/components/ui/button';
import { EmptyState } from '@/components/ui/empty-state';
import type { LogMark, Trace } from '@/lib/trace/trace';
import { formatDuration } from '@/lib/trace/wording';
import { DelegationBadge, InstanceLink } from './delegation';
import { countTrouble, isTrouble } from './log-trouble';

const levels = {
  error: { icon: CircleX, ink: 'text-bad' },
  warning: { icon: TriangleAlert, ink: 'text-warn' },
  info: { icon: Info, ink: 'text-muted' },
  debug: { icon: Bug, ink: 'text-faint' },
} as const;

const pageSize = 200;

export interface LogListProps {
  readonly trace: Trace;
  readonly version: number;
  readonly onSelect: (span: number) => void;
}

/** Lists the log lines of the run and its servers. */
export function LogList({ trace, onSelect }: LogListProps) {
  const [onlyTrouble, setOnlyTrouble] = useState(false);
  const [limit, setLimit] = useState(pageSize);
  const trouble = countTrouble(trace);
  if (trace.logs.length === 0) {
    return <EmptyState title="Nothing to report">Warnings, errors and what tools print appear here.</EmptyState>;
  }
  const rows = onlyTrouble ? trace.logs.filter(isTrouble) : trace.logs;
  return (
    <div>
      {trouble > 0 && trouble < trace.logs.length && (
        <label className="flex cursor-pointer items-center gap-2 border-b px-3 py-2 text-muted text-xs">
          <input
            type="checkbox"
            checked={onlyTrouble}
            onChange={(event) => setOnlyTrouble(event.currentTarget.checked)}
            className="size-3.5 accent-accent"
          />
          Only warnings and errors ({trouble})
        </label>
      )}
      <ol aria-label="Log">
        {rows.slice(0, limit).map((mark) => (
          <LogRow key={mark.seq} mark={mark} trace={trace} onSelect={onSelect} />
        ))}
      </ol>
      {rows.length > limit && (
        <div className="flex items-center gap-3 px-3 py-2 text-muted text-xs">
          {limit.toLocaleString('en-US')} of {rows.length.toLocaleString('en-US')}
          <Button size="sm" onClick={() => setLimit(limit + pageSize)}>
            Show more
          </Button>
        </div>
      )}
    </div>
  );
}

function LogRow(props: { readonly mark: LogMark; readonly trace: Trace; readonly onSelect: LogListProps['onSelect'] }) {
  const { mark, trace, onSelect } = props;
  const { icon: Icon, ink } = levels[mark.level];
  const lane = mark.lane === undefined ? undefined : trace.lanes[mark.lane];
  return (
    <li className="flex gap-2 border-ground border-b px-3 py-1.5 text-xs">
      <span className={`mt-px shrink-0 ${ink}`} title={mark.level}>
        <Icon aria-hidden className="size-3.5" />
        <span className="sr-only">{mark.level}</span>
      </span>
      <div className="min-w-0 flex-1">
        <p className="whitespace-pre-wrap break-words text-ink">{mark.message}</p>
        <p className="flex flex-wrap items-baseline gap-x-2 text-2xs text-muted tabular-nums">
          <span>
            {formatDuration(mark.at)} · {clockDate(trace, mark.at)}
          </span>
          <span className="font-mono">{mark.code}</span>
          {mark.serverName !== undefined && <span>{mark.serverName}</span>}
          {lane !== undefined && (
            <span className="flex min-w-0 max-w-full items-center gap-1.5 self-center">
              {lane.parentSpan !== undefined && <DelegationBadge />}
              <InstanceLink {...{ trace, lane, onSelect }} look="path" />
            </span>
          )}
        </p>
      </div>
    </li>
  );
}
