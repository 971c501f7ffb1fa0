import type { ImportedStep } from './imported-step';
import { StepFamily } from './step-family';

/**
 * Gives the model calls below an agent, and agents below that report the tokens of calls that the trace lacks, their shares of a cost that
 * only the agent has, by their tokens. The tokens of the agent then cost nothing, so that no price is looked up beside it. If anything below
 * has a cost of its own, or nothing has tokens, the agent keeps its figure.
 */
export function shareCosts(steps: readonly ImportedStep[]): readonly ImportedStep[] {
  if (!steps.some(isTotal)) return steps;
  const family = new StepFamily(steps);
  for (const { id } of steps) {
    const step = family.steps.get(id);
    if (step === undefined || !isTotal(step)) continue;
    const calls = callsBelow(family, step);
    if (calls === undefined) continue;
    const all = calls.reduce((sum, call) => sum + tokensOf(call), 0);
    for (const call of calls) {
      const costUsd = ((step.costUsd ?? 0) * tokensOf(call)) / all;
      family.put({ ...call, costUsd, estimated: [...call.estimated, `cost: a share of what "${step.name}" reports`] });
    }
    const costUsd = tokensOf(step) > 0 ? 0 : undefined;
    family.put({ ...step, costUsd, rest: { ...step.rest, reported_cost_usd: step.costUsd ?? 0 } });
  }
  return family.all();
}

function isTotal({ kind, costUsd }: ImportedStep): boolean {
  return kind !== 'model' && costUsd !== undefined && costUsd > 0;
}

/** Returns the calls and agents whose tokens count; `undefined` if there are none, or if a step below has a cost. */
function callsBelow(family: StepFamily, step: ImportedStep): readonly ImportedStep[] | undefined {
  const calls: ImportedStep[] = [];
  const seen = new Set([step.id]);
  const open = [...family.childrenOf(step.id)];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (seen.has(at.id)) continue;
    seen.add(at.id);
    if (at.costUsd !== undefined) return undefined;
    if ((at.kind === 'model' || at.kind === 'agent') && tokensOf(at) > 0) calls.push(at);
    for (const child of family.childrenOf(at.id)) open.push(child);
  }
  const around = idsAround(family, calls);
  const counted = calls.filter(({ kind, id }) => kind === 'model' || !around.has(id));
  return counted.length === 0 ? undefined : counted;
}

/** Returns the ids of all that the steps are inside of. */
function idsAround(family: StepFamily, steps: readonly ImportedStep[]): ReadonlySet<string> {
  const around = new Set<string>();
  for (const step of steps) {
    for (let at = family.parentOf(step); at !== undefined && !around.has(at.id); at = family.parentOf(at))
      around.add(at.id);
  }
  return around;
}

function tokensOf({ usage }: ImportedStep): number {
  return usage === undefined ? 0 : usage.inputTokens + usage.outputTokens;
}
