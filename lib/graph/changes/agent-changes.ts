import { shownUrl } from '@/lib/base/called-address';
import { canonicalJson } from '@/lib/base/canonical-json';
import type { Card } from '@/lib/cards/card';
import { findEntry } from '@/lib/cards/project/entry';
import { membersOf } from '@/lib/cards/read/members';
import { type Found, listChange, otherChange, quoted, rankedChange, switchChange } from './capability-change';
import type { AgentPair, Side, Sides } from './project-side';

/** What one agent is and may do besides calling tools. */
export function agentChanges(pair: AgentPair): Found[] {
  const { name, card, before, after } = pair;
  const about = (kind: Found['kind'], field: string) => ({
    kind,
    subject: { agent: name, field },
    at: { agent: name, path: [field] },
  });
  const may = (what: string) => ({
    on: `Agent '${name}' may now ${what}.`,
    off: `Agent '${name}' may no longer ${what}.`,
  });
  return [
    ...existence(name, card.before, card.after),
    ...switchChange(about('shell', 'shell'), before.shell, after.shell, may('run shell commands')),
    ...switchChange(
      about('person', 'human_input'),
      before.humanInput,
      after.humanInput,
      may('ask the person who started the run'),
    ),
    ...switchChange(
      about('worker', 'subagents'),
      before.subagents === true,
      after.subagents === true,
      may('start subagents'),
    ),
    ...switchChange(
      about('tool', 'harness_tools'),
      before.harnessTools,
      after.harnessTools,
      may('use the harness tools'),
    ),
    ...(pair.isKept && !pair.isMoved ? keptChanges(pair) : []),
  ];
}

function existence(name: string, before: Card | undefined, after: Card | undefined): Found[] {
  const about = { kind: 'agent', subject: { agent: name }, at: { agent: name } } as const;
  if (before !== undefined && after !== undefined) {
    const [was, is] = [before, after].map((card) => (card.type === 'a2a' ? shownUrl(card.url) : undefined));
    const isMoved = (was === undefined) !== (is === undefined);
    const where = !isMoved
      ? ''
      : is === undefined
        ? ` It was a remote agent at ${was}.`
        : ` It is a remote agent at ${is}.`;
    return otherChange({ ...about, at: { agent: name, path: ['type'] } }, before.type, after.type, (old, now) => {
      return `The type of '${name}' is now ${now} instead of ${old}.${where}`;
    }).map((found): Found => (isMoved ? { ...found, weight: is === undefined ? 'less' : 'more' } : found));
  }
  const card = after ?? before;
  const remote = card?.type === 'a2a' ? ` It is a remote agent at ${shownUrl(card.url)}.` : '';
  return switchChange(about, before !== undefined, after !== undefined, {
    on: `Agent '${name}' is new.${remote}`,
    off: `Agent '${name}' is gone.${remote.replace(' is ', ' was ')}`,
  });
}

function keptChanges({ name, card, before, after }: AgentPair): Found[] {
  const about = (field: string) => ({
    kind: 'setting' as const,
    subject: { agent: name, field },
    at: { agent: name, path: [field] },
  });
  const text = (value: unknown) => (value === undefined ? undefined : String(value));
  return [
    ...otherChange({ ...about('cwd'), kind: 'shell' }, before.cwd, after.cwd, (old, now) => {
      return `Agent '${name}' now works in the folder '${now ?? '.'}' instead of '${old ?? '.'}'.`;
    }),
    ...switchChange(
      about('use_history'),
      before.useHistory,
      after.useHistory,
      {
        on: `Agent '${name}' now keeps the messages of earlier turns.`,
        off: `Agent '${name}' no longer keeps the messages of earlier turns.`,
      },
      'same-but-different',
    ),
    ...otherChange(
      about('history_source'),
      before.historySource ?? 'none',
      after.historySource ?? 'none',
      (old, now) => {
        return `Children of agent '${name}' now begin with the history '${now}' instead of '${old}'.`;
      },
    ),
    ...otherChange(
      about('history_merge_target'),
      before.historyMergeTarget ?? 'none',
      after.historyMergeTarget ?? 'none',
      (old, now) => {
        return `Histories of children of agent '${name}' now go to '${now}' instead of '${old}'.`;
      },
    ),
    ...switchChange(
      about('tool_only'),
      before.toolOnly,
      after.toolOnly,
      {
        on: `Agent '${name}' now runs only as a tool of others.`,
        off: `Agent '${name}' can now begin runs too.`,
      },
      'less',
    ),
    ...switchChange(
      about('trim_tool_history'),
      before.trimToolHistory,
      after.trimToolHistory,
      {
        on: `Agent '${name}' now forgets the tool calls of earlier turns.`,
        off: `Agent '${name}' no longer forgets the tool calls of earlier turns.`,
      },
      'same-but-different',
    ),
    ...parameterChanges(name, before.requestParams, after.requestParams),
    ...workflowChanges(name, card.before, card.after),
    ...remoteChanges(name, card.before, card.after),
    ...otherChange(
      about('variables'),
      text(before.variables && canonicalJson(before.variables)),
      text(after.variables && canonicalJson(after.variables)),
      () => {
        return `The variables of the card of '${name}' are different.`;
      },
    ).map(({ before: _, after: __, ...found }) => found),
  ];
}

