import { describe, expect, it } from 'vitest';
import type { JsonObject } from '@/lib/base/json';
import type { DelegationOptions } from '@/lib/cards/delegation-settings';
import { folderOf } from '@/lib/cards/files';
import type { ParsedFolder } from '@/lib/cards/parsed-folder';
import { readFolder } from '@/lib/cards/project/read-folder';
import { childRoute } from '@/lib/runtime/delegation/child-route';
import { textOf } from '@/lib/runtime/record/messages';
import { cardsByName } from '@/lib/runtime/request/validate';
import { buildSurface } from '@/lib/runtime/surface/surface';
import { agentCard } from '@/lib/testing/graph-of';
import { runGraph } from '@/lib/testing/run-graph';
import { scriptedModel } from '@/lib/testing/scripted-model';
import { answerResult } from './child-result';

const schema = (name: string): JsonObject => ({
  type: 'object',
  properties: { [name]: { type: 'string' } },
  required: [name],
});

/** Cards by name with their front matter; `lead` delegates to `flow`. Steps `a` and `b` are agents with a schema each. */
function project(cards: Readonly<Record<string, string>>, settings = ''): ParsedFolder {
  const agents = {
    lead: 'default: true\nmodel: playback\nagents: [flow]',
    a: `tool_input_schema: ${JSON.stringify(schema('from_a'))}`,
    b: `tool_input_schema: ${JSON.stringify(schema('from_b'))}`,
    plain: '',
  };
  const texts = Object.entries({ ...agents, ...cards }).map(([name, lines]) => [
    `agent-cards/${name}.md`,
    `---\nname: ${name}\n${lines}\n---\n`,
  ]);
  return readFolder(folderOf({ ...Object.fromEntries(texts), 'callboard.yaml': `version: 1\n${settings}\n` }));
}

function surfaceOf(parsed: ParsedFolder) {
  const card = cardsByName(parsed).get('lead');
  if (card?.type !== 'agent') throw new Error('no lead');
  const { settings } = parsed;
  return buildSurface({ card, cards: cardsByName(parsed), settings, listed: {} });
}

/** What the delegation lead → flow declares and checks. */
function declared(cards: Readonly<Record<string, string>>, settings = '') {
  const surface = surfaceOf(project(cards, settings));
  const route = surface.routes.get('agent__flow');
  if (route?.kind !== 'child') throw new Error('flow is not offered');
  const { inputMode, outputSchema, tool } = route;
  return { inputMode, parameters: tool.inputSchema, outputSchema };
}

const answers = (parent: string, step: string, name: string) =>
  `delegations: {${parent}: {${step}: {output_schema: ${JSON.stringify(schema(name))}}}}`;

const textJson = { inputMode: 'text_json', parameters: { additionalProperties: true }, outputSchema: undefined };

