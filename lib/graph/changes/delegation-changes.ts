import { canonicalJson } from '@/lib/base/canonical-json';
import type { Json } from '@/lib/base/json';
import type { AgentCard, Card } from '@/lib/cards/card';
import { delegationSchemas } from '@/lib/cards/delegation-schemas';
import { type DelegationOptions, delegationOptions } from '@/lib/cards/delegation-settings';
import { membersOf } from '@/lib/cards/read/members';
import { childToolName } from '@/lib/cards/tool-name';
import { type WorkerPolicy, workerPolicy } from '@/lib/cards/worker-policy';
import { type Found, limitChange, listChange, otherChange, switchChange } from './capability-change';
import { type About, dataChanges } from './delegation-data';
import { projectLimit } from './limit-changes';
import { modelWords, resolved } from './model-changes';
import type { AgentPair, Side, Sides } from './project-side';

/** Which agents an agent can run, and how. */
export function delegationChanges(sides: Sides, pair: AgentPair): Found[] {
  const { name, card } = pair;
  const [old, now] = [membersIn(card.before), membersIn(card.after)];
  const isModel = card.after?.type === 'agent' || (card.after === undefined && card.before?.type === 'agent');
  return [
    ...listChange(
      (child) => ({
        kind: 'delegation',
        subject: { agent: name, tool: child },
        at: { agent: name, path: [memberField(card, child)] },
      }),
      old,
      now,
      (child, isNew) =>
        isModel
          ? `Agent '${name}' ${isNew ? 'can now' : 'can no longer'} delegate to agent '${child}'.`
          : `Workflow '${name}' ${isNew ? 'now runs' : 'no longer runs'} agent '${child}'.`,
    ),
    ...edgesOf(sides, pair).flatMap(([child, state]) =>
      state === 'kept' ? edgeChanges(sides, pair, child) : newEdgeChanges(sides, pair, child, state),
    ),
    ...workerChanges(sides, pair),
  ];
}

type EdgeState = 'kept' | 'new' | 'gone';

/** Returns the agents that an agent calls on either side, as children or as workers. */
function edgesOf({ before, after }: Sides, { name, card }: AgentPair): [child: string, state: EdgeState][] {
  const calledIn = (side: Side, one: Card | undefined) => {
    const { callable, tools } = policyIn(side, name, one);
    return new Set([...membersIn(one), ...callable, ...tools]);
  };
  const [was, is] = [calledIn(before, card.before), calledIn(after, card.after)];
  return [...new Set([...is, ...was])].map((child) => [
    child,
    was.has(child) ? (is.has(child) ? 'kept' : 'gone') : 'new',
  ]);
}

function policyIn(side: Side, name: string, card: Card | undefined): WorkerPolicy {
  const agents = card?.type === 'agent' ? card.agents : [];
  return workerPolicy({ name, agents }, card === undefined ? [] : side.cards.keys(), side.parsed.settings);
}

/** A delegation that is new or gone is told as such. What its options gave beyond the usual ones is told too. */
function newEdgeChanges({ before, after }: Sides, pair: AgentPair, child: string, state: 'new' | 'gone'): Found[] {
  const side = state === 'new' ? after : before;
  const settings = { ...side.parsed.settings, delegations: {}, delegation_defaults: {} };
  const plain: Side = { ...side, parsed: { ...side.parsed, settings } };
  const sides = state === 'new' ? { before: plain, after: side } : { before: side, after: plain };
  return edgeChanges(sides, pair, child).filter(({ weight }) => weight === (state === 'new' ? 'more' : 'less'));
}

/** Returns the field of the card, before or after, that names a member. */
function memberField({ before, after }: AgentPair['card'], child: string): string {
  const card = [after, before].find((one) => membersIn(one).includes(child));
  switch (card?.type) {
    case 'chain':
      return 'sequence';
    case 'parallel':
      return card.fanIn === child ? 'fan_in' : 'fan_out';
    case 'evaluator_optimizer':
      return card.generator === child ? 'generator' : 'evaluator';
    case 'MAKER':
      return 'worker';
    default:
      return 'agents';
  }
}

function membersIn(card: Card | undefined): string[] {
  return card === undefined ? [] : membersOf(card).filter((name) => name !== '');
}

function workerChanges({ before, after }: Sides, { name, card }: AgentPair): Found[] {
  const [old, now] = [policyIn(before, name, card.before), policyIn(after, name, card.after)];
  const about = (worker?: string) => ({
    kind: 'worker' as const,
    subject: { agent: name, tool: worker },
    at: { settings: ['toolsets', name] },
  });
  return [
    ...listChange(about, old.callable, now.callable, (worker, isNew) => {
      return `Agent '${name}' ${isNew ? 'may now' : 'may no longer'} call agent '${worker}' by its name.`;
    }),
    ...listChange(about, old.tools, now.tools, (worker, isNew) => {
      return `Agent '${name}' ${isNew ? 'is now' : 'is no longer'} offered agent '${worker}' as a tool.`;
    }),
    ...switchChange(about(), old.mayCreate, now.mayCreate, {
      on: `Agent '${name}' may now create agents during a run.`,
      off: `Agent '${name}' may no longer create agents during a run.`,
    }),
  ];
}