/** Parameters that are limits are told as limits. */
const limitParameters = new Set(['max_iterations', 'max_tokens', 'streaming_timeout']);

function parameterChanges(name: string, before: object, after: object): Found[] {
  const [old, now] = [before, after].map((values) => new Map(Object.entries(values)));
  const shown = (value: unknown) => (value === undefined ? undefined : JSON.stringify(value));
  return [...new Set([...(old?.keys() ?? []), ...(now?.keys() ?? [])])].sort().flatMap((key) => {
    if (limitParameters.has(key)) return [];
    const [was, is] = [old?.get(key), now?.get(key)];
    if (canonicalJson(was ?? null) === canonicalJson(is ?? null)) return [];
    const about = {
      kind: 'model' as const,
      subject: { agent: name, field: `request_params.${key}` },
      at: { agent: name, path: ['request_params', key] },
    };
    const isShort = typeof was !== 'object' && typeof is !== 'object';
    const values = isShort
      ? ` is now ${shown(is) ?? 'its default'} instead of ${shown(was) ?? 'its default'}`
      : ' is different';
    return [
      {
        ...about,
        weight: 'same-but-different' as const,
        sentence: `The request parameter '${key}' of agent '${name}'${values}.`,
      },
    ];
  });
}

const ratings = ['EXCELLENT', 'GOOD', 'FAIR', 'POOR'];

/** How a workflow decides. Its limits are told as limits. */
function workflowChanges(name: string, before: Card | undefined, after: Card | undefined): Found[] {
  if (before === undefined || after === undefined || before.type !== after.type) return [];
  const about = (field: string) => ({
    kind: 'workflow' as const,
    subject: { agent: name, field },
    at: { agent: name, path: [field] },
  });
  const changes = orderChange(name, before, after);
  if (before.type === 'evaluator_optimizer' && after.type === 'evaluator_optimizer') {
    const sentence = `Workflow '${name}' now accepts the rating ${after.minRating} instead of ${before.minRating}.`;
    changes.push(...rankedChange(about('min_rating'), ratings, before.minRating, after.minRating, sentence));
    changes.push(
      ...otherChange(about('evaluator'), before.evaluator, after.evaluator, (old, now) => {
        return `The answers of workflow '${name}' are now rated by agent '${now}' instead of '${old}'.`;
      }),
    );
    if (before.refinementInstruction !== after.refinementInstruction) {
      const words = `The instruction with which workflow '${name}' refines an answer is different.`;
      changes.push({ ...about('refinement_instruction'), weight: 'same-but-different', sentence: words });
    }
  }
  if (before.type === 'MAKER' && after.type === 'MAKER') {
    if (before.k !== after.k) {
      const sentence = `Workflow '${name}' now decides with a lead of ${after.k} instead of ${before.k}.`;
      changes.push({ ...about('k'), weight: after.k < before.k ? 'more' : 'less', sentence });
    }
    changes.push(
      ...otherChange(about('match_strategy'), before.matchStrategy, after.matchStrategy, (old, now) => {
        return `Workflow '${name}' now compares votes by '${now}' instead of '${old}'.`;
      }),
    );
  }
  if (before.type === 'orchestrator' && after.type === 'orchestrator') {
    changes.push(
      ...otherChange(about('plan_type'), before.planType, after.planType, (old, now) => {
        return `Workflow '${name}' now makes plans of type '${now}' instead of '${old}'.`;
      }),
    );
  }
  if (before.type === 'chain' && after.type === 'chain') {
    changes.push(
      ...switchChange(
        about('cumulative'),
        before.cumulative,
        after.cumulative,
        {
          on: `The steps of workflow '${name}' now get all earlier answers.`,
          off: `The steps of workflow '${name}' now get only the answer before.`,
        },
        'same-but-different',
      ),
    );
  }
  if (before.type === 'parallel' && after.type === 'parallel') {
    changes.push(
      ...otherChange(about('fan_in'), before.fanIn ?? 'none', after.fanIn ?? 'none', (old, now) => {
        return `The last step of workflow '${name}' is now '${now}' instead of '${old}'.`;
      }),
      ...switchChange(
        about('include_request'),
        before.includeRequest,
        after.includeRequest,
        {
          on: `The last step of workflow '${name}' now gets the request too.`,
          off: `The last step of workflow '${name}' no longer gets the request.`,
        },
        'same-but-different',
      ),
    );
  }
  return changes;
}

