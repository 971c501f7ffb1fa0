import { Hand } from 'lucide-react';
import { classNames } from '@/components/ui/class-names';
import type { Fetched } from '@/lib/client/event-cache';
import type { EventPreview } from '@/lib/client/run-source';
import type { HistoryRow } from '@/lib/trace/history';
import { spanName, type Trace } from '@/lib/trace/trace';
import { formatDuration } from '@/lib/trace/wording';

interface QuestionRowProps {
  readonly trace: Trace;
  readonly row: Extract<HistoryRow, { kind: 'asked' | 'answered' }>;
  readonly line: Fetched<EventPreview> | undefined;
  readonly selected: boolean;
  readonly onSelect: (span: number, atEnd?: boolean) => void;
}

/** Shows what a person was asked, or how the question ended and after how long. */
export function QuestionRow({ trace, row, line, selected, onSelect }: QuestionRowProps) {
  const { spans } = trace;
  const isAnswer = row.kind === 'answered';
  const isOpen = spans.statusOf(row.span) === 'open';
  const preview = line === undefined || line === 'loading' ? '…' : 'value' in line ? line.value.text : line.error;
  const after = formatDuration(spans.end.at(row.span) - spans.start.at(row.span));
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
        onClick={() => onSelect(row.span, isAnswer)}
        className="flex min-w-0 flex-1 cursor-pointer items-center gap-1.5 pr-2 pl-11 text-left text-xs focus-visible:-outline-offset-2"
      >
        <span className={classNames('shrink-0 font-mono text-2xs', isAnswer ? 'text-muted' : 'text-warn')}>
          {isAnswer ? 'answer→' : 'asked→'}
        </span>
        {isOpen && (
          <span className="text-warn">
            <Hand aria-hidden className="size-3.5" />
            <span className="sr-only">waiting</span>
          </span>
        )}
        <span className="min-w-0 flex-1 truncate text-ink">
          {isAnswer ? preview : spanName(trace, row.span)}
          {isAnswer && <span className="text-muted tabular-nums"> after {after}</span>}
        </span>
      </button>
    </div>
  );
}
