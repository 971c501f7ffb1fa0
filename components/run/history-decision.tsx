import { ChevronDown, ChevronRight } from 'lucide-react';
import { DecisionIcon } from '@/components/timeline/decision-icon';
import { classNames } from '@/components/ui/class-names';
import { decisionAt } from '@/lib/trace/decision-at';
import { decisionReason } from '@/lib/trace/decision-words';
import type { HistoryRow } from '@/lib/trace/history';
import { spanName, type Trace } from '@/lib/trace/trace';

/** Shows a decision between the calls, with the beginning of its reason. A button unfolds the reason below it. */
export function DecisionRow(props: {
  readonly trace: Trace;
  readonly row: Extract<HistoryRow, { kind: 'decision' }>;
  readonly selected: boolean;
  readonly unfolded: boolean;
  readonly onSelect: (span: number) => void;
  readonly onToggle: () => void;
}) {
  const { trace, row, selected, unfolded, onSelect, onToggle } = props;
  const decision = decisionAt(trace, row.span);
  if (decision === undefined) return null;
  const reason = decisionReason(decision);
  const Chevron = unfolded ? ChevronDown : ChevronRight;
  return (
    <div
      className={classNames(
        'flex size-full items-stretch border-ground border-b hover:bg-hover',
        selected && 'bg-accent-soft hover:bg-accent-soft',
      )}
    >
      <button
        type="button"
        data-row
        aria-pressed={selected}
        onClick={() => onSelect(row.span)}
        className="flex min-w-0 flex-1 cursor-pointer items-center gap-1.5 pr-2 pl-7 text-left text-xs focus-visible:-outline-offset-2"
      >
        <span className="shrink-0 font-mono text-2xs text-muted">decision→</span>
        <DecisionIcon decision={decision} className="size-3.5" />
        <span className={classNames('truncate font-medium text-ink', reason !== undefined && !unfolded && 'max-w-3/5')}>
          {spanName(trace, row.span)}
        </span>
        {reason !== undefined && !unfolded && (
          <span className="min-w-0 flex-1 truncate text-2xs text-muted">{reason}</span>
        )}
      </button>
      {reason !== undefined && (
        <button
          type="button"
          aria-expanded={unfolded}
          aria-label={unfolded ? 'Hide the reason' : 'Show the reason'}
          title={unfolded ? 'Hide the reason' : 'Show the reason'}
          onClick={onToggle}
          className="flex w-7 shrink-0 cursor-pointer items-center justify-center text-muted hover:text-ink focus-visible:-outline-offset-2"
        >
          <Chevron aria-hidden className="size-3.5" />
        </button>
      )}
    </div>
  );
}

/** Shows the beginning of the reason of a decision. The selection has the whole of it. */
export function ReasonRow({ trace, span }: { readonly trace: Trace; readonly span: number }) {
  const decision = decisionAt(trace, span);
  const reason = decision && decisionReason(decision);
  return (
    <div className="size-full border-ground border-b py-1.5 pr-3 pl-7">
      <p title={reason} className="line-clamp-4 whitespace-pre-line break-words text-ink text-xs">
        {reason}
      </p>
    </div>
  );
}