/** Steps of a chain run in their order. Those of other workflows have roles, which have an order too. */
function orderChange(name: string, before: Card, after: Card): Found[] {
  if (!['chain', 'parallel', 'evaluator_optimizer'].includes(after.type)) return [];
  const [old, now] = [membersOf(before), membersOf(after)];
  const isSame = [...new Set(old)].sort().join('\n') === [...new Set(now)].sort().join('\n');
  if (!isSame || old.join('\n') === now.join('\n')) return [];
  const sentence = `The steps of workflow '${name}' are now in the order ${quoted(now)}.`;
  return [{ kind: 'workflow', weight: 'same-but-different', sentence, subject: { agent: name }, at: { agent: name } }];
}

function remoteChanges(name: string, before: Card | undefined, after: Card | undefined): Found[] {
  if (before?.type !== 'a2a' || after?.type !== 'a2a') return [];
  const about = (field: string) => ({
    kind: 'remote agent' as const,
    subject: { agent: name, field },
    at: { agent: name, path: [field] },
  });
  const address = (card: typeof after) =>
    shownUrl(card.url) + (card.relativeCardPath === undefined ? '' : ` (${card.relativeCardPath})`);
  const auth = (card: typeof after) => (card.auth === undefined ? undefined : canonicalJson(card.auth));
  const changed = Object.keys(after.headers).filter(
    (key) => before.headers[key] !== undefined && before.headers[key] !== after.headers[key],
  );
  return [
    ...otherChange(about('url'), address(before), address(after), (old, now) => {
      return `The remote agent '${name}' is now called at ${now} instead of ${old}.`;
    }),
    ...otherChange(about('transport'), before.transport, after.transport, (old, now) => {
      return `The remote agent '${name}' is now called by ${now ?? 'what it offers'} instead of ${old ?? 'what it offers'}.`;
    }),
    ...listChange(about('headers'), Object.keys(before.headers), Object.keys(after.headers), (header, isNew) => {
      return `The remote agent '${name}' ${isNew ? 'now gets' : 'no longer gets'} the header '${header}'.`;
    }),
    ...changed.map((key): Found => {
      return {
        ...about('headers'),
        weight: 'same-but-different',
        sentence: `The value of the header '${key}' of the remote agent '${name}' is different.`,
      };
    }),
    ...otherChange(
      about('auth'),
      auth(before),
      auth(after),
      () => `The sign-in at the remote agent '${name}' is different.`,
    ).map(({ before: _, after: __, ...found }) => found),
    ...listChange(
      about('accepted_output_modes'),
      before.acceptedOutputModes,
      after.acceptedOutputModes,
      (mode, isNew) => {
        return `Answers of the remote agent '${name}' ${isNew ? 'may now' : 'may no longer'} be ${mode}.`;
      },
    ),
  ];
}

/** The agent with which runs begin. A guess is told too, because a new card can change it. */
export function entryChanges({ before, after }: Sides): Found[] {
  const [old, now] = [entryOf(before), entryOf(after)];
  if (old === undefined || now === undefined) return [];
  return otherChange(
    { kind: 'entry', subject: { agent: now, field: 'entry' }, at: { agent: now } },
    old,
    now,
    (from, to) => {
      return `Runs now begin at agent '${to}' instead of '${from}'.`;
    },
  );
}

function entryOf({ parsed }: Side): string | undefined {
  const entry = findEntry(parsed);
  switch (entry.is) {
    case 'named':
      return entry.name;
    case 'card':
    case 'first':
      return entry.card.name;
    case 'unread':
    case 'none':
      return undefined;
  }
}
