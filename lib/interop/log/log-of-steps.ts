import type { RunEvent } from '@/lib/runtime/record/events';
import { eventsOfTree } from './events-of-tree';
import type { ImportedRunFacts } from './imported-run-facts';
import type { ImportedStep } from './imported-step';
import { placeSteps } from './place-steps';
import { rootOf } from './root-of-steps';
import { wholeLog } from './whole-log';

/**
 * Makes the events of a run from the steps of a foreign trace, in the order of time. The same steps always give the same
 * events. Every step is in the log, whatever its kind, and its unmapped attributes are on its first event.
 *
 *   steps ──placeSteps──▶ tree ──rootOf──▶ one instance at the top ──eventsOfTree──▶ events ──wholeLog──▶ log of a run
 */
export function logOfSteps(steps: readonly ImportedStep[], facts: ImportedRunFacts): readonly RunEvent[] {
  const tops = steps.length === 0 ? [] : placeSteps(steps);
  const root = rootOf(tops, facts.name);
  return wholeLog(root, eventsOfTree(root, facts.correlationId), facts, tops);
}
