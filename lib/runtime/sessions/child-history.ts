import type { Delegation } from '@/lib/runtime/delegation/delegation';
import { projectHistory } from '@/lib/runtime/delegation/project-history';
import type { Instance } from '@/lib/runtime/instance/instance';
import type { InstanceSpec } from '@/lib/runtime/instance/instance-spec';
import type { Message } from '@/lib/runtime/record/messages';

/**
 * What a child begins with that no session gives a conversation to: the delegation's own `history`, else what the
 * parent card's `history_source` says, else its own `messages` files.
 */
export function initialHistory(instance: Instance, delegation: Delegation): readonly Message[] {
  const { run, plan } = instance;
  const { options, child } = delegation.route;
  if (options.history !== undefined) return delegation.history;
  if (child.type !== 'agent') return [];
  switch (plan.card.historySource) {
    case 'none':
      return [];
    case 'orchestrator':
      return projectHistory(instance.messages, 'full');
    case 'child': {
      const template = run.templateOf(child);
      // One that goes on after a crash saw no more than it did when it began.
      const begun = run.journal.isStarted(delegation.path);
      return template.slice(0, begun ? (run.journal.historyCount(delegation.path) ?? 0) : undefined);
    }
    case 'messages':
    case undefined:
      return run.planOf(child).initialHistory;
  }
}

/** Whether the card of this instance says that conversations of its children go anywhere. */
export function mergesHistory({ plan }: Instance): boolean {
  return (plan.card.historyMergeTarget ?? 'none') !== 'none';
}

/** `history_merge_target` of the parent's card, for a call that has succeeded. Calls of a batch merge in call order. */
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

/** What the children of these calls said, in the order they were asked, for their parent's history. */
export function mergedMessages(instance: Instance, steps: ReadonlySet<string>): readonly Message[] {
  const recorded = instance.run.journal.merges.filter(
    ({ target, step }) => target === 'orchestrator' && steps.has(step),
  );
  const live = instance.merges.filter(({ step }) => steps.has(step));
  return [...recorded, ...live].flatMap(({ messages }) => messages);
}
