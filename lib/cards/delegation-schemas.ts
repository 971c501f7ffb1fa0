import type { JsonObject } from '@/lib/base/json';
import { oncePer } from '@/lib/base/once-per';
import type { Card } from './card';
import { type DelegationOptions, type DelegationSettings, delegationOptions } from './delegation-settings';

/** The schemas of the arguments and the answer of a delegation; `undefined` means no schema. */
export interface DelegationSchemas {
  readonly input: JsonObject | undefined;
  readonly output: JsonObject | undefined;
}

/**
 * Returns the schemas of the delegation parent → child: those of the edge, otherwise the `tool_input_schema` of the child
 * card. A workflow has the input schema of its first step and the output schema of its last step. They are found in the
 * same way, because `delegations.<workflow>.<step>` is an edge too.
 *
 *   lead ──▶ flow (chain) ──▶ extract    input:  lead→flow, else flow→extract, else extract's card
 *                        └──▶ report     output: lead→flow, else flow→report
 *
 * A missing step and a cycle have no schema.
 */
export function delegationSchemas(
  settings: DelegationSettings,
  parent: string,
  child: Card,
  cards: ReadonlyMap<string, Card>,
): DelegationSchemas {
  return {
    input: edgeSchema('input', settings, parent, child, cards),
    output: edgeSchema('output', settings, parent, child, cards),
  };
}

type Side = 'input' | 'output';

function edgeSchema(
  side: Side,
  settings: DelegationSettings,
  parent: string,
  child: Card,
  cards: ReadonlyMap<string, Card>,
): JsonObject | undefined {
  const own = delegationOptions(settings, parent, child.name)[`${side}_schema`];
  if (own) return own;
  return child.type === 'agent' ? ownSchema(side, child) : workflowSchema(side, settings, child, cards);
}

function ownSchema(side: Side, card: Card): JsonObject | undefined {
  return side === 'input' && card.type === 'agent' ? card.toolInputSchema : undefined;
}

/**
 * Returns the schema of a workflow, from those of its steps. Workflows may share steps and be nested thousands deep, so
 * each one is visited once, after its steps, with an explicit stack.
 */
function workflowSchema(
  side: Side,
  settings: DelegationSettings,
  workflow: Card,
  cards: ReadonlyMap<string, Card>,
): JsonObject | undefined {
  const known = knownSchemas(settings, cards)[side];
  const open = new Set<Card>();
  const waiting = [workflow];
  for (let card = waiting.at(-1); card !== undefined; card = waiting.at(-1)) {
    const below = known.has(card) || open.has(card) ? [] : unknownSteps(side, settings, card, cards, known);
    open.add(card);
    // A workflow that is being visited already is part of a cycle and has no schema.
    const fresh = below.filter((step) => !open.has(step));
    waiting.push(...fresh);
    if (fresh.length > 0) continue;
    waiting.pop();
    if (!known.has(card)) known.set(card, commonSchema(side, settings, card, cards, known));
  }
  return known.get(workflow);
}

interface KnownSchemas {
  readonly input: Map<Card, JsonObject | undefined>;
  readonly output: Map<Card, JsonObject | undefined>;
}

const schemasBySettings = new WeakMap<DelegationSettings, WeakMap<ReadonlyMap<string, Card>, KnownSchemas>>();

/** The results are cached by settings and cards, which are immutable. */
function knownSchemas(settings: DelegationSettings, cards: ReadonlyMap<string, Card>): KnownSchemas {
  const byCards = schemasBySettings.get(settings) ?? new WeakMap<ReadonlyMap<string, Card>, KnownSchemas>();
  schemasBySettings.set(settings, byCards);
  const known = byCards.get(cards) ?? { input: new Map(), output: new Map() };
  byCards.set(cards, known);
  return known;
}

/** Returns the workflows among the relevant steps whose schema is not known yet. */
function unknownSteps(
  side: Side,
  settings: DelegationSettings,
  workflow: Card,
  cards: ReadonlyMap<string, Card>,
  known: ReadonlyMap<Card, JsonObject | undefined>,
): Card[] {
  return [...new Set(stepsOf(side, workflow))].flatMap((name) => {
    const step = cards.get(name);
    if (step === undefined || step.type === 'agent' || known.has(step)) return [];
    return delegationOptions(settings, workflow.name, name)[`${side}_schema`] ? [] : [step];
  });
}

/** Returns the schema of the steps, if all that have one agree. */
function commonSchema(
  side: Side,
  settings: DelegationSettings,
  workflow: Card,
  cards: ReadonlyMap<string, Card>,
  known: ReadonlyMap<Card, JsonObject | undefined>,
): JsonObject | undefined {
  const schemas = new Map<string, JsonObject>();
  for (const name of new Set(stepsOf(side, workflow))) {
    const step = cards.get(name);
    if (step === undefined) continue;
    const edge = delegationOptions(settings, workflow.name, name)[`${side}_schema`];
    const schema = edge ?? (step.type === 'agent' ? ownSchema(side, step) : known.get(step));
    if (schema) schemas.set(schemaText(schema), schema);
  }
  return schemas.size === 1 ? [...schemas.values()][0] : undefined;
}

const schemaText = oncePer((schema: JsonObject) => JSON.stringify(schema));

function stepsOf(side: Side, workflow: Card): readonly string[] {
  return side === 'input' ? firstSteps(workflow) : lastSteps(workflow);
}

/**
 * Returns the options of the edge workflow → step that have an effect. A step gets its message as it is and its answer is
 * read by no model, so options about these do nothing. The schema of a first step is that of the workflow. A description is
 * for a model that chooses among the steps.
 */
export function stepOptions(workflow: Card, step: string): readonly string[] {
  const isFirst = firstOf(workflow).has(step);
  const isChosen = ['router', 'orchestrator', 'iterative_planner'].includes(workflow.type);
  return [...stepOptionNames, ...(isFirst ? ['input_schema'] : []), ...(isChosen ? ['description'] : [])];
}

const stepOptionNames = [
  'tool_name',
  'output_schema',
  'model',
  'max_depth',
  'timeout_ms',
  'max_attempts',
  'cache',
  'history',
  'state',
  'artifacts',
  'forward_events',
  'inherit_run_hooks',
  'enable_hitl',
  'session',
  'isolation',
  'approval',
] satisfies (keyof DelegationOptions)[];

const firstOf = oncePer((workflow: Card) => new Set(firstSteps(workflow)));

/** Returns the steps that get the input of a workflow. All branches of a `parallel` get it. */
function firstSteps(card: Card): readonly string[] {
  switch (card.type) {
    case 'chain':
      return card.sequence.slice(0, 1);
    case 'parallel':
      return card.fanOut;
    case 'evaluator_optimizer':
      return [card.generator];
    case 'MAKER':
      return [card.worker];
    default:
      return [];
  }
}

/** Returns the step whose answer is the answer of the workflow. A cumulative chain joins all answers, so it has none. */
function lastSteps(card: Card): readonly string[] {
  switch (card.type) {
    case 'chain':
      return card.cumulative ? [] : card.sequence.slice(-1);
    case 'parallel':
      return card.fanIn === undefined ? [] : [card.fanIn];
    case 'evaluator_optimizer':
      return [card.generator];
    case 'MAKER':
      return [card.worker];
    default:
      return [];
  }
}
