import { Ban, CircleDashed } from 'lucide-react';
import type { ReactNode } from 'react';
import { shownStatus } from '@/components/timeline/span-status';
import { classNames } from '@/components/ui/class-names';
import { Progress } from '@/components/ui/progress';
import { StatusLabel } from '@/components/ui/status';
import { type PlanStep, type PlanTask, planStory } from '@/lib/trace/plan-story';
import type { Trace } from '@/lib/trace/trace';
import { InstanceLink } from './delegation';
import type { StoryProps } from './detail-props';

/** Shows the steps of a plan, with the state of each task, and what ended the plan. */
export function PlanSteps({ trace, lane, span, moment, onSelect }: StoryProps) {
  const { steps, end, done, total } = planStory(trace, lane, moment);
  if (steps.length === 0) return null;
  return (
    <section className="min-w-0">
      <h3 className="flex h-7 items-center font-medium text-2xs text-muted tabular-nums">
        Plan: {done} of {total === 1 ? '1 task' : `${total} tasks`} done
      </h3>
      <Progress label="Tasks done" value={total === 0 ? 1 : done / total} />
      <ol aria-label="Steps of the plan" className="mt-2 flex flex-col gap-2">
        {steps.map((step) => (
          <Step key={step.seq} {...{ step, trace, onSelect }} isSelected={step.span === span} />
        ))}
      </ol>
      {end !== undefined && (
        <p className="mt-2 text-ink text-xs">
          {end.reason === 'complete'
            ? `The plan was complete after ${count(end.steps)}.`
            : `The limit of iterations ended the plan after ${count(end.steps)}.`}
        </p>
      )}
    </section>
  );
}

function Step(props: {
  readonly step: PlanStep;
  readonly trace: Trace;
  readonly isSelected: boolean;
  readonly onSelect: (span: number) => void;
}) {
  const { step, trace, isSelected, onSelect } = props;
  const { iteration, description, isComplete } = step.decision;
  return (
    <li
      aria-current={isSelected || undefined}
      className={classNames('overflow-hidden rounded border text-xs', isSelected && 'border-accent')}
    >
      <div className={classNames('flex flex-col px-2 py-1.5', isSelected ? 'bg-accent-soft' : 'bg-ground')}>
        <button
          type="button"
          onClick={() => onSelect(step.span)}
          className="cursor-pointer self-start font-medium text-accent underline-offset-2 hover:underline"
        >
          {isComplete && step.tasks.length === 0 ? 'Nothing more' : `Step ${iteration}`}
        </button>
        {description !== '' && <span className="line-clamp-3 break-words text-ink">{description}</span>}
        {isComplete && step.tasks.length > 0 && <span className="text-ok">The last step.</span>}
      </div>
      {step.tasks.length > 0 && (
        <ul aria-label={`Tasks of step ${iteration}`}>
          {step.tasks.map((task, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the tasks of a step never change
            <Task key={i} {...{ task, trace, onSelect }} />
          ))}
        </ul>
      )}
    </li>
  );
}

function Task(props: { readonly task: PlanTask; readonly trace: Trace; readonly onSelect: (span: number) => void }) {
  const { task, trace, onSelect } = props;
  return (
    <li className="flex items-start gap-2 border-t px-2 py-1">
      <span className="mt-0.5 shrink-0">
        <TaskStatus status={task.status} />
      </span>
      <div className="flex min-w-0 flex-1 flex-col">
        {task.lane === undefined ? (
          <span className="break-words font-medium text-muted">{task.agent}</span>
        ) : (
          <InstanceLink {...{ trace, onSelect }} lane={task.lane} look="name" className="max-w-full self-start" />
        )}
        <span className="line-clamp-3 break-words text-ink">{task.description}</span>
      </div>
    </li>
  );
}

function TaskStatus({ status }: Pick<PlanTask, 'status'>) {
  switch (status) {
    case 'waiting':
      return <Plain icon={<CircleDashed aria-hidden className="size-3.5" />} word="Not begun" />;
    case 'skipped':
      return <Plain icon={<Ban aria-hidden className="size-3.5" />} word="Not run" />;
    case 'queued':
      return <StatusLabel status="queued" look="icon" />;
    default:
      return <StatusLabel status={shownStatus(status)} look="icon" />;
  }
}

function Plain({ icon, word }: { readonly icon: ReactNode; readonly word: string }) {
  return (
    <span title={word} className="inline-flex text-muted">
      {icon}
      <span className="sr-only">{word}</span>
    </span>
  );
}

function count(steps: number): string {
  return steps === 1 ? '1 step' : `${steps} steps`;
}
