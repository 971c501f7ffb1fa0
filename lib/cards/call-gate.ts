import { globMatch } from '@/lib/base/fnmatch';
import { oncePer } from '@/lib/base/once-per';
import type { PendingLimit, PendingQuestion } from '@/lib/base/pending';
import type { ApprovalEffect, ApprovalRule, Approvals } from './approval-settings';
import type { DelegationOptions } from './delegation-settings';
import type { Settings } from './settings';

/**
 * Decides what happens to a call before its tool runs. There is no other place that decides it, whatever the tool's source
 * (docs/approvals.md has the table).
 *
 *   tool      rules that name it, and the delegation's own setting   ┐ a level that says something hides those below it,
 *   agent     approvals.agents of the calling agent                  │ but deny on the levels of tool and agent always counts;
 *   project   approvals.default, for calls that nothing names        ┘ within a level: deny before ask before allow
 */
export interface GateCall {
  /** Every name of the tool: the one that the model sees, and `worker_call` for an agent that is called through it. */
  readonly tools: readonly string[];
  /** The calling agent, and the agent that created it. A created agent is not freer than its creator. */
  readonly callers: readonly string[];
  /** What the delegation says, with the path of the setting. */
  readonly edge?: { readonly effect: ApprovalEffect; readonly rule: string } | undefined;
  /** True for a built-in tool that reaches nothing outside the run. Only rules that name it count. */
  readonly isInternal: boolean;
}

export interface GateDecision {
  readonly effect: ApprovalEffect;
  /** The setting that decided. `undefined` if nothing is set. */
  readonly why: PendingQuestion['why'];
  /** True if a person may change the arguments. */
  readonly editable: boolean;
  /** With `fail` a denial ends the turn of the agent that made the call. */
  readonly onDenied: 'result' | 'fail';
  readonly limit: { readonly seconds: number; readonly outcome: PendingLimit['outcome'] } | undefined;
}

interface Vote {
  readonly effect: ApprovalEffect;
  readonly why: NonNullable<PendingQuestion['why']>;
  readonly rule?: ApprovalRule;
}

/** Built-in tools that reach something outside the run. The others count as internal. */
export const reachingOut: readonly string[] = ['execute', 'worker_create'];

export function decide(policy: Approvals, call: GateCall): GateDecision {
  const tool = toolVotes(policy, call);
  const agent = call.isInternal ? [] : agentVotes(policy, call);
  const project = call.isInternal ? [] : projectVotes(policy);
  const denied = [...tool, ...agent].filter(({ effect }) => effect === 'deny');
  if (denied.length > 0) return decisionOf('deny', denied);
  const level = [tool, agent, project].find((votes) => votes.length > 0) ?? [];
  const effect = strongest(level);
  return decisionOf(
    effect,
    level.filter((vote) => vote.effect === effect),
  );
}

/** Decides whether a person is asked for each file of a call. The delegation's setting counts before the project's. */
export function decideAttachments(
  policy: Approvals,
  options: Pick<DelegationOptions, 'attachments'>,
  edge: string,
): { readonly effect: 'allow' | 'ask'; readonly why: PendingQuestion['why'] } {
  const own = options.attachments?.approval;
  if (own !== undefined) return { effect: own, why: { rule: `${edge}.attachments.approval`, level: 'tool' } };
  const { attachments: effect = 'allow' } = policy;
  return { effect, why: { rule: 'approvals.attachments', level: 'project' } };
}

/** True if no call of a project can ask or be denied. Such a project runs without a gate. */
export const isOpen = oncePer(({ approvals, delegations, delegation_defaults }: Settings): boolean => {
  const isAllowed = (effect: ApprovalEffect | undefined) => effect === undefined || effect === 'allow';
  const edges = [delegation_defaults, ...Object.values(delegations).flatMap((children) => Object.values(children))];
  return (
    isAllowed(approvals.default) &&
    isAllowed(approvals.attachments) &&
    Object.values(approvals.agents ?? {}).every(isAllowed) &&
    (approvals.rules ?? []).every(({ effect }) => effect === 'allow') &&
    edges.every((edge: DelegationOptions) => isAllowed(edge.approval) && isAllowed(edge.attachments?.approval))
  );
});

function toolVotes({ rules = [] }: Approvals, { tools, callers, edge }: GateCall): readonly Vote[] {
  const votes = rules.flatMap((rule, index): readonly Vote[] => {
    if (rule.agents && !rule.agents.some((agent) => callers.includes(agent))) return [];
    const pattern = rule.tools.find((wanted) => tools.some((name) => globMatch(wanted, name)));
    if (pattern === undefined) return [];
    return [{ effect: rule.effect, why: { rule: `approvals.rules.${index}: ${pattern}`, level: 'tool' }, rule }];
  });
  return edge ? [...votes, { effect: edge.effect, why: { rule: edge.rule, level: 'tool' } }] : votes;
}

function agentVotes({ agents = {} }: Approvals, { callers }: GateCall): readonly Vote[] {
  return callers.flatMap((name): readonly Vote[] => {
    const effect = Object.hasOwn(agents, name) ? agents[name] : undefined;
    return effect === undefined ? [] : [{ effect, why: { rule: `approvals.agents.${name}`, level: 'agent' } }];
  });
}

function projectVotes({ default: effect }: Approvals): readonly Vote[] {
  return effect === undefined ? [] : [{ effect, why: { rule: 'approvals.default', level: 'project' } }];
}

function strongest(votes: readonly Vote[]): ApprovalEffect {
  const has = (effect: ApprovalEffect) => votes.some((vote) => vote.effect === effect);
  return has('deny') ? 'deny' : has('ask') ? 'ask' : 'allow';
}

/** Several settings may say the same. The strictest of what they add counts: no change, a failure, the shortest limit. */
function decisionOf(effect: ApprovalEffect, votes: readonly Vote[]): GateDecision {
  const rules = votes.flatMap(({ rule }) => rule ?? []);
  const limits = rules.flatMap(({ limit_s, at_limit = 'deny' as const }) =>
    limit_s === undefined ? [] : [{ seconds: limit_s, outcome: at_limit }],
  );
  const [shortest] = limits.sort(
    (a, b) => a.seconds - b.seconds || Number(b.outcome === 'fail') - Number(a.outcome === 'fail'),
  );
  return {
    effect,
    why: votes[0]?.why,
    editable: effect === 'ask' && rules.every(({ edit }) => edit !== false),
    onDenied: rules.some(({ on_denied }) => on_denied === 'fail') ? 'fail' : 'result',
    limit: effect === 'ask' ? shortest : undefined,
  };
}