describe('a workflow as a child', () => {
  it.each([
    ['chain', 'type: chain\nsequence: [a, plain, b]', 'b'],
    ['parallel', 'type: parallel\nfan_out: [a, plain]\nfan_in: b', 'b'],
    ['evaluator_optimizer', 'type: evaluator_optimizer\ngenerator: a\nevaluator: b', 'a'],
    ['MAKER', 'type: MAKER\nworker: a', 'a'],
  ])('%s: the first step’s input schema, the last step’s output schema', (_, flow, last) => {
    expect(declared({ flow }, answers('flow', last, 'out'))).toEqual({
      inputMode: 'schema',
      parameters: schema('from_a'),
      outputSchema: schema('out'),
    });
  });

  it.each([
    ['router', 'type: router\nagents: [a]'],
    ['orchestrator', 'type: orchestrator\nagents: [a]'],
    ['iterative_planner', 'type: iterative_planner\nagents: [a]'],
    ['a2a', 'type: a2a\nurl: http://localhost/'],
    ['an empty chain', 'type: chain\nsequence: []'],
    ['steps that are not there', 'type: chain\nsequence: [gone, nowhere]'],
    ['a circle', 'type: chain\nsequence: [flow]'],
  ])('%s falls back to the input mode', (_, flow) => {
    expect(declared({ flow }, answers('flow', 'a', 'out'))).toMatchObject(textJson);
    expect(declared({ flow }, 'delegation_defaults: {input_mode: request}').parameters).toMatchObject({
      required: ['request'],
    });
  });

  it('workflows in workflows, to any depth and not in a cycle', () => {
    const cards = {
      flow: 'type: chain\nsequence: [inner, last]',
      inner: 'type: parallel\nfan_out: [deep]',
      deep: 'type: chain\nsequence: [a]',
      last: 'type: chain\nsequence: [plain, b]',
    };
    expect(declared(cards, answers('last', 'b', 'out'))).toEqual({
      inputMode: 'schema',
      parameters: schema('from_a'),
      outputSchema: schema('out'),
    });
    const circle = { flow: 'type: chain\nsequence: [inner]', inner: 'type: chain\nsequence: [flow]' };
    expect(declared(circle)).toMatchObject(textJson);
  });

  it('an edge’s own schemas come first, at every step', () => {
    const flow = 'type: chain\nsequence: [a, b]';
    const first = `delegations:\n  flow:\n    a: {input_schema: ${JSON.stringify(schema('of_step'))}}\n`;
    expect(declared({ flow }, first).parameters).toEqual(schema('of_step'));
    const whole = `  lead:\n    flow: {input_schema: ${JSON.stringify(schema('of_edge'))}, output_schema: ${JSON.stringify(schema('out'))}}`;
    expect(declared({ flow }, first + whole)).toEqual({
      inputMode: 'schema',
      parameters: schema('of_edge'),
      outputSchema: schema('out'),
    });
  });

  it('branches with different schemas, and an answer of all steps together, have no schema', () => {
    expect(declared({ flow: 'type: parallel\nfan_out: [a, b]' })).toMatchObject(textJson);
    const cumulative = 'type: chain\nsequence: [plain, b]\ncumulative: true';
    expect(declared({ flow: cumulative }, answers('flow', 'b', 'out'))).toMatchObject(textJson);
  });

  it('an agent that delegates is no workflow: its children’s schemas are not its own', () => {
    expect(declared({ flow: 'agents: [a]' })).toMatchObject(textJson);
  });

  it('an answer is checked against the last step’s schema', () => {
    const parsed = project({ flow: 'type: chain\nsequence: [a, b]' }, answers('flow', 'b', 'out'));
    const cards = cardsByName(parsed);
    const flow = cards.get('flow');
    if (!flow) throw new Error('no flow');
    const spec = childRoute(agentCard('lead'), flow, parsed.settings, cards);
    expect(answerResult({ card: flow, outputSchema: spec.outputSchema }, '{"out": "x"}')).toMatchObject({
      isError: false,
      structuredContent: { out: 'x' },
    });
    expect(answerResult({ card: flow, outputSchema: spec.outputSchema }, '{"out": 1}')).toMatchObject({
      isError: true,
      errorCode: 'OUTPUT_VALIDATION',
    });
  });

  it('a call is checked before the workflow begins, and the parent continues', async () => {
    const parsed = project({ flow: 'type: chain\nsequence: [a, b]' }, 'delegation_defaults: {max_attempts: 3}');
    const calls = [{ from_a: 'x' }, { from_b: 'x' }, 'no object'].map((args) => ({
      tool: 'agent__flow',
      arguments: args,
    }));
    const scripts = { lead: [{ calls }, 'end'], a: 'of a', b: 'of b' };
    const model = scriptedModel(scripts);
    const { outcome, sink, log } = await runGraph({ parsed, model });
    expect(outcome).toMatchObject({ status: 'completed', answer: 'end' });
    const results = sink.of('tool.ended').filter(({ path }) => path === 'lead');
    expect(
      Object.fromEntries(results.map(({ step, result }) => [step, [result.errorCode, textOf(result.content)]])),
    ).toEqual({
      'lead#t1': [undefined, 'of b'],
      'lead#t2': [
        'INPUT_VALIDATION',
        "Error: The arguments of 'agent__flow' are not valid: arguments must have required property 'from_a'; arguments must NOT have additional properties 'from_b'.",
      ],
      'lead#t3': [
        'INPUT_VALIDATION',
        "Error: The arguments of 'agent__flow' are not a JSON object. Send one that fits the tool's parameters.",
      ],
    });
    expect(model.requests.map(({ agentName }) => agentName)).toEqual(['lead', 'a', 'b', 'lead']);
    expect(sink.of('log')).toEqual([]);
    const lastModelCall = log.findLastIndex(({ kind }) => kind === 'model.started');
    const resumed = await runGraph({ parsed, model: scriptedModel(scripts), log: log.slice(0, lastModelCall) });
    expect(resumed.outcome.answer).toBe('end');
    expect(resumed.sink.events.map(({ kind }) => kind)).not.toContain('instance.queued');
  });
});

describe('settings of steps', () => {
  const issues = (options: DelegationOptions) =>
    project(
      { flow: 'type: chain\nsequence: [a, b]' },
      `delegations: {lead: {flow: ${JSON.stringify(options)}}, flow: {a: {input_schema: {type: object}}}}`,
    ).issues.filter(({ file }) => file === 'callboard.yaml');

  it('take effect, and mode schema takes its schema from them', () => {
    expect(issues({ input_mode: 'schema' })).toEqual([]);
  });

  it('that have no effect are reported, each at its line', () => {
    const settings = `delegations:
  flow:
    a:
      input_schema: {type: object}
      output_schema: {type: object}
      input_mode: request
    b:
      input_schema: {type: object}
      timeout_ms: 5
  choose:
    a:
      description: for sums
      skip_summarization: true`;
    const cards = { flow: 'type: chain\nsequence: [a, plain, b]', choose: 'type: router\nagents: [a]' };
    const found = project(cards, settings).issues.filter(({ file }) => file === 'callboard.yaml');
    expect(found.map(({ code, line, message }) => `${code} ${line} ${message}`)).toEqual([
      "settings-unused-delegation 7 'flow' is of type chain: 'input_mode' has no effect on its step 'a'. Remove it.",
      "settings-unused-delegation 9 'flow' is of type chain: 'input_schema' has no effect on its step 'b'. Remove it.",
      "settings-unused-delegation 14 'choose' is of type router: 'skip_summarization' has no effect on its step 'a'. Remove it.",
    ]);
  });
});
