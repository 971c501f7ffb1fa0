import fc from 'fast-check';
import type { Clock } from '@/lib/base/clock';
import { isRecord, type Json, type JsonObject } from '@/lib/base/json';
import type { ParsedFolder } from '@/lib/cards/parsed-folder';
import type { ModelRequest } from '@/lib/runtime/ports';
import { textOf } from '@/lib/runtime/record/messages';
import { projectOf } from './project-of';
import { type ScriptedModel, scriptedModel, type TestTurn } from './scripted-model';

/** A workflow of workflows, at most three deep, and models that answer by chance but always the same to the same step. */
export interface RandomWorkflow {
  readonly parsed: ParsedFolder;
  /** Makes a new model with the same behaviour, so that another worker can continue a run. */
  model(clock: Clock): ScriptedModel;
}

const types = [
  'chain',
  'parallel',
  'evaluator_optimizer',
  'MAKER',
  'router',
  'orchestrator',
  'iterative_planner',
  'agent',
] as const;

interface Node {
  readonly type: (typeof types)[number];
  readonly flag: boolean;
  readonly count: number;
  readonly members: readonly Node[];
}

const leaf: fc.Arbitrary<Node> = fc.record({
  type: fc.constant('agent' as const),
  flag: fc.constant(false),
  count: fc.constant(1),
  members: fc.constant([]),
});

function nodes(depth: number): fc.Arbitrary<Node> {
  if (depth === 0) return leaf;
  const inner = fc.record({
    type: fc.constantFrom(...types),
    flag: fc.boolean(),
    count: fc.integer({ min: 1, max: 2 }),
    members: fc.array(nodes(depth - 1), { minLength: 1, maxLength: 3 }),
  });
  return depth === 3 ? inner : fc.oneof(leaf, inner);
}

export const randomWorkflows: fc.Arbitrary<RandomWorkflow> = fc
  .record({ root: nodes(3), seed: fc.nat(1_000_000) })
  .map(({ root, seed }) => {
    const cards: Record<string, string> = {};
    addCard(cards, root, 'default: true\n');
    const names = Object.keys(cards);
    return {
      parsed: projectOf(cards, 'limits: {max_depth: 8}'),
      model: (clock) =>
        scriptedModel(
          Object.fromEntries(names.map((name) => [name, (request: ModelRequest) => turnFor(request, seed)])),
          clock,
        ),
    };
  });

/** Adds the card of a node after those of its members. Returns its name. */
function addCard(cards: Record<string, string>, node: Node, more = ''): string {
  const members = node.members.map((member) => addCard(cards, member));
  const name = `n${Object.keys(cards).length}`;
  cards[name] = more + linesOf(node, members);
  return name;
}

function linesOf({ type, flag, count }: Node, members: readonly string[]): string {
  const [first = '', second = first] = members;
  const list = `[${members.join(', ')}]`;
  switch (type) {
    case 'agent':
      return members.length > 0 ? `agents: ${list}` : '';
    case 'chain':
      return `type: chain\nsequence: ${list}\ncumulative: ${flag}`;
    case 'parallel':
      return `type: parallel\nfan_out: ${list}${flag ? `\nfan_in: ${first}` : ''}`;
    case 'evaluator_optimizer':
      return `type: evaluator_optimizer\ngenerator: ${first}\nevaluator: ${second}\nmax_refinements: ${count}`;
    case 'MAKER':
      return `type: MAKER\nworker: ${first}\nk: ${count}\nmax_samples: ${count + 2}\nmatch_strategy: ${flag ? 'exact' : 'normalized'}`;
    case 'router':
      return `type: router\nagents: ${list}`;
    case 'orchestrator':
      return `type: orchestrator\nagents: ${list}\nplan_iterations: ${count}`;
    case 'iterative_planner':
      return `type: iterative_planner\nagents: ${list}\nplan_iterations: ${count}`;
  }
}

/** An agent calls its first child once; then, like every other, it answers something that depends on what it read. */
function turnFor(request: ModelRequest, seed: number): TestTurn {
  const { step, turn, tools, responseFormat, messages } = request;
  const chance = hashOf(`${seed} ${step}`);
  const delayMs = chance % 40;
  const [tool] = tools;
  if (tool && turn === 1 && !responseFormat) {
    return { calls: [{ tool: tool.name, arguments: { text: `from ${step}` } }], delayMs };
  }
  if (chance % 29 === 0) return { error: { code: 'model_failed', message: 'By chance.' }, delayMs };
  if (responseFormat) return { text: JSON.stringify(sampleOf(responseFormat.schema, `${seed} ${step}`)), delayMs };
  const last = messages.at(-1);
  const read = last?.role === 'user' ? textOf(last.content) : '';
  return { text: `answer ${chance % 3} to ${read.length}`, delayMs };
}

/** A value that fits a schema of objects, lists, texts, booleans and choices. */
function sampleOf(schema: JsonObject, key: string): Json {
  const chance = hashOf(key);
  if (Array.isArray(schema.enum)) return schema.enum[chance % schema.enum.length] ?? null;
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  switch (type) {
    case 'object': {
      const properties = isRecord(schema.properties) ? schema.properties : {};
      return Object.fromEntries(
        Object.entries(properties).flatMap(([name, each]) =>
          isSchema(each) ? [[name, sampleOf(each, `${key}.${name}`)]] : [],
        ),
      );
    }
    case 'array': {
      const { items } = schema;
      const length = 1 + (chance % 2);
      return isSchema(items) ? Array.from({ length }, (_, index) => sampleOf(items, `${key}[${index}]`)) : [];
    }
    case 'boolean':
      return chance % 2 === 0;
    case 'number':
    case 'integer':
      return chance % 10;
    default:
      return `text ${chance % 5}`;
  }
}

function isSchema(value: unknown): value is JsonObject {
  return isRecord(value);
}

/** FNV-1a: the same number for the same text, everywhere. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return hash >>> 0;
}
