import { globMatch } from '@/lib/base/fnmatch';
import { own } from '@/lib/base/own';
import type { ApprovalEffect, Approvals } from '@/lib/cards/approval-settings';
import { delegationOptions } from '@/lib/cards/delegation-settings';
import { membersOf } from '@/lib/cards/read/members';
import { type Found, limitChange, quoted, rankedChange, switchChange, type Weight } from './capability-change';
import { both, type Side, type Sides } from './project-side';

/** From the least power to the most. */
const effects: readonly ApprovalEffect[] = ['deny', 'ask', 'allow'];

/** Which calls ask a person, are refused or simply run. docs/approvals.md says which setting counts. */
export function approvalChanges({ before, after }: Sides): Found[] {
  const [old, now] = [before.parsed.settings.approvals, after.parsed.settings.approvals];
  const project = (field: string) => ({
    kind: 'approval' as const,
    subject: { field: `approvals.${field}` },
    at: { settings: ['approvals', field] },
  });
  const modes = {
    ask: 'People are asked again where a call needs an approval.',
    approve_all: 'Calls that need an approval are now approved without asking anybody.',
    reject_all: 'Calls that need an approval are now refused without asking anybody.',
  };
  const mode = now.mode ?? 'ask';
  const isKept = (agent: string) => before.cards.has(agent) && after.cards.has(agent);
  return [
    ...effectChange(project('default'), 'Calls that no rule names', old.default ?? 'allow', now.default ?? 'allow'),
    ...rankedChange(project('mode'), ['reject_all', 'ask', 'approve_all'], old.mode ?? 'ask', mode, modes[mode]),
    ...switchChange(
      project('attachments'),
      old.attachments === 'ask',
      now.attachments === 'ask',
      {
        on: 'A person is now asked for each file that a call hands to an agent.',
        off: 'Nobody is asked any more for files that calls hand to agents.',
      },
      'less',
    ),
    ...both(Object.keys(old.agents ?? {}), Object.keys(now.agents ?? {}))
      .filter(isKept)
      .flatMap((agent) =>
        effectChange(
          { ...project('agents'), subject: { agent }, at: { settings: ['approvals', 'agents', agent] } },
          `Calls of agent '${agent}'`,
          own(old.agents ?? {}, agent) ?? old.default ?? 'allow',
          own(now.agents ?? {}, agent) ?? now.default ?? 'allow',
        ),
      ),
    ...newAgentChanges(before, after),
    ...ruleChanges(old, now),
    ...edgeChanges(before, after),
  ];
}

export function isEffect(word: string | undefined): boolean {
  return effects.some((effect) => effect === word);
}

type About = Parameters<typeof switchChange>[0];

function effectChange(about: About, calls: string, before: ApprovalEffect, after: ApprovalEffect): Found[] {
  if (before === after) return [];
  return [
    {
      ...about,
      weight: approvalWeight(before, after),
      sentence: `${calls} ${effectWords(before, after)}.`,
      before,
      after,
    },
  ];
}

/** The calls of an agent that is new or gone, where they are freer than those that nothing names. */
function newAgentChanges(before: Side, after: Side): Found[] {
  const freer = (side: Side, other: Side) => {
    const { agents = {}, default: usual = 'allow' } = side.parsed.settings.approvals;
    return Object.entries(agents).flatMap(([agent, effect]) =>
      side.cards.has(agent) && !other.cards.has(agent) && approvalWeight(usual, effect) === 'more' && usual !== effect
        ? [{ agent, effect, usual }]
        : [],
    );
  };
  const about = (agent: string) => ({
    kind: 'approval' as const,
    subject: { agent },
    at: { settings: ['approvals', 'agents', agent] },
  });
  return [
    ...freer(after, before).map(({ agent, effect, usual }): Found => {
      const sentence = `Calls of the new agent '${agent}' ${effect === 'allow' ? 'run without an approval' : 'ask for approval'}, where calls of others ${usual === 'ask' ? 'ask for one' : 'are refused'}.`;
      return { ...about(agent), weight: 'more', sentence };
    }),
    ...freer(before, after).map(({ agent, effect }): Found => {
      const sentence = `Agent '${agent}' is gone, whose calls ${effect === 'allow' ? 'ran without an approval' : 'asked for approval'}.`;
      return { ...about(agent), weight: 'less', sentence };
    }),
  ];
}

