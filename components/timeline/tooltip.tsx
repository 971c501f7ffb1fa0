'use client';

import { createPortal } from 'react-dom';
import { StatusLabel } from '@/components/ui/status';
import { decisionAt } from '@/lib/trace/decision-at';
import { decisionReason } from '@/lib/trace/decision-words';
import { repeatedUntil, retriesOf } from '@/lib/trace/retries';
import { spanEnd, spanTitle, type Trace } from '@/lib/trace/trace';
import { formatCount, formatDuration, formatShare } from '@/lib/trace/wording';
import { clockDate } from './clock-words';
import { statusOf } from './span-status';
import { kindWord, spanNotes } from './span-words';
import { parentSpan } from './walk';

/** The approximate height in pixels. With less room below, the tooltip opens upwards. */
const tipHeightPx = 232;

export interface HoverTipProps {
  readonly trace: Trace;
  readonly span: number;
  /** All decisions under the pointer, if they share a mark. */
  readonly together: readonly number[];
  readonly now: number;
  /** The length of the run so far. */
  readonly end: number;
  /** The pointer in the viewport, in CSS pixels. */
  readonly x: number;
  readonly y: number;
}

/** Describes the bar or the mark under the pointer. The detail pane says the same and more, for people without a pointer. */
export function HoverTip(props: HoverTipProps) {
  const { trace, span, x, y } = props;
  const lane = trace.lanes[trace.spans.lane.at(span)];
  const below = y < innerHeight - tipHeightPx;
  return createPortal(
    <div
      aria-hidden
      className="pointer-events-none fixed z-50 w-max max-w-72 rounded border bg-raised px-2 py-1.5 text-xs shadow-pop"
      style={{
        left: Math.max(4, Math.min(x + 12, innerWidth - 240)),
        ...(below ? { top: y + 16 } : { bottom: innerHeight - y + 10 }),
      }}
    >
      {props.together.length > 0 ? (
        <TogetherTip {...props} />
      ) : trace.spans.kindOf(span) === 'decision' ? (
        <DecisionTip {...props} />
      ) : (
        <BarTip {...props} />
      )}
      {lane !== undefined && <div className="mt-1 break-all text-2xs text-faint">{lane.path}</div>}
    </div>,
    document.body,
  );
}

/** This many of the spans that share a place are listed. */
const mostListed = 6;

/** Lists spans that share a mark, a count or a pixel. */
function TogetherTip({ trace, span, together, now }: HoverTipProps) {
  const decisions = together.every((one) => trace.spans.kindOf(one) === 'decision');
  return (
    <>
      <div className="font-medium text-ink tabular-nums">
        {together.length} {decisions ? 'decisions' : 'calls'}
      </div>
      <div className="text-muted tabular-nums">{clockDate(trace, trace.spans.start.at(together[0] ?? span))}</div>
      <ul className="mt-0.5 flex flex-col gap-0.5 text-ink">
        {together.slice(0, mostListed).map((one) => (
          <li key={one} className="flex gap-2">
            <span className="line-clamp-2 min-w-0 flex-1 break-words">{spanTitle(trace, one)}</span>
            {!decisions && (
              <span className="text-muted tabular-nums">
                {formatDuration(spanEnd(trace, one, now) - trace.spans.start.at(one))}
              </span>
            )}
          </li>
        ))}
      </ul>
      {together.length > mostListed && (
        <div className="text-muted tabular-nums">and {together.length - mostListed} more</div>
      )}
      <div className="mt-1 text-muted">Click for one after the other, double-click to zoom in.</div>
    </>
  );
}

function DecisionTip({ trace, span }: HoverTipProps) {
  const decision = decisionAt(trace, span);
  const reason = decision && decisionReason(decision);
  return (
    <>
      <div className="break-words font-medium text-ink">{spanTitle(trace, span)}</div>
      <div className="text-muted tabular-nums">
        {kindWord(trace, span)} at {formatDuration(trace.spans.start.at(span))}
        <br />
        {clockDate(trace, trace.spans.start.at(span))}
      </div>
      {reason !== undefined && <div className="mt-1 line-clamp-4 break-words text-ink">{reason}</div>}
    </>
  );
}

function BarTip({ trace, span, now, end }: HoverTipProps) {
  const start = trace.spans.start.at(span);
  const duration = spanEnd(trace, span, now) - start;
  const parent = parentSpan(trace, span);
  const parentTime = parent === undefined ? 0 : spanEnd(trace, parent, now) - trace.spans.start.at(parent);
  const input = trace.spans.inputTokens.at(span);
  const output = trace.spans.outputTokens.at(span);
  const first = trace.spans.firstToken.at(span);
  const lost = repeatedUntil(trace).get(span);
  const notes = spanNotes(trace, span);
  return (
    <>
      <div className="break-words font-medium text-ink">{spanTitle(trace, span)}</div>
      <div className="flex items-center gap-2 text-muted">
        {kindWord(trace, span)}
        <StatusLabel status={statusOf(trace, span)} look="plain" />
      </div>
      {notes.length > 0 && <div className="text-ink">{notes.join(' · ')}</div>}
      <dl className="mt-1 grid grid-cols-[auto_auto] gap-x-3 text-muted tabular-nums [&>dd]:text-right [&>dd]:text-ink">
        <dt>Duration</dt>
        <dd>{formatDuration(duration)}</dd>
        <dt>Starts at</dt>
        <dd>{formatDuration(start)}</dd>
        <dt>Clock</dt>
        <dd>{clockDate(trace, start)}</dd>
        {parent !== undefined && (
          <>
            <dt>Of its parent</dt>
            <dd>{formatShare(duration, parentTime)}</dd>
          </>
        )}
        <dt>Of the run</dt>
        <dd>{formatShare(duration, end)}</dd>
        {first > 0 && (
          <>
            <dt>First token after</dt>
            <dd>{formatDuration(first)}</dd>
          </>
        )}
        {lost !== undefined && (
          <>
            <dt>Repeated requests</dt>
            <dd>{formatDuration(Math.min(lost - start, duration))}</dd>
          </>
        )}
        {input + output > 0 && (
          <>
            <dt>Tokens in · out</dt>
            <dd>
              {formatCount(input)} · {formatCount(output)}
            </dd>
          </>
        )}
      </dl>
      {lost === undefined ? null : (
        <div className="mt-1 line-clamp-3 break-words text-ink">{retriesOf(trace, span).at(-1)?.message}</div>
      )}
    </>
  );
}
