import type { AssistantMessage } from '@/lib/runtime/record/messages';
import type { ImportedStep } from './imported-step';
import { StepFamily } from './step-family';
import { callFailed, noMessage, toolResultOf } from './tool-result';

/**
 * Folds the framework's own work, such as one turn of an agent's loop, into what it is inside of; at the top of a trace, into the
 * only agent inside of it. What is inside of it moves up. A call takes the output and the failure of the work that ran it. Work that
 * failed by itself stays, so that its error is seen, and so does the only record of a model call. Work did not fail by itself if a
 * failure inside of it has the same error, or if what ended last inside of it failed and is not a tool: models deal with failures of
 * tools, so a loop that reaches its limit after one has an error of its own.
 */
export function foldNoise(steps: readonly ImportedStep[]): readonly ImportedStep[] {
  if (!steps.some(({ isNoise }) => isNoise)) return steps;
  const family = new StepFamily(steps);
  const depths = depthsOf(family);
  const depthOf = ({ id }: ImportedStep) => depths.get(id) ?? 0;
  // The innermost first, so that a model call that is the only record of itself is known.
  const folds = foldsOf(
    family,
    [...family.all()].sort((a, b) => depthOf(b) - depthOf(a)),
  );
  // The outermost first, so that what is inside of many of them moves once.
  for (const { id } of [...family.all()].sort((a, b) => depthOf(a) - depthOf(b))) {
    const step = family.steps.get(id);
    const host = step && family.parentOf(step);
    if (step !== undefined && host !== undefined && host.id !== id && folds.has(id)) family.foldInto(host.id, step);
  }
  for (const [id, agent] of folds) {
    const step = family.steps.get(id);
    if (step !== undefined && agent !== undefined) family.foldInto(agent, step);
  }
  return family.all();
}

/** What is left inside of a step when the noise inside is folded. */
interface Left {
  readonly count: number;
  readonly hasCalls: boolean;
  /** The failure inside that ended last. */
  readonly failure: ImportedStep | undefined;
  /** When the last of them ended. */
  readonly until: number;
  readonly last: ImportedStep | undefined;
}

/**
 * Returns the ids of the steps to fold, those at the top with the id of the agent that takes them in. Calls take the outcome of their
 * work, and work that stays is a part of what it is inside of. `inwards` has the innermost steps first.
 */
function foldsOf(family: StepFamily, inwards: readonly ImportedStep[]): ReadonlyMap<string, string | undefined> {
  const folds = new Map<string, string | undefined>();
  const inside = new Map<string, Left>();
  for (const { id } of inwards) {
    const step = family.steps.get(id);
    if (step === undefined) continue;
    const parent = family.parentOf(step);
    const left = inside.get(id);
    if (step.isNoise === true && !(step.kind === 'model' && left?.hasCalls !== true)) {
      const isCallOf = parent?.kind === 'tool';
      const agent =
        step.parent === undefined && left?.count === 1 && left.last?.kind === 'agent' ? left.last.id : undefined;
      const failedAlone = step.outcome !== 'ok' && (left === undefined || !isExplained(step, left));
      if ((parent ?? agent) === undefined || (failedAlone && !isCallOf)) {
        family.put({ ...step, isPart: parent !== undefined });
      } else {
        folds.set(id, agent);
        if (step.kind === 'model') giveToCall(family, step);
      }
      if (isCallOf) family.put(withOutcomeOf(parent, step));
    }
    if (parent === undefined) continue;
    const failure = step.outcome === 'ok' ? left?.failure : step;
    const until = step.end ?? Number.POSITIVE_INFINITY;
    const own = folds.has(id) ? left : { count: 1, hasCalls: isCall(step), failure, until, last: step };
    if (own !== undefined) inside.set(parent.id, joined(inside.get(parent.id), own));
  }
  return folds;
}

