'use client';

import { useState } from 'react';
import { DecisionIcon } from '@/components/timeline/decision-icon';
import { Button } from '@/components/ui/button';
import { classNames } from '@/components/ui/class-names';
import type { WorkflowDecision } from '@/lib/runtime/record/decision';
import { decisionWords } from '@/lib/trace/decision-words';
import { type Decided, decisionsOf } from '@/lib/trace/decisions';
import type { Trace } from '@/lib/trace/trace';
import { formatDuration } from '@/lib/trace/wording';
import { PlanSteps } from './decision-plan';
import { Attempts, RatingScale } from './decision-rating';
import { RemoteTask } from './decision-remote';
import { Candidates } from './decision-route';
import { Votes } from './decision-votes';
import type { StoryProps } from './detail-props';

/** Shows the content of one decision within what its workflow decided so far. */
export function DecisionBody({ decision, ...story }: StoryProps & { readonly decision: WorkflowDecision }) {
  switch (decision.what) {
    case 'route':
      return <Candidates decision={decision} />;
    case 'rating':
      return (
        <>
          <RatingScale decision={decision} />
          <Attempts {...story} />
        </>
      );
    case 'plan':
    case 'plan_end':
      return <PlanSteps {...story} />;
    case 'vote':
    case 'votes':
      return <Votes {...story} />;
    case 'remote_task':
      return <RemoteTask {...story} taskId={decision.taskId} />;
    default:
      return decision satisfies never;
  }
}

const atOnce = 50;

/** Shows everything that an instance decided. It shows nothing for an instance that decided nothing. */
export function DecisionStory(props: {
  readonly trace: Trace;
  readonly span: number;
  readonly onSelect: (span: number) => void;
  readonly moment: number | undefined;
}) {
  const { trace, span, onSelect, moment } = props;
  const [shown, setShown] = useState(atOnce);
  const lane = trace.lanes[trace.spans.lane.at(span)];
  if (lane === undefined || lane.decisions.length === 0) return null;
  const all = decisionsOf(trace, lane, moment);
  const story = { trace, lane, onSelect, moment };
  return (
    <>
      <Whole all={all} {...story} />
      <section className="min-w-0">
        <h3 className="flex h-7 items-center font-medium text-2xs text-muted">Decisions</h3>
        {all.length === 0 && <p className="text-muted text-xs">None before the moment that is shown.</p>}
        <ol className={classNames('overflow-hidden rounded text-xs', all.length > 0 && 'border')}>
          {all.slice(0, shown).map((one) => (
            <li key={one.seq} className="border-t first:border-t-0">
              <button
                type="button"
                onClick={() => onSelect(one.span)}
                className="flex w-full cursor-pointer items-center gap-2 px-2 py-1 text-left hover:bg-hover focus-visible:-outline-offset-2"
              >
                <DecisionIcon decision={one.decision} className="size-3.5" />
                <span className="min-w-0 flex-1 truncate text-ink">{decisionWords(one.decision)}</span>
                <span className="shrink-0 text-muted tabular-nums">{formatDuration(one.at)}</span>
              </button>
            </li>
          ))}
        </ol>
        {all.length > shown && (
          <Button size="sm" className="mt-1" onClick={() => setShown(shown + 4 * atOnce)}>
            Show {Math.min(all.length - shown, 4 * atOnce)} more
          </Button>
        )}
      </section>
    </>
  );
}

/** Shows a plan, a vote or the attempts as a whole. */
function Whole({ all, ...story }: StoryProps & { readonly all: readonly Decided[] }) {
  const has = (what: WorkflowDecision['what']) => all.some(({ decision }) => decision.what === what);
  const task = all.findLast(({ decision }) => decision.what === 'remote_task')?.decision;
  return (
    <>
      {has('rating') && <Attempts {...story} />}
      {has('plan') && <PlanSteps {...story} />}
      {has('vote') && <Votes {...story} />}
      {task?.what === 'remote_task' && <RemoteTask {...story} taskId={task.taskId} />}
    </>
  );
}
