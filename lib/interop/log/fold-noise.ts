import type { ImportedStep } from './imported-step';
import { StepFamily } from './step-family';
import { callFailed, toolResultOf } from './tool-result';

/**
 * Folds the framework's own work, such as one turn of an agent's loop, into what it is inside of; at the top of a trace, into the
 * only agent inside of it. What is inside of it moves up. A call takes the output and the failure of the work that ran it. Work that
 * failed on its own stays, so that its error is seen, and so does the only record of a model call.
 */
export function foldNoise(steps: readonly ImportedStep[]): readonly ImportedStep[] {
  if (!steps.some(({ isNoise }) => isNoise)) return steps;
  const family = new StepFamily(steps);
  // The innermost first, so that a model call that is the only record of itself is known.
  for (const { id } of innermostFirst(family)) {
    const step = family.steps.get(id);
    if (step?.isNoise !== true) continue;
    const parent = family.parentOf(step);
    const isCallOf = parent?.kind === 'tool';
    const isEmpty = step.kind === 'model' && !family.childrenOf(id).some(isCall);
    if (isEmpty) continue;
    const host = parent ?? onlyAgent(family, step);
    if (host === undefined || (step.outcome !== 'ok' && !isCallOf)) {
      family.put({ ...step, isPart: parent !== undefined });
      continue;
    }
    family.foldInto(host.id, step);
    const now = family.steps.get(host.id);
    if (isCallOf && now !== undefined) family.put(withOutcomeOf(now, step));
  }
  return family.all();
}

function innermostFirst(family: StepFamily): readonly ImportedStep[] {
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
  return [...family.all()].sort((a, b) => (depths.get(b.id) ?? 0) - (depths.get(a.id) ?? 0));
}

function isCall({ kind }: ImportedStep): boolean {
  return kind === 'model' || kind === 'tool' || kind === 'agent';
}

function onlyAgent(family: StepFamily, step: ImportedStep): ImportedStep | undefined {
  if (step.parent !== undefined) return undefined;
  const [only, ...others] = family.childrenOf(step.id);
  return others.length === 0 && only?.kind === 'agent' ? only : undefined;
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