/** Gives the request and the answer that a step of a loop has to the only model call inside of it, if the call has less. */
function giveToCall(family: StepFamily, { id, request, messageCount, tools, message }: ImportedStep): void {
  const calls = family.childrenOf(id).filter(({ kind, isNoise }) => kind === 'model' && isNoise !== true);
  const [call, ...others] = calls;
  if (call === undefined || others.length > 0) return;
  const offered = call.tools !== undefined && call.tools.length > 0 ? call.tools : tools;
  const asked = call.request === undefined && request !== undefined ? { request, messageCount, tools: offered } : {};
  family.put({ ...call, ...asked, message: fullerOf(call.message, message) });
}

/** Returns the answer of a call, with the calls and the text of the step around it if that has more calls. */
function fullerOf(
  own: AssistantMessage | undefined,
  around: AssistantMessage | undefined,
): AssistantMessage | undefined {
  if (around === undefined || around.toolCalls.length <= (own?.toolCalls.length ?? 0)) return own;
  if (own === undefined) return around;
  return {
    ...own,
    content: around.content.length > 0 ? around.content : own.content,
    toolCalls: around.toolCalls,
    // Without its tool calls, the answer seemed to end the turn.
    stopReason: own.stopReason === 'end_turn' ? around.stopReason : own.stopReason,
  };
}

function joined(a: Left | undefined, b: Left): Left {
  if (a === undefined) return b;
  return {
    count: a.count + b.count,
    hasCalls: a.hasCalls || b.hasCalls,
    failure: laterOf(a.failure, b.failure),
    until: Math.max(a.until, b.until),
    last: b.last,
  };
}

function laterOf(a: ImportedStep | undefined, b: ImportedStep | undefined): ImportedStep | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return endOf(b) >= endOf(a) ? b : a;
}

function endOf({ end }: ImportedStep): number {
  return end ?? Number.POSITIVE_INFINITY;
}

/** True if what is left inside of a step says why it failed. */
function isExplained({ error }: ImportedStep, { failure, until }: Left): boolean {
  if (failure === undefined) return false;
  const [own, inner] = [error?.message ?? noMessage, failure.error?.message ?? noMessage];
  if (own === noMessage || reasonIn(own) === reasonIn(inner)) return true;
  return failure.kind !== 'tool' && endOf(failure) >= until;
}

/** Returns a message without the kind of error before it and the stack after it: `ToolError: no page` and `no page` say the same. */
function reasonIn(message: string): string {
  const withoutStack = message.replace(/(?:Traceback \(most recent call last\):|\n {2,8}at )[\s\S]*$/, '');
  const reason = withoutStack.replace(/^(?:[\w$.]*(?:Error|Exception): *)+/, '').trim();
  return reason === '' ? message : reason;
}

function depthsOf(family: StepFamily): ReadonlyMap<string, number> {
  const depths = new Map<string, number>();
  for (const step of family.all()) {
    const path: string[] = [];
    const seen = new Set<string>();
    let at: ImportedStep | undefined = step;
    while (at !== undefined && !depths.has(at.id) && !seen.has(at.id)) {
      path.push(at.id);
      seen.add(at.id);
      at = family.parentOf(at);
    }
    let depth = at === undefined ? -1 : (depths.get(at.id) ?? -1);
    for (const id of path.toReversed()) depths.set(id, ++depth);
  }
  return depths;
}

function isCall({ kind }: ImportedStep): boolean {
  return kind === 'model' || kind === 'tool' || kind === 'agent';
}

function withOutcomeOf(call: ImportedStep, work: ImportedStep): ImportedStep {
  const isFailed = call.outcome === 'ok' && work.outcome !== 'ok';
  const outcome = isFailed ? work.outcome : call.outcome;
  const error = isFailed ? work.error : call.error;
  const hasResult = (call.result?.content.length ?? 0) > 0;
  if (!isFailed && (hasResult || work.output === undefined)) return call;
  const failure = outcome === 'ok' ? undefined : (error?.message ?? callFailed);
  return { ...call, outcome, error, result: toolResultOf(work.output, failure, outcome) };
}
