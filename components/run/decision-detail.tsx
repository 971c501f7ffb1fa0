'use client';

import { ScoreControl } from '@/components/scores/score-control';
import { ScoreNotes } from '@/components/scores/score-notes';
import { DecisionIcon } from '@/components/timeline/decision-icon';
import { kindWord } from '@/components/timeline/span-words';
import { CopyButton } from '@/components/ui/copy-button';
import type { WorkflowDecision } from '@/lib/runtime/record/decision';
import { decisionAt } from '@/lib/trace/decision-at';
import { callsAround, type Decided, decisionsOf } from '@/lib/trace/decisions';
import type { Payload } from '@/lib/trace/payloads';
import { type Lane, spanTitle, type Trace } from '@/lib/trace/trace';
import { formatDuration } from '@/lib/trace/wording';
import { DecisionBody } from './decision-story';
import type { SpanDetailProps } from './detail-props';
import { EventParts } from './event-parts';
import { InstanceStates } from './instance-states';
import { SpanLink } from './span-link';
import { useFetched } from './use-run';

/** Shows what a workflow decided, why, and what followed. */
export function DecisionDetail({ trace, span, cache, onSelect, moment }: SpanDetailProps) {
  const [event] = useFetched(cache, [trace.spans.startSeq.at(span)]);
  const lane = trace.lanes[trace.spans.lane.at(span)];
  const known = decisionAt(trace, span);
  const loaded = event !== undefined && event !== 'loading' && 'value' in event ? event.value : undefined;
  const decision = loaded?.kind === 'workflow.decided' ? loaded.decision : known;
  if (lane === undefined || decision === undefined) return null;
  const at = trace.spans.start.at(span);
  // A decision after the play-head is shown as it was at its own time.
  const until = moment === undefined ? undefined : Math.max(moment, at);
  const all = decisionsOf(trace, lane, until);
  return (
    <div className="flex flex-col gap-3 p-3">
      <div className="min-w-0 pr-6">
        <h2 className="flex items-start gap-1.5 font-medium text-ink text-sm">
          <DecisionIcon decision={decision} className="mt-0.5 size-4" />
          <span className="min-w-0 break-words">{spanTitle(trace, span)}</span>
        </h2>
        <p className="text-muted text-xs tabular-nums">
          {kindWord(trace, span)} at {formatDuration(at)}
        </p>
      </div>
      <ScoreControl span={trace.spans.startSeq.at(span)} />
      <ScoreNotes span={trace.spans.startSeq.at(span)} />
      <dl className="grid grid-cols-[max-content_minmax(0,1fr)] gap-x-4 gap-y-1 text-xs [&>dd]:min-w-0 [&>dd]:text-ink [&>dt]:text-muted">
        <dt>Workflow</dt>
        <dd>
          <SpanLink trace={trace} path={lane.path} onSelect={onSelect} className="max-w-full" />
        </dd>
        <dt>Correlation id</dt>
        <dd className="flex items-center gap-1">
          <span className="min-w-0 truncate font-mono">{lane.correlationId}</span>
          <CopyButton text={lane.correlationId} label="Copy correlation id" />
        </dd>
      </dl>
      <DecisionBody {...{ trace, lane, span, decision, onSelect }} moment={until} />
      <EventParts runId={trace.run.runId} event={event} look="prose" isShown={(part) => isBelow(decision, part)} />
      <Neighbours {...{ trace, lane, all, decision, onSelect }} seq={trace.spans.startSeq.at(span)} />
    </div>
  );
}

/** The body of a plan and of a rating shows their short texts already. */
const bodyUnits = 240;

function isBelow({ what }: WorkflowDecision, { title, value }: Payload): boolean {
  const isLong = typeof value === 'string' && value.length > bodyUnits;
  if (what === 'plan') return isLong;
  return title !== 'Focus areas' || isLong;
}

/** Links to what the workflow called before and after a decision. */
function Neighbours(props: {
  readonly trace: Trace;
  readonly lane: Lane;
  readonly all: readonly Decided[];
  readonly decision: WorkflowDecision;
  readonly seq: number;
  readonly onSelect: (span: number) => void;
}) {
  const { trace, lane, all, decision, seq, onSelect } = props;
  if (decision.what === 'vote') {
    const sample = lane.children[decision.sample - 1];
    const child = sample === undefined ? undefined : trace.lanes[sample];
    return child === undefined ? null : (
      <InstanceStates title="The sample" lanes={[child]} trace={trace} onSelect={onSelect} />
    );
  }
  const { before, after } = callsAround(trace, lane, all, seq);
  const judged = decision.what === 'rating' ? 'The answer and its evaluation' : 'Called before';
  return (
    <>
      {decision.what !== 'votes' && before.length > 0 && (
        <InstanceStates title={judged} lanes={before} trace={trace} onSelect={onSelect} />
      )}
      {decision.what !== 'plan' && after.length > 0 && (
        <InstanceStates title="What followed" lanes={after} trace={trace} onSelect={onSelect} />
      )}
    </>
  );
}
