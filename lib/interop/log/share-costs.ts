import type { ImportedStep } from './imported-step';
import { StepFamily } from './step-family';

/**
 * Shares a cost that only an agent has by tokens: among the model calls below it, the agents below that report tokens of calls that the
 * trace lacks, and the agent's own tokens of that kind. The cost of a step is then that of its own tokens, and no price is looked up beside
 * it. If anything below has a cost of its own, or nothing has tokens, the agent keeps its figure.
 *
 *   lead    $1, reports 1,000 tokens     own 400   $0.40
 *     middle     reports 600             own 400   $0.40
 *       worker   reports 200             own 200   $0.20
 */
export function shareCosts(steps: readonly ImportedStep[]): readonly ImportedStep[] {
  if (!steps.some(isTotal)) return steps;
  const family = new StepFamily(steps);
  for (const { id } of steps) {
    const step = family.steps.get(id);
    if (step === undefined || !isTotal(step)) continue;
    const shares = sharesBelow(family, step);
    const all = shares?.reduce((sum, { own }) => sum + own, 0) ?? 0;
    // What the agent alone has used is its figure already.
    if (shares === undefined || all === 0 || shares.every(({ step: one, own }) => own === 0 || one === step)) continue;
    const cost = step.costUsd ?? 0;
    for (const { step: one, own } of shares) {
      if (own === 0 || one === step) continue;
      const estimated = [...one.estimated, `cost: a share of what "${step.name}" reports`];
      family.put({ ...one, costUsd: (cost * own) / all, isOwnCost: true, estimated });
    }
    const own = shares[0]?.own ?? 0;
    const costUsd = own > 0 ? (cost * own) / all : tokensOf(step) > 0 ? 0 : undefined;
    family.put({ ...step, costUsd, isOwnCost: own > 0, rest: { ...step.rest, reported_cost_usd: cost } });
  }
  return family.all();
}

function isTotal({ kind, costUsd, isOwnCost }: ImportedStep): boolean {
  return kind !== 'model' && isOwnCost !== true && costUsd !== undefined && costUsd > 0;
}

/** A step below an agent, with the tokens that are its own. */
interface Share {
  readonly step: ImportedStep;
  readonly above: Share | undefined;
  own: number;
  /** Tokens of all that is inside of it. */
  input: number;
  output: number;
  /** True if model calls with tokens are inside of it, and not inside of another agent. */
  hasCalls: boolean;
}

/** Returns a step and all below it, the outer ones first; `undefined` if a step below has a cost. */
function sharesBelow(family: StepFamily, top: ImportedStep): readonly Share[] | undefined {
  const shares: Share[] = [shareOf(top, undefined)];
  const seen = new Set([top.id]);
  for (let place = 0; place < shares.length; place++) {
    const above = shares[place];
    for (const child of above === undefined ? [] : family.childrenOf(above.step.id)) {
      if (seen.has(child.id)) continue;
      seen.add(child.id);
      if (child.costUsd !== undefined) return undefined;
      shares.push(shareOf(child, above));
    }
  }
  for (const share of shares.toReversed()) addUp(share);
  return shares;
}

function shareOf(step: ImportedStep, above: Share | undefined): Share {
  return { step, above, own: 0, input: 0, output: 0, hasCalls: false };
}

/** Finds the own tokens of a step whose inside is known, and adds all to what is around it. */
function addUp(share: Share): void {
  const { step, above } = share;
  const { inputTokens = 0, outputTokens = 0 } = step.usage ?? {};
  const isCounted = step.kind === 'model' || (step.kind === 'agent' && !share.hasCalls);
  let [input, output] = isCounted ? [inputTokens, outputTokens] : [0, 0];
  // What an agent reports has what is inside of it, unless it is less.
  if (step.kind === 'agent' && input >= share.input && output >= share.output) {
    input -= share.input;
    output -= share.output;
  }
  share.own = input + output;
  if (above === undefined) return;
  above.input += share.input + input;
  above.output += share.output + output;
  above.hasCalls ||= step.kind === 'model' ? share.own > 0 : step.kind !== 'agent' && share.hasCalls;
}

function tokensOf({ usage }: ImportedStep): number {
  return usage === undefined ? 0 : usage.inputTokens + usage.outputTokens;
}
