import type { InstancePath, StepKey } from '@/lib/base/ids';
import type { WorkflowDecision } from './decision';
import type { RunEvent } from './events';

/** What the log says of the decisions of workflows. */
export interface RecordedDecisions {
  decisionOf(step: StepKey): WorkflowDecision | undefined;
  /** The decisions of an instance, in order. */
  decisionsOf(path: InstancePath): readonly WorkflowDecision[];
}

export function readDecisions(log: readonly RunEvent[]): RecordedDecisions {
  const bySteps = new Map<string, WorkflowDecision>();
  const byPaths = new Map<string, WorkflowDecision[]>();
  for (const event of log) {
    if (event.kind !== 'workflow.decided') continue;
    bySteps.set(event.step, event.decision);
    const known = byPaths.get(event.path);
    if (known) known.push(event.decision);
    else byPaths.set(event.path, [event.decision]);
  }
  return { decisionOf: (step) => bySteps.get(step), decisionsOf: (path) => byPaths.get(path) ?? [] };
}
