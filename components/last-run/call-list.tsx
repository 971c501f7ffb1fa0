'use client';

import { type LiveTrace, useFetched } from '@/components/run/use-run';
import { statusOf } from '@/components/timeline/span-status';
import { spanNotes } from '@/components/timeline/span-words';
import { Button } from '@/components/ui/button';
import { classNames } from '@/components/ui/class-names';
import { StatusLabel } from '@/components/ui/status';
import { VisibleText } from '@/components/ui/visible-text';
import type { CallTarget, FoundCalls } from '@/lib/editor/last-calls';
import { formatCount } from '@/lib/trace/wording';
import { callName, durationOf, lineSeq } from './call-words';

/** Lists the calls of something, newest first, each with one line of what it got. */
export function CallList(props: {
  readonly run: LiveTrace;
  readonly target: CallTarget;
  readonly calls: FoundCalls;
  readonly chosen: number | undefined;
  readonly onChoose: (span: number) => void;
  /** Lists more of them. */
  readonly onMore: () => void;
}) {
  const { run, target, calls, chosen, onChoose, onMore } = props;
  const { trace } = run;
  const lines = useFetched(
    run.previews,
    calls.newest.map(({ span }) => lineSeq(trace, span)),
  );
  return (
    <div className="flex flex-col">
      <ol aria-label="Calls, newest first" className="max-h-56 overflow-y-auto">
        {calls.newest.map(({ nth, span }, i) => {
          const line = lines[i];
          const text = line === undefined || line === 'loading' ? '…' : 'value' in line ? line.value.text : line.error;
          const notes = spanNotes(trace, span);
          const path = trace.lanes[trace.spans.lane.at(span)]?.path;
          return (
            <li key={span} className="border-b last:border-b-0">
              <button
                type="button"
                aria-pressed={span === chosen}
                title={path}
                onClick={() => onChoose(span)}
                className={classNames(
                  'flex w-full min-w-0 cursor-pointer flex-col gap-0.5 px-3 py-1.5 text-left focus-visible:-outline-offset-2',
                  span === chosen ? 'bg-accent-soft' : 'hover:bg-hover',
                )}
              >
                <span className="flex w-full min-w-0 items-center gap-1.5 text-xs">
                  <span className="shrink-0 text-faint tabular-nums">{formatCount(nth)}.</span>
                  <StatusLabel status={statusOf(trace, span)} look="icon" />
                  <span className="min-w-0 truncate font-medium text-ink">
                    <VisibleText text={callName(trace, target, span)} />
                  </span>
                  {notes.length > 0 && <span className="min-w-0 truncate text-warn">{notes.join(', ')}</span>}
                  <span className="ml-auto shrink-0 text-muted tabular-nums">{durationOf(trace, span, run.now())}</span>
                </span>
                <span className="w-full truncate font-mono text-2xs text-muted">
                  <VisibleText text={text} />
                </span>
              </button>
            </li>
          );
        })}
      </ol>
      {calls.newest.length < calls.count && (
        <p className="flex items-center gap-2 border-t px-3 py-1.5 text-muted text-xs tabular-nums">
          The newest {formatCount(calls.newest.length)} of {formatCount(calls.count)} calls
          <Button size="sm" onClick={onMore}>
            Show more
          </Button>
        </p>
      )}
    </div>
  );
}
