import type { Instance } from '@/lib/runtime/instance/instance';
import type { WorkflowDecision } from '@/lib/runtime/record/decision';
import { stepKey } from '@/lib/runtime/record/step-key';

/**
 * Records a decision before it takes effect. A resumed run decides the same from the same recorded answers, and records nothing
 * twice.
 */
export function decide(instance: Instance, decision: WorkflowDecision): void {
  const { run, spec } = instance;
  instance.decisions += 1;
  const step = stepKey(spec.path, 'd', instance.decisions);
  if (run.journal.decisionOf(step)) return;
  run.ports.events.append({ kind: 'workflow.decided', path: spec.path, step, decision });
}