export function approvalWeight(before: ApprovalEffect, after: ApprovalEffect): Weight {
  return effects.indexOf(after) > effects.indexOf(before) ? 'more' : 'less';
}

export function effectWords(before: ApprovalEffect, after: ApprovalEffect): string {
  switch (after) {
    case 'allow':
      return before === 'ask' ? 'no longer ask for approval' : 'are no longer refused';
    case 'ask':
      return before === 'deny' ? 'now ask for approval instead of being refused' : 'now ask for approval';
    case 'deny':
      return before === 'ask' ? 'are now refused instead of asking for approval' : 'are now refused';
  }
}

interface RuleKey {
  readonly tool: string;
  readonly agent: string | undefined;
}

/** Compares what the rules say of each text in `tools`, for each agent that a rule names. */
function ruleChanges(before: Approvals, after: Approvals): Found[] {
  const keys = new Map(
    [...keysOf(before), ...keysOf(after)].map((key) => [JSON.stringify([key.tool, key.agent ?? null]), key]),
  );
  return [...keys.values()].flatMap((key) => {
    const [old, now] = [rulesFor(before, key), rulesFor(after, key)];
    const about = {
      kind: 'approval' as const,
      subject: { tool: key.tool, agent: key.agent },
      at: { settings: ['approvals', 'rules'] },
    };
    const calls = `Calls of '${key.tool}'${callersOf(key, [...keys.values()])}`;
    const [was, is] = [effectOf(before, key), effectOf(after, key)];
    // A default that changed is told once, and not for each text.
    if (
      (strongest(old) === undefined && strongest(now) === undefined) ||
      (was !== is && strongest(old) === strongest(now))
    )
      return [];
    if (was !== is) return effectChange(about, calls, was, is);
    return was === 'ask' ? askChanges(about, calls, old, now) : [];
  });
}

/** Agents that a rule of the same text names have sentences of their own. */
function callersOf({ tool, agent }: RuleKey, keys: readonly RuleKey[]): string {
  if (agent !== undefined) return ` by agent '${agent}'`;
  const named = keys.flatMap((key) => (key.tool === tool && key.agent !== undefined ? [key.agent] : []));
  return named.length === 0 ? '' : ` by agents other than ${quoted(named)}`;
}

type Rule = NonNullable<Approvals['rules']>[number];

function keysOf({ rules = [] }: Approvals): RuleKey[] {
  return rules.flatMap(({ tools, agents }) =>
    tools.flatMap((tool) => (agents ?? [undefined]).map((agent): RuleKey => ({ tool, agent }))),
  );
}

function rulesFor({ rules = [] }: Approvals, { tool, agent }: RuleKey): Rule[] {
  return rules.filter(
    ({ tools, agents }) =>
      (agents === undefined || (agent !== undefined && agents.includes(agent))) &&
      tools.some((pattern) => pattern === tool || globMatch(pattern, tool)),
  );
}

function strongest(rules: readonly Rule[]): ApprovalEffect | undefined {
  return effects.find((effect) => rules.some((rule) => rule.effect === effect));
}

function effectOf(policy: Approvals, key: RuleKey): ApprovalEffect {
  const agent = key.agent === undefined ? undefined : own(policy.agents ?? {}, key.agent);
  const tool = strongest(rulesFor(policy, key));
  if (tool === 'deny' || agent === 'deny') return 'deny';
  return tool ?? agent ?? policy.default ?? 'allow';
}

