import type { ChildRoute } from '@/lib/runtime/delegation/child-route';
import type { Delegation } from '@/lib/runtime/delegation/delegation';
import { projectHistory } from '@/lib/runtime/delegation/project-history';
import type { Instance } from '@/lib/runtime/instance/instance';
import type { InstanceSpec } from '@/lib/runtime/instance/instance-spec';
import type { Message } from '@/lib/runtime/record/messages';

/**
 * Returns the conversation a child begins with when no session provides one. In this order, the first one that is set wins:
 * the delegation's `history`, the source that the parent card's `history_source` names, the `messages` files of the child's
 * card. Messages that a workflow gives its step come after them.
 */
export function initialHistory(instance: Instance, delegation: Delegation): readonly Message[] {
  const history = ownHistory(instance, delegation);
  const { asStep } = delegation.route;
  if (!asStep || asStep.history.length === 0) return history;
  const given = new Set(asStep.history);
  return [...history.filter((message) => !given.has(message)), ...asStep.history];
}

/** Returns the conversation before a call. The request of a workflow is the message of its steps, so it is not before them. */
export function messagesBefore(
  { messages, spec }: Pick<Instance, 'messages' | 'spec'>,
  { asStep }: Pick<ChildRoute, 'asStep'>,
): readonly Message[] {
  return asStep ? spec.history : messages;
}

function ownHistory(instance: Instance, delegation: Delegation): readonly Message[] {
  const { run, plan } = instance;
  const { options, child } = delegation.route;
  if (options.history !== undefined) return delegation.history;
  if (child.type !== 'agent') return [];
  switch (plan.card.historySource) {
    case 'none':
      return [];
    case 'orchestrator':
      return projectHistory(messagesBefore(instance, delegation.route), 'full');
    case 'child': {
      const template = run.templateOf(child);
      // After a crash the child gets the same messages as before, even if the template has grown.
      const begun = run.journal.isStarted(delegation.path);
      return template.slice(0, begun ? (run.journal.historyCount(delegation.path) ?? 0) : undefined);
    }
    case 'messages':
    case undefined:
      return run.planOf(child).initialHistory;
  }
}

/** True if the card of this instance merges the conversations of its children. */
export function mergesHistory({ plan }: Instance): boolean {
  return (plan.card.historyMergeTarget ?? 'none') !== 'none';
}

/** Applies `history_merge_target` of the parent's card to a call that succeeded. Calls of a batch merge in call order. */
export function mergeConversation(
  instance: Instance,
  { step, path, route }: Delegation,
  spec: InstanceSpec,
  messages: readonly Message[],
): void {
  const { run, plan } = instance;
  const target = plan.card.historyMergeTarget ?? 'none';
  if (target === 'none' || run.journal.merges.some((merge) => merge.step === step)) return;
  const { name: agentName } = spec.card;
  run.ports.events.append({ kind: 'history.merged', path, step, target, agentName, messages });
  if (target === 'child' && route.child.type === 'agent') run.templateOf(route.child).push(...messages);
  else instance.merges.push({ step, messages });
}

/** Returns the messages of the children of these calls, in call order, for their parent's history. */
export function mergedMessages(instance: Instance, steps: ReadonlySet<string>): readonly Message[] {
  const recorded = instance.run.journal.merges.filter(
    ({ target, step }) => target === 'orchestrator' && steps.has(step),
  );
  const live = instance.merges.filter(({ step }) => steps.has(step));
  return [...recorded, ...live].flatMap(({ messages }) => messages);
}
