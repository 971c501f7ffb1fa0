import { brandAs, type CallId } from '@/lib/base/ids';
import type { JsonObject } from '@/lib/base/json';
import { err, ok, type Result } from '@/lib/base/result';
import { errorOf, withoutSessionId } from '@/lib/runtime/calls/batch-end';
import { runBatch } from '@/lib/runtime/calls/tool-batch';
import { type ChildRoute, childRoute } from '@/lib/runtime/delegation/child-route';
import type { Instance } from '@/lib/runtime/instance/instance';
import type { RunError } from '@/lib/runtime/record/events';
import { type ContentBlock, type Message, type ToolCall, textOf } from '@/lib/runtime/record/messages';
import { decidedCode } from '@/lib/runtime/record/tool-error';
import type { Surface } from '@/lib/runtime/surface/route';

/** One step of a workflow: a call of another agent. */
export interface Step {
  readonly agent: string;
  /** The agent's message, exactly. */
  readonly text: string;
  /** Messages that it reads before. */
  readonly history?: readonly Message[];
  /** Files that come with the message. */
  readonly attachments?: readonly ContentBlock[];
  /** What its answer must fit, whatever the delegation says. */
  readonly outputSchema?: JsonObject;
  /** Its answer is the answer of the workflow, so it must fit what the workflow's must fit. */
  readonly isLast?: true;
  /** It is asked several times for answers that know nothing of each other, so no earlier answer replaces one. */
  readonly isSample?: true;
}

/** What a step answered, or the sentence that says why it did not. */
export type StepAnswer = Result<string, RunError>;

/**
 * Runs steps in parallel, as the tool calls of one model response: each is a delegation with an instance of its own, and the
 * options, limits, hooks and records of one. Steps of one agent differ in their texts alone. The answers are in the order of the steps. All end before this resolves, also
 * when one fails.
 */
export async function runSteps(instance: Instance, steps: readonly Step[]): Promise<readonly StepAnswer[]> {
  const first = instance.toolCalls;
  const names = new Map<string, string>();
  const routes = new Map<string, ChildRoute>();
  const calls = steps.map((step, index): ToolCall => {
    let name = names.get(step.agent);
    if (name === undefined) {
      const route = stepRoute(instance, step);
      name = nameOf(route, routes);
      names.set(step.agent, name);
      routes.set(name, route);
    }
    const id = brandAs<CallId>(`step${first + index + 1}`);
    return { id, name, argumentsText: JSON.stringify({ text: step.text }) };
  });
  const tools = [...routes.values()].map(({ tool }) => tool);
  const surface: Surface = { tools, names: [...routes.keys()], routes, warnings: [] };
  const { results } = await runBatch(instance, calls, surface);
  return results.map(({ result }) => (result.isError ? err(errorOf(result)) : ok(textOf(withoutSessionId(result)))));
}

/** Runs one step. If it fails, the error says which step of which workflow it was. */
export async function runStep(instance: Instance, step: Step): Promise<StepAnswer> {
  const [answer = err({ code: 'cancelled', message: 'The step did not run.' })] = await runSteps(instance, [step]);
  return answer.ok ? answer : err(stepFailed(instance, step.agent, answer.error));
}

export function stepFailed({ spec }: Instance, agent: string, error: RunError): RunError {
  const message = `'${spec.card.name}' ended because its step '${agent}' failed: ${error.message}`;
  return { code: decidedCode(error) ? error.code : 'step_failed', message };
}

function stepRoute({ run, spec, plan }: Instance, step: Step): ChildRoute {
  const child = run.cards.get(step.agent);
  // The checker and the bodies refuse unknown names before.
  if (!child) throw new Error(`'${spec.card.name}' has no agent '${step.agent}'`);
  const route = childRoute(plan.card, child, run.parsed.settings, run.cards);
  const last = step.isLast ? spec.outputSchema : undefined;
  return {
    ...route,
    // The message is handed over as it is. What came with the workflow's call was checked against its schema there.
    inputMode: 'text_json',
    inputSchema: undefined,
    outputSchema: step.outputSchema ?? route.outputSchema ?? last,
    asStep: { history: step.history ?? [], attachments: step.attachments ?? [], isSample: step.isSample === true },
  };
}

/** The name of the child's tool, or a longer one where a delegation gives two children the same name. */
function nameOf({ tool, child }: ChildRoute, routes: ReadonlyMap<string, ChildRoute>): string {
  const taken = routes.get(tool.name);
  return taken && taken.child !== child ? `${tool.name}:${child.name}` : tool.name;
}
