import { foldNoise } from './fold-noise';
import type { ImportedStep } from './imported-step';
import { mergeDoubles } from './merge-doubles';
import { shareCosts } from './share-costs';
import { withSubagents } from './subagents';

/**
 * Prepares the steps of a trace for the log: an agent without a span of its own gets one, the framework's own work is folded into its
 * call or agent, what two instrumentations recorded becomes one step, and a cost that only an agent has is shared among its calls. What took others in lists them in `rest.folded_spans`.
 */
export function arrangeSteps(steps: readonly ImportedStep[]): readonly ImportedStep[] {
  return shareCosts(mergeDoubles(foldNoise(withSubagents(steps))));
}
