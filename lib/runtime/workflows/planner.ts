import type { Json } from '@/lib/base/json';
import { err, ok, type Result } from '@/lib/base/result';
import type { IterativePlannerCard, OrchestratorCard } from '@/lib/cards/card';
import { answerText } from '@/lib/runtime/delegation/child-output';
import type { Instance } from '@/lib/runtime/instance/instance';
import { askForJson, askForText } from '@/lib/runtime/model/ask';
import { cancelled } from '@/lib/runtime/model/model-call';
import { noteRepair } from '@/lib/runtime/model/odd-end';
import type { RunError } from '@/lib/runtime/record/events';
import type { Message } from '@/lib/runtime/record/messages';
import { repairMessage } from '@/lib/runtime/record/repair-message';
import { agentsInstruction } from './agents-text';
import { decide } from './decide';
import {
  type DoneStep,
  endedPlan,
  type PlanFault,
  type PlannedStep,
  planSchema,
  planSchemaFor,
  readPlan,
} from './plan';
import { plannerInstruction, plannerRules, planPrompt, summaryPrompt, taskText } from './plan-text';
import { assistantMessage, type OwnRequest, ownRequest } from './request';
import { runSteps } from './steps';

type PlannerCard = OrchestratorCard | IterativePlannerCard;

/**
 * A model plans one step at a time. The tasks of a step run in parallel, their results go into the next plan, and in the end the
 * model writes the answer from all results (iterative_planner.py).
 *
 *   request ▶ plan ─tasks─▶ a, b ─results─▶ plan ─tasks─▶ c ─results─▶ plan ─complete─▶ summary ▶ answer
 *
 * A task that fails is told to the model, which may plan around it. Without `plan_iterations` the limit of model calls of an
 * instance ends the plan.
 */
export async function runPlanner(instance: Instance, card: PlannerCard): Promise<Result<string, RunError>> {
  const { scope } = instance;
  const talk = plannerTalk(instance, card);
  const done: DoneStep[] = [];
  let isComplete = false;
  while (!isComplete && mayPlan(instance, card, done.length)) {
    const next = await talk.nextStep(done);
    if (!next.ok) return next;
    const { description, tasks } = next.value;
    isComplete = next.value.isComplete;
    decide(instance, { what: 'plan', iteration: done.length + 1, description, tasks, isComplete });
    if (!isComplete) done.push({ description, tasks: await runTasks(instance, talk.request, done, next.value) });
    // The failures of a stopped run are no results.
    if (scope.reason) return err(cancelled);
  }
  decide(instance, { what: 'plan_end', reason: isComplete ? 'complete' : 'iterations', steps: done.length });
  return talk.summary(done, isComplete);
}

/** False after `plan_iterations` steps, or when the instance has one model call left, which is for the summary. */
function mayPlan({ run, spec, modelCalls }: Instance, { planIterations }: PlannerCard, steps: number): boolean {
  if (planIterations > 0 && steps >= planIterations) return false;
  const { maxIterations } = run.limits;
  if (modelCalls + 2 <= maxIterations) return true;
  const message = `Agent '${spec.card.name}' stopped planning after ${steps} steps, because it may make ${maxIterations} model calls. Set 'plan_iterations' in the card, or raise 'limits.max_iterations' in callboard.yaml.`;
  run.log({ level: 'warning', code: 'max_iterations', message }, spec.path);
  return false;
}

/** Runs the tasks of a step at the same time. The results have the order of the tasks. */
async function runTasks(
  instance: Instance,
  { text, attachments }: OwnRequest,
  done: readonly DoneStep[],
  { tasks }: PlannedStep,
): Promise<DoneStep['tasks']> {
  const answers = await runSteps(
    instance,
    tasks.map((task) => ({ agent: task.agent, text: taskText(text, done, task), attachments })),
  );
  return tasks.map((task, index) => {
    const answer = answers[index];
    return { ...task, result: answer?.ok ? answer.value : `ERROR: ${answer?.error.message ?? cancelled.message}` };
  });
}

/** The planner's own model calls. With `use_history: true` each reads the ones before it. */
function plannerTalk(instance: Instance, card: PlannerCard) {
  const { plan, spec } = instance;
  const request = ownRequest(instance);
  const conversation: Message[] = [...plan.initialHistory, ...request.history];
  const instruction = agentsInstruction(instance, {
    agents: card.agents,
    fill: (text, agents) => text.replaceAll('{{agents}}', () => agents),
    usual: plannerInstruction,
    rules: plannerRules,
  });
  const question = { instruction, schema: planSchema, narrower: planSchemaFor(card.agents), name: 'plan' };
  return { request, nextStep, summary };

  async function nextStep(done: readonly DoneStep[]): Promise<Result<PlannedStep, RunError>> {
    const remaining = card.planIterations > 0 ? card.planIterations - done.length : undefined;
    const asked = message(planPrompt(request.text, done, remaining));
    const messages = [...conversation, asked];
    const first = await askForJson(instance, { ...question, messages });
    if (!first.ok) return first;
    const planned = readPlan(card.agents, first.value);
    if (planned.ok) return ok(remember(asked, first.value, planned.value));
    const { reason, advice } = planned.error;
    noteRepair(instance, reason);
    const told = [...messages, assistantMessage(JSON.stringify(first.value)), repairMessage(`${reason}. ${advice}`)];
    const second = await askForJson(instance, { ...question, messages: told });
    if (!second.ok) return second;
    const repaired = readPlan(card.agents, second.value);
    if (repaired.ok) return ok(remember(asked, second.value, repaired.value));
    if (repaired.error.code === 'complete_with_tasks')
      return ok(remember(asked, second.value, endedPlan(second.value)));
    return err(planRefused(card, repaired.error));
  }

  async function summary(done: readonly DoneStep[], isComplete: boolean): Promise<Result<string, RunError>> {
    const messages = [...conversation, message(summaryPrompt(request.text, done, isComplete))];
    if (!spec.outputSchema) return askForText(instance, { instruction, messages });
    const answer = await askForJson(instance, { instruction, messages, schema: spec.outputSchema, name: 'summary' });
    return answer.ok ? ok(answerText(answer.value)) : answer;
  }

  function message(text: string): Message {
    return { role: 'user', content: [{ type: 'text', text }, ...request.attachments] };
  }

  function remember(asked: Message, answer: Json, planned: PlannedStep): PlannedStep {
    if (plan.card.useHistory) conversation.push(asked, assistantMessage(JSON.stringify(answer)));
    return planned;
  }
}

function planRefused({ name }: PlannerCard, { code, reason }: PlanFault): RunError {
  const message = `The plan of '${name}' cannot run: ${reason}. Its model was told so and planned the step once more. Describe the agents better, or choose another model.`;
  return { code, message };
}
