import { forwardedMark } from './forwarding';
import type { InstanceSpec } from './instance-spec';
import type { Run } from './run';

/** Records that an instance waits to start. An instance that will be refused is recorded too. */
export function queueInstance(run: Run, spec: InstanceSpec): void {
  if (run.journal.isQueued(spec.path)) return;
  run.ports.events.append({
    kind: 'instance.queued',
    path: spec.path,
    agentName: spec.card.name,
    instanceName: spec.name,
    parent: spec.parent?.path,
    correlationId: spec.correlationId,
    parentCorrelationId: spec.parent?.correlationId,
    callId: spec.parent?.callId,
    parentStep: spec.parent?.step,
    depth: spec.depth,
    attempt: spec.attempt > 1 ? spec.attempt : undefined,
    forwarded: forwardedMark(spec.forward),
  });
}
