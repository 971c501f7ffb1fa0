import type { JsonObject } from '@/lib/base/json';
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
    input: schemaOf('input', parent, child, []),
    output: schemaOf('output', parent, child, []),
  };

  function schemaOf(
    side: 'input' | 'output',
    parent: string,
    child: Card,
    above: readonly string[],
  ): JsonObject | undefined {
    const own = delegationOptions(settings, parent, child.name)[`${side}_schema`];
    if (own) return own;
    if (child.type === 'agent') return side === 'input' ? child.toolInputSchema : undefined;
    if (above.includes(child.name)) return undefined;
    const steps = side === 'input' ? firstSteps(child) : lastSteps(child);
    const schemas = new Map<string, JsonObject>();
    for (const name of steps) {
      const step = cards.get(name);
      const schema = step && schemaOf(side, child.name, step, [...above, child.name]);
      if (schema) schemas.set(JSON.stringify(schema), schema);
    }
    return schemas.size === 1 ? [...schemas.values()][0] : undefined;
  }
}

/** Which options of the edge workflow → step have an effect: the schemas of its first and last steps, and nothing else. */
export function stepOptions(workflow: Card, step: string): readonly string[] {
  return [
    ...(firstSteps(workflow).includes(step) ? ['input_schema'] : []),
    ...(lastSteps(workflow).includes(step) ? ['output_schema'] : []),
  ];
}

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
