import type { JsonObject } from '@/lib/base/json';
import { oncePer } from '@/lib/base/once-per';
import type { Card } from './card';
import { type DelegationSettings, delegationOptions } from './delegation-settings';

/** What the arguments of a delegation and its answer must fit; undefined: nothing in particular. */
export interface DelegationSchemas {
  readonly input: JsonObject | undefined;
  readonly output: JsonObject | undefined;
}

/**
 * The schemas of the delegation parent → child: the edge's own, else the child card's `tool_input_schema`. A workflow has
 * none of its own: its first step's input schema and its last step's output schema apply, found in the same way, for
 * `delegations.<workflow>.<step>` is an edge like any other.
 *
 *   lead ──▶ flow (chain) ──▶ extract    input:  lead→flow, else flow→extract, else extract's card
 *                        └──▶ report     output: lead→flow, else flow→report
 *
 * A step that is not there, and a circle, have none.
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
 * The schema of a workflow by those of its steps. Workflows may share steps and be chained by the thousand, so each one is
 * looked at once, steps first, on a list in place of the call stack.
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
    // A circle: what is open already has no schema.
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

/** Settings and cards never change once they are read. */
function knownSchemas(settings: DelegationSettings, cards: ReadonlyMap<string, Card>): KnownSchemas {
  const byCards = schemasBySettings.get(settings) ?? new WeakMap<ReadonlyMap<string, Card>, KnownSchemas>();
  schemasBySettings.set(settings, byCards);
  const known = byCards.get(cards) ?? { input: new Map(), output: new Map() };
  byCards.set(cards, known);
  return known;
}

/** Workflows among the steps that decide, and whose own schema is not known. */
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

/** What all steps that have a schema agree on. */
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

/** Which options of the edge workflow → step have an effect: the schemas of its first and last steps, and nothing else. */
export function stepOptions(workflow: Card, step: string): readonly string[] {
  const { first, last } = endsOf(workflow);
  return [...(first.has(step) ? ['input_schema'] : []), ...(last.has(step) ? ['output_schema'] : [])];
}

const endsOf = oncePer((workflow: Card) => ({
  first: new Set(firstSteps(workflow)),
  last: new Set(lastSteps(workflow)),
}));

/** The steps that get what a workflow is given. Branches of a `parallel` all get it, so what they disagree on holds for none. */
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

/** The step whose answer is the workflow's. That of a cumulative chain is made of all of them. */
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
