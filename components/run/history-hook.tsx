import { classNames } from '@/components/ui/class-names';
import type { Fetched } from '@/lib/client/event-cache';
import type { EventPreview } from '@/lib/client/run-source';
import type { HistoryRow } from '@/lib/trace/history';
import { spanName, type Trace } from '@/lib/trace/trace';

/** Shows what a hook did between a call and its result: `x: 99 → 10 by hooks.ts:audit`. */
export function HookRow(props: {
  readonly trace: Trace;
  readonly row: Extract<HistoryRow, { kind: 'hook' }>;
  readonly line: Fetched<EventPreview> | undefined;
  readonly selected: boolean;
  readonly onSelect: (span: number) => void;
}) {
  const { trace, row, line, selected, onSelect } = props;
  const failed = trace.spans.statusOf(row.span) === 'error';
  const text = line === undefined || line === 'loading' ? '…' : 'value' in line ? line.value.text : line.error;
  return (
    <button
      type="button"
      data-row
      aria-pressed={selected}
      onClick={() => onSelect(row.span)}
      title={`${text} by ${spanName(trace, row.span)}`}
      className={classNames(
        'flex size-full cursor-pointer items-center gap-1.5 border-ground border-b pr-2 pl-7 text-left text-xs hover:bg-hover focus-visible:-outline-offset-2',
        selected && 'bg-accent-soft hover:bg-accent-soft',
      )}
    >
      <span className="w-13 shrink-0 font-mono text-2xs text-hook">hook→</span>
      <span className={classNames('min-w-0 truncate font-mono text-2xs', failed ? 'text-bad' : 'text-ink')}>
        {text}
      </span>
      <span className="min-w-12 max-w-1/2 shrink-0 truncate text-2xs text-muted">
        by <span className="font-mono">{spanName(trace, row.span)}</span>
      </span>
    </button>
  );
}
