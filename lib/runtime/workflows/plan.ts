import { isRecord, type Json, type JsonObject } from '@/lib/base/json';
import { oncePer } from '@/lib/base/once-per';
import { err, ok, type Result } from '@/lib/base/result';

/** Plans as a planner's model writes them, and what is wrong with them. */

export interface Task {
  readonly agent: string;
  readonly description: string;
}

/** What a planner's model wants done next. */
export interface PlannedStep {
  readonly description: string;
  /** They run in parallel. */
  readonly tasks: readonly Task[];
  /** True if nothing is left to do. Then there are no tasks. */
  readonly isComplete: boolean;
}

/** A step whose tasks have ended. */
export interface DoneStep {
  readonly description: string;
  readonly tasks: readonly (Task & { readonly result: string })[];
}

export interface PlanFault {
  readonly code: 'plan_unknown_agent' | 'plan_no_tasks' | 'complete_with_tasks';
  /** A clause without a full stop. */
  readonly reason: string;
  /** What the model can do about it. */
  readonly advice: string;
}

/** Reads an answer that fits `planSchema`. */
export function readPlan(agents: readonly string[], value: Json): Result<PlannedStep, PlanFault> {
  const plan = planIn(value);
  if (plan.isComplete) return plan.tasks.length === 0 ? ok(plan) : err(completeWithTasks);
  if (plan.tasks.length === 0) return err(noTasks);
  const unknown = new Set(plan.tasks.flatMap(({ agent }) => (agents.includes(agent) ? [] : [`'${agent}'`])));
  if (unknown.size === 0) return ok(plan);
  const advice = `The agents are: ${[...new Set(agents)].join(', ')}`;
  return err({ code: 'plan_unknown_agent', reason: `there is no agent ${[...unknown].join(', ')}`, advice });
}

/** The plan without its tasks, for a model that says twice that its plan is complete. */
export function endedPlan(value: Json): PlannedStep {
  return { ...planIn(value), tasks: [], isComplete: true };
}

const noTasks: PlanFault = {
  code: 'plan_no_tasks',
  reason: "the step has no tasks, although 'is_complete' is false",
  advice: "Give it tasks, or set 'is_complete' to true",
};

const completeWithTasks: PlanFault = {
  code: 'complete_with_tasks',
  reason: "'is_complete' is true, so the tasks would not be done",
  advice: 'Set it to false to have them done, or leave the tasks out',
};

function planIn(value: Json): PlannedStep {
  const { description, tasks, is_complete: isComplete } = isRecord(value) ? value : {};
  const listed: readonly unknown[] = Array.isArray(tasks) ? tasks : [];
  return {
    description: textIn(description),
    tasks: listed.flatMap((task) =>
      isRecord(task) ? [{ agent: textIn(task.agent), description: textIn(task.description) }] : [],
    ),
    isComplete: isComplete === true,
  };
}

function textIn(value: unknown): string {
  return typeof value === 'string' ? value.trim() : '';
}

/** What an answer must fit. Which names are agents is checked after it. */
export const planSchema: JsonObject = {
  type: 'object',
  properties: {
    description: { type: 'string' },
    tasks: {
      type: ['array', 'null'],
      items: {
        type: 'object',
        properties: { description: { type: 'string' }, agent: { type: 'string' } },
        required: ['description', 'agent'],
      },
    },
    is_complete: { type: 'boolean' },
  },
  required: ['description', 'is_complete'],
};

/** What is asked for: only names of agents can be chosen. It is made once per list, because models are told it in each call. */
export const planSchemaFor = oncePer(
  (agents: readonly string[]): JsonObject => ({
    type: 'object',
    properties: {
      description: { type: 'string', description: 'What the step is for.' },
      tasks: {
        type: 'array',
        description: 'Tasks of the step, which run in parallel. Empty if the plan is complete.',
        items: {
          type: 'object',
          properties: {
            description: { type: 'string', description: 'What the agent must do.' },
            agent: { type: 'string', enum: [...new Set(agents)] },
          },
          required: ['description', 'agent'],
          additionalProperties: false,
        },
      },
      is_complete: { type: 'boolean', description: 'Whether nothing is left to do.' },
    },
    required: ['description', 'tasks', 'is_complete'],
    additionalProperties: false,
  }),
);
