import { brandAs, type InstancePath, type StepKey } from '@/lib/base/ids';
import type { JsonObject } from '@/lib/base/json';
import { inputProblem } from './check-input';
import { childMessage } from './input-mode';
import type { ToolCall, ToolResult } from './messages';
import type { Instance, InstanceOutcome, InstanceSpec } from './run-state';
import { childRoute, type ToolRoute } from './surface';
import { errorResult } from './tool-error';

type ChildRoute = Extract<ToolRoute, { kind: 'child' }>;

/**
 * The fresh instance that a call of a child makes: `Child[i]`, where i counts the calls of that child in the parent's whole
 * life, in the order asked. Must be called in that order and before any await. What must not run comes back with a refusal
 * and keeps its number, so that the timeline shows it.
 */
export function delegate(
  instance: Instance,
  call: ToolCall,
  step: StepKey,
  route: ChildRoute,
  args: JsonObject | undefined,
): InstanceSpec {
  const { run, spec, plan } = instance;
  const { child, options } = route;
  const index = (instance.childCalls.get(child.name) ?? 0) + 1;
  instance.childCalls.set(child.name, index);
  const name = `${child.name}[${index}]`;
  const depth = spec.depth + 1;
  const maxDepth = Math.min(options.max_depth ?? spec.maxDepth, spec.maxDepth);
  const input = messageFor(route, call, args);
  const tooDeep = depth > maxDepth ? depthMessage(child.name, depth, maxDepth) : undefined;
  return {
    card: child,
    // A slash in a name must not look like a step down.
    path: brandAs<InstancePath>(`${spec.path}/${name.replaceAll('/', '%2F')}`),
    name,
    correlationId: run.journal.correlationOf(step) ?? run.ports.newCorrelationId(),
    depth,
    maxDepth,
    input: input.ok ? input.message : '',
    timeoutMs: options.timeout_ms ?? secondsToMs(plan.card.childTimeoutSec) ?? run.limits.childTimeoutMs,
    scope: instance.scope,
    parent: { path: spec.path, correlationId: spec.correlationId, callId: call.id, step },
    refusal: tooDeep
      ? { code: 'DEPTH_EXCEEDED', message: tooDeep }
      : input.ok
        ? undefined
        : { code: 'INPUT_VALIDATION', message: input.problem },
  };
}

/** The instance the log says this call made, if it does; it takes its number as it did then. */
export function recordedDelegation(
  instance: Instance,
  call: ToolCall,
  step: StepKey,
  args: JsonObject | undefined,
): InstanceSpec | undefined {
  const { run, plan } = instance;
  const queued = run.journal.childOf(step);
  const child = queued && run.agents.get(queued.agentName);
  if (!child) return undefined;
  return delegate(instance, call, step, childRoute(plan.card, child, run.parsed.settings), args);
}

/** What the parent's model reads of a finished child (R-50, R-52). */
export function childResult(spec: InstanceSpec, outcome: InstanceOutcome): ToolResult {
  const text = `Error: ${outcome.error?.message ?? `Agent '${spec.card.name}' failed.`}`;
  switch (outcome.status) {
    case 'completed':
      return { content: [{ type: 'text', text: outcome.answer ?? '' }], isError: false };
    case 'timeout':
      return errorResult('AGENT_TIMEOUT', text);
    case 'cancelled':
      return errorResult('AGENT_CANCELLED', text);
    case 'failed':
      return errorResult(spec.refusal?.code ?? 'AGENT_FAILED', text);
  }
}

export function notAnObject(tool: string): string {
  return `The arguments of '${tool}' are not a JSON object. Send one that fits the tool's parameters.`;
}

type ChildInput = { readonly ok: true; readonly message: string } | { readonly ok: false; readonly problem: string };

function messageFor(route: ChildRoute, call: ToolCall, args: JsonObject | undefined): ChildInput {
  if (!args) return { ok: false, problem: notAnObject(call.name) };
  const { child, inputMode } = route;
  const problem =
    inputMode === 'schema' && child.toolInputSchema ? inputProblem(child.toolInputSchema, args) : undefined;
  if (problem) return { ok: false, problem: `The arguments of '${call.name}' are not valid: ${problem}.` };
  const message = childMessage(child, inputMode, args);
  return message.ok ? { ok: true, message: message.value } : { ok: false, problem: message.error };
}

function depthMessage(child: string, depth: number, limit: number): string {
  return `Agent '${child}' would run at depth ${depth}; the limit is ${limit}. Raise 'limits.max_depth' or the delegation's 'max_depth'.`;
}

function secondsToMs(seconds: number | undefined): number | undefined {
  return seconds !== undefined && seconds > 0 ? seconds * 1_000 : undefined;
}