/** Compares what a question allows. The strictest of the rules that ask counts. */
function askChanges(about: About, calls: string, before: readonly Rule[], after: readonly Rule[]): Found[] {
  const asking = (rules: readonly Rule[]) => rules.filter(({ effect }) => effect === 'ask');
  const [old, now] = [asking(before), asking(after)];
  const edits = (rules: readonly Rule[]) => rules.every(({ edit }) => edit !== false);
  const fails = (rules: readonly Rule[]) => rules.some(({ on_denied }) => on_denied === 'fail');
  const ends = (rules: readonly Rule[]) => rules.some(({ at_limit }) => at_limit === 'fail');
  const limitOf = (rules: readonly Rule[]) => {
    const limits = rules.flatMap(({ limit_s }) => limit_s ?? []);
    return limits.length === 0 ? undefined : Math.min(...limits);
  };
  return [
    ...switchChange(about, edits(old), edits(now), {
      on: `People may now change the arguments of calls when they approve. It concerns: ${calls}.`,
      off: `People may no longer change the arguments of calls when they approve. It concerns: ${calls}.`,
    }),
    ...switchChange(
      about,
      fails(old),
      fails(now),
      {
        on: `${calls} that are denied now end the turn of the agent.`,
        off: `${calls} that are denied no longer end the turn of the agent.`,
      },
      'less',
    ),
    ...switchChange(
      about,
      ends(old),
      ends(now),
      {
        on: `${calls} that nobody answers in time now end the turn of the agent.`,
        off: `${calls} that nobody answers in time no longer end the turn of the agent.`,
      },
      'less',
    ),
    ...limitChange(
      about,
      `The time to approve calls (${calls})`,
      limitOf(old),
      limitOf(now),
      (seconds) => `${seconds} s`,
    ),
  ];
}

function edgeChanges(before: Side, after: Side): Found[] {
  const edges = ({ parsed }: Side) =>
    Object.entries(parsed.settings.delegations).flatMap(([parent, children]) =>
      Object.keys(children).map((child) => JSON.stringify([parent, child])),
    );
  return both(edges(before), edges(after)).flatMap((key): Found[] => {
    const [parent = '', child = ''] = namesIn(key);
    const [old, now] = [before, after].map(({ parsed }) => delegationOptions(parsed.settings, parent, child).approval);
    const about = {
      kind: 'approval' as const,
      subject: { agent: parent, tool: child },
      at: { settings: ['delegations', parent, child, 'approval'] },
    };
    const fallback = (side: Side) =>
      own(side.parsed.settings.approvals.agents ?? {}, parent) ?? side.parsed.settings.approvals.default ?? 'allow';
    const [was, is] = [before, after].map((side) => hasChild(side, parent, child));
    // A delegation that is new or gone is told as such, and here if it asks less than the other calls of its agent.
    if (was !== is) {
      const [option, usual] = is === true ? [now, fallback(after)] : [old, fallback(before)];
      if (option === undefined || option === usual || approvalWeight(usual, option) !== 'more') return [];
      const calls = `Calls of agent '${child}' by agent '${parent}'`;
      const sentence =
        is === true
          ? `${calls} ${option === 'allow' ? 'run without an approval' : 'ask for approval'}, where its other calls ${usual === 'ask' ? 'ask for one' : 'are refused'}.`
          : `${calls}, which ${option === 'allow' ? 'ran without an approval' : 'asked for approval'}, are gone.`;
      return [{ ...about, weight: is === true ? 'more' : 'less', sentence }];
    }
    if (old === now || was !== true) return [];
    return effectChange(
      about,
      `Calls of agent '${child}' by agent '${parent}'`,
      old ?? fallback(before),
      now ?? fallback(after),
    );
  });
}

function hasChild({ cards }: Side, parent: string, child: string): boolean {
  const card = cards.get(parent);
  return card !== undefined && membersOf(card).includes(child);
}

function namesIn(key: string): string[] {
  const names: unknown = JSON.parse(key);
  return Array.isArray(names) ? names.map(String) : [];
}