function edgeChanges({ before, after }: Sides, { name, ...pair }: AgentPair, child: string): Found[] {
  const [old, now] = [before, after].map(({ parsed }) => delegationOptions(parsed.settings, name, child));
  if (old === undefined || now === undefined) return [];
  const about = (field: string) => ({
    kind: 'delegation' as const,
    subject: { agent: name, tool: child, field },
    at: { settings: ['delegations', name, child, ...field.split('.')] },
  });
  const edge = `agent '${child}' by agent '${name}'`;
  // Steps of a workflow are no tools.
  const hasTools = [pair.card.before, pair.card.after].some((card) => card?.type === 'agent');
  const toolIn = ({ parsed }: Side, { tool_name }: DelegationOptions) =>
    hasTools ? childToolName(child, parsed.settings.tool_naming, tool_name) : undefined;
  return [
    ...otherChange(about('tool_name'), toolIn(before, old), toolIn(after, now), (from, to) => {
      return `Agent '${name}' now calls agent '${child}' as the tool '${to}' instead of '${from}'.`;
    }),
    ...dataChanges(about, name, child, old, now, {
      before: before.parsed.settings.approvals.attachments,
      after: after.parsed.settings.approvals.attachments,
    }),
    ...schemaChanges(about, { before, after }, name, child),
    ...switchChange(about('inherit_run_hooks'), old.inherit_run_hooks === false, now.inherit_run_hooks === false, {
      on: `Run hooks no longer wrap the tool calls of agent '${child}' when agent '${name}' calls it.`,
      off: `Run hooks now wrap the tool calls of agent '${child}' when agent '${name}' calls it.`,
    }),
    ...switchChange(about('recursive'), old.recursive === true, now.recursive === true, {
      on: `Calls of ${edge} may now be recursive.`,
      off: `Calls of ${edge} may no longer be recursive.`,
    }),
    ...limitChange(
      about('timeout_ms'),
      `The time limit of calls of ${edge}`,
      ...ownOrUsual(old.timeout_ms, now.timeout_ms, timeLimit(before, pair.before), timeLimit(after, pair.after)),
      (ms) => `${ms} ms`,
    ),
    ...limitChange(
      about('max_depth'),
      `The depth limit of calls of ${edge}`,
      ...ownOrUsual(old.max_depth, now.max_depth, projectLimit(before, 'max_depth'), projectLimit(after, 'max_depth')),
    ),
    ...limitChange(
      about('max_attempts'),
      `The limit of attempts of calls of ${edge}`,
      old.max_attempts ?? 1,
      now.max_attempts ?? 1,
    ),
    ...otherChange(
      { ...about('model'), kind: 'model' },
      resolved(before, old.model),
      resolved(after, now.model),
      (from, to) => {
        return modelWords(`The model of calls of ${edge}`, from, to);
      },
    ),
    ...plainOptions.flatMap(([field, words, usual]) =>
      otherChange(about(field), shown(old[field] ?? usual), shown(now[field] ?? usual), (from, to) => {
        return `${words(edge)} is now ${to} instead of ${from}.`;
      }),
    ),
    ...(old.description === now.description
      ? []
      : [
          {
            ...about('description'),
            weight: 'same-but-different' as const,
            sentence: `The description of agent '${child}' for agent '${name}' is different. The model of '${name}' reads it.`,
          },
        ]),
  ];
}

/** The time limit of the children of an agent, where a delegation sets none. */
function timeLimit(side: Side, { childTimeoutSec }: AgentCard): number | undefined {
  return childTimeoutSec === undefined ? projectLimit(side, 'child_timeout_ms') : childTimeoutSec * 1_000;
}

/** Two limits to compare. Where neither side sets one, the usual one is told elsewhere. */
function ownOrUsual(
  was: number | undefined,
  is: number | undefined,
  usualBefore: number | undefined,
  usualAfter: number | undefined,
): [was: number | undefined, is: number | undefined] {
  return was === is ? [was, was] : [was ?? usualBefore, is ?? usualAfter];
}

/** Options that change what happens, but not the power. */
const plainOptions: readonly (readonly [keyof DelegationOptions, words: (edge: string) => string, usual: Json])[] = [
  ['isolation', (edge) => `The isolation of calls of ${edge}`, 'clone'],
  ['session', (edge) => `The session of calls of ${edge}`, 'none'],
  ['input_mode', (edge) => `The input mode of calls of ${edge}`, 'text_json'],
  ['failure_mode', (edge) => `The failure mode of calls of ${edge}`, 'result'],
  ['skip_summarization', (edge) => `Whether the result of ${edge} is the answer`, false],
  ['cache', (edge) => `The cache of calls of ${edge}`, false],
  ['forward_events', (edge) => `What is forwarded of calls of ${edge}`, true],
  ['enable_hitl', (edge) => `Whether questions in calls of ${edge} climb to the caller`, false],
];

function shown(value: unknown): string {
  return typeof value === 'string' ? `'${value}'` : JSON.stringify(value);
}

function schemaChanges(about: About, { before, after }: Sides, name: string, child: string): Found[] {
  const [old, now] = [schemasOf(before, name, child), schemasOf(after, name, child)];
  const edge = `agent '${child}' by agent '${name}'`;
  return (['input', 'output'] as const).flatMap((side): Found[] => {
    const [was, is] = [old[side], now[side]];
    if (was === is) return [];
    const what = side === 'input' ? 'The arguments' : 'The answers';
    const field = `${side}_schema`;
    if (was !== undefined && is !== undefined) {
      return [
        {
          ...about(field),
          weight: 'same-but-different',
          sentence: `${what} of calls of ${edge} are checked against another schema.`,
        },
      ];
    }
    return switchChange(
      about(field),
      was !== undefined,
      is !== undefined,
      {
        on: `${what} of calls of ${edge} are now checked against a schema.`,
        off: `${what} of calls of ${edge} are no longer checked against a schema.`,
      },
      'less',
    );
  });
}

function schemasOf({ parsed, cards }: Side, name: string, child: string) {
  const card = cards.get(child);
  if (card === undefined) return { input: undefined, output: undefined };
  const { input, output } = delegationSchemas(parsed.settings, name, card, cards);
  return { input: input && canonicalJson(input), output: output && canonicalJson(output) };
}
