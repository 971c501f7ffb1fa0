import { describe, expect, it } from 'vitest';
import type { AgentCard } from '@/lib/cards/card';
import type { DelegationOptions } from '@/lib/cards/delegation-settings';
import { folderOf } from '@/lib/cards/files';
import { defaultSettings, type Settings } from '@/lib/cards/settings';
import { workerPolicy } from '@/lib/cards/worker-policy';
import type { Toolsets } from '@/lib/cards/worker-settings';
import { textOf } from '@/lib/runtime/record/messages';
import { cardsByName } from '@/lib/runtime/request/validate';
import { buildSurface } from '@/lib/runtime/surface/surface';
import { fakeClock } from '@/lib/testing/fake-clock';
import { fakeTools } from '@/lib/testing/fake-tools';
import { agentCard, graphOf } from '@/lib/testing/graph-of';
import { runGraph } from '@/lib/testing/run-graph';
import { scriptedModel, type TestCall, type TestScript } from '@/lib/testing/scripted-model';

function surfaceOf(toolsets: Toolsets, shorthand = 'lead; sum; rev', delegations: Settings['delegations'] = {}) {
  const { cards, settings } = graphOf(shorthand, { settings: { toolsets: { lead: toolsets }, delegations } });
  const parsed = graphOf(shorthand, { settings });
  const card = cards.find(({ name }) => name === 'lead');
  if (card?.type !== 'agent') throw new Error('no lead');
  return buildSurface({ card, cards: cardsByName(parsed), settings: parsed.settings, listed: {} });
}

async function runWorkers(
  batches: readonly (readonly TestCall[])[],
  toolsets: Toolsets,
  more: {
    readonly shorthand?: string;
    readonly scripts?: Readonly<Record<string, TestScript>>;
    readonly cards?: Readonly<Record<string, Partial<AgentCard>>>;
    readonly delegations?: Record<string, Record<string, DelegationOptions>>;
    readonly tools?: ReturnType<typeof fakeTools>;
  } = {},
) {
  const clock = fakeClock();
  const model = scriptedModel(
    {
      lead: [...batches.map((calls) => ({ calls })), 'end'],
      sum: ({ messages }) => `sum of ${messages.map((m) => (m.role === 'user' ? textOf(m.content) : '')).join('')}`,
      rev: 'reviewed',
      ...more.scripts,
    },
    clock,
  );
  const parsed = graphOf(more.shorthand ?? 'lead; sum; rev', {
    cards: more.cards ?? {},
    settings: { entry: 'lead', toolsets: { lead: toolsets }, delegations: more.delegations ?? {} },
  });
  const run = await runGraph({ parsed, model, clock, tools: more.tools ? { mcp: more.tools } : {} });
  const ended = run.sink
    .of('tool.ended')
    .filter(({ path }) => path === 'lead')
    .sort((a, b) => Number(a.step.split('#t')[1]) - Number(b.step.split('#t')[1]));
  const results = ended.map(({ result }) => textOf(result.content));
  const codes = ended.map(({ result }) => result.errorCode);
  return { ...run, model, results, codes };
}

const call = (worker: string, input_data?: unknown): TestCall => ({
  tool: 'worker_call',
  arguments: input_data === undefined ? { worker } : { worker, input_data },
});

describe('worker_call', () => {
  it('runs a worker by its exact name and gives its answer as it is', async () => {
    const { results, sink } = await runWorkers([[call('sum', 'a text'), call('rev'), call('sum', { n: 1 })]], {
      delegation: { allow_workers: ['sum', 'rev'] },
    });
    expect(results).toEqual(['sum of a text', 'reviewed', 'sum of {"n":1}']);
    expect(sink.of('instance.started').map(({ path }) => path)).toEqual([
      'lead',
      'lead/sum[1]',
      'lead/rev[1]',
      'lead/sum[2]',
    ]);
    expect(sink.of('tool.started').map(({ source }) => source)).toEqual(['agent', 'agent', 'agent']);
  });

  it('lists the workers as an enum', () => {
    const { tools } = surfaceOf({ delegation: { allow_workers: ['sum', 'rev'] } });
    expect(tools).toMatchObject([
      {
        name: 'worker_call',
        inputSchema: { properties: { worker: { enum: ['sum', 'rev'] } }, required: ['worker'] },
      },
    ]);
    expect(tools[0]?.inputSchema).not.toHaveProperty('properties.attachments');
  });

  it('has attachments when a worker takes them', () => {
    const { tools } = surfaceOf({ delegation: { allow_workers: ['sum'] } }, undefined, {
      lead: { sum: { attachments: { max: 2 } } },
    });
    expect(tools[0]?.inputSchema).toHaveProperty('properties.attachments');
  });

  it('has session_id when a worker is addressed by it, and response_mode when the caller chooses it', () => {
    const allowed: Toolsets = { delegation: { allow_workers: ['sum', 'rev'] } };
    const properties = (delegations: Settings['delegations']) =>
      Object.keys(surfaceOf(allowed, undefined, delegations).tools[0]?.inputSchema.properties ?? {});
    expect(properties({})).toEqual(['worker', 'input_data']);
    expect(properties({ lead: { rev: { session: 'addressed' } } })).toEqual(['worker', 'input_data', 'session_id']);
    expect(properties({ lead: { rev: { session: 'reuse' } } })).toEqual(['worker', 'input_data']);
    const selectable = { requestParams: { tool_result_mode: 'selectable' } };
    const { cards, settings } = graphOf('lead; sum', {
      cards: { sum: selectable },
      settings: { toolsets: { lead: allowed } },
    });
    const parsed = { ...graphOf('lead; sum', { settings }), cards };
    const card = cards.find(({ name }) => name === 'lead');
    if (card?.type !== 'agent') throw new Error('no lead');
    const surface = buildSurface({ card, cards: cardsByName(parsed), settings, listed: {} });
    expect(surface.tools[0]?.inputSchema).toHaveProperty('properties.response_mode');
  });

  it('continues the session that it is given', async () => {
    const begun = await runWorkers(
      [[call('rev', 'one')]],
      { delegation: { allow_workers: ['rev'] } },
      {
        delegations: { lead: { rev: { session: 'addressed' } } },
      },
    );
    const id = /^session_id: (\S+)/.exec(begun.results[0] ?? '')?.[1] ?? '';
    const next = { tool: 'worker_call', arguments: { worker: 'rev', input_data: 'two', session_id: id } };
    const { results, sink } = await runWorkers(
      [[call('rev', 'one')], [next]],
      { delegation: { allow_workers: ['rev'] } },
      { delegations: { lead: { rev: { session: 'addressed' } } } },
    );
    expect(results.map((text) => text.split('\n')[0])).toEqual([`session_id: ${id}`, `session_id: ${id}`]);
    expect(sink.of('instance.started').map(({ historyCount }) => historyCount)).toEqual([undefined, undefined, 2]);
  });

  describe('of a worker with an input schema', () => {
    const schema = { type: 'object', properties: { operation: { enum: ['filter', 'map'] } }, required: ['operation'] };
    const run = (delegation: DelegationOptions, ...inputs: readonly unknown[]) =>
      runWorkers(
        [inputs.map((input) => call('sum', input))],
        { delegation: { allow_workers: ['sum'] } },
        {
          delegations: { lead: { sum: delegation } },
        },
      );

    it('refuses what its own tool refuses, before it runs', async () => {
      const { results, codes, sink } = await run(
        { input_schema: schema },
        { operation: 'drop_table' },
        'drop_table',
        undefined,
        { operation: 'map', more: 1 },
        { operation: 'map' },
        '{"operation": "filter"}',
      );
      expect(codes).toEqual([...Array(4).fill('INPUT_VALIDATION'), undefined, undefined]);
      expect(results.map((text) => text.split(':')[1]?.trim() ?? text)).toEqual([
        "'input_data' for worker 'sum' is not valid",
        "Worker 'sum' takes no text. Send 'input_data' as an object that fits {\"type\"",
        "'input_data' for worker 'sum' is not valid",
        "'input_data' for worker 'sum' is not valid",
        '"map"}',
        '"filter"}',
      ]);
      expect(results.slice(4)).toEqual(['sum of {"operation":"map"}', 'sum of {"operation":"filter"}']);
      expect(sink.of('instance.started').map(({ path }) => path)).toEqual(['lead', 'lead/sum[5]', 'lead/sum[6]']);
    });

    it('takes text where the schema is exactly a message, and anything where the edge asks for no schema', async () => {
      const message = { type: 'object', properties: { message: { type: 'string' } }, required: ['message'] };
      expect((await run({ input_schema: message }, 'hello', { message: 'hi' }, { text: 'no' })).results).toMatchObject(
        ['sum of hello', 'sum of hi', /not valid/].map((text) =>
          typeof text === 'string' ? text : expect.stringMatching(text),
        ),
      );
      const free = await run({ input_schema: schema, input_mode: 'input_data' }, 'drop_table');
      expect(free.results).toEqual(['sum of drop_table']);
    });

    it('shows the schema to the model', () => {
      const { tools } = surfaceOf({ delegation: { allow_workers: ['sum', 'rev'] } }, undefined, {
        lead: { sum: { input_schema: schema } },
      });
      expect(tools[0]?.inputSchema).toMatchObject({
        properties: { input_data: { description: expect.stringContaining(`\nsum: ${JSON.stringify(schema)}`) } },
      });
    });
  });

  it('refuses a forbidden and an unknown worker with the same words, before anything runs', async () => {
    const { results, codes, sink } = await runWorkers([[call('rev'), call('nobody')]], {
      delegation: { allow_workers: ['sum'] },
    });
    expect(results).toEqual([
      "Error: Worker 'rev' cannot be called with worker_call. Workers: sum.",
      "Error: Worker 'nobody' cannot be called with worker_call. Workers: sum.",
    ]);
    expect(codes).toEqual(['NOT_ALLOWED', 'NOT_ALLOWED']);
    expect(sink.of('instance.queued')).toHaveLength(1);
  });

  it('an empty list allows nobody, and * allows all but the caller, unless the caller may run itself', () => {
    const names = ['lead', 'sum', 'rev'];
    const policy = (toolsets: Toolsets, delegations: Settings['delegations'] = {}) =>
      workerPolicy(agentCard('lead'), names, { ...defaultSettings, toolsets: { lead: toolsets }, delegations });
    expect(policy({ delegation: { allow_workers: [] } })).toMatchObject({ callable: [], hasWorkerCall: false });
    expect(policy({ delegation: { allow_workers: ['*'] } }).callable).toEqual(['sum', 'rev']);
    expect(policy({ delegation: { allow_workers: ['*'] } }, { lead: { lead: { recursive: true } } }).callable).toEqual(
      names,
    );
    expect(policy({ delegation: { allow_workers: ['*', 'gone'] } })).toMatchObject({ unknown: ['gone'] });
    expect(surfaceOf({ delegation: { allow_workers: [] } }).names).toEqual([]);
    expect(surfaceOf({ delegation: { allow_workers: ['*', 'gone'] } }).warnings).toMatchObject([
      { code: 'worker_unknown' },
    ]);
  });

  it('an agent that may call itself does so down to the depth limit', async () => {
    const { sink, outcome } = await runWorkers(
      [[call('lead', 'again')]],
      { delegation: { allow_workers: ['*'] } },
      {
        delegations: { lead: { lead: { recursive: true } } },
        scripts: { lead: ({ turn }) => (turn === 1 ? { calls: [call('lead', 'again')] } : 'end') },
      },
    );
    expect(outcome.answer).toBe('end');
    expect(sink.of('instance.started')).toHaveLength(6);
    expect(sink.of('tool.ended')[0]?.result.errorCode).toBe('DEPTH_EXCEEDED');
  });

  it('refuses arguments that are no object', async () => {
    const { codes } = await runWorkers(
      [
        [
          { tool: 'worker_call', arguments: '"sum"' },
          { tool: 'worker_call', arguments: '["sum"]' },
        ],
      ],
      { delegation: { allow_workers: ['sum'] } },
    );
    expect(codes).toEqual(['INPUT_VALIDATION', 'INPUT_VALIDATION']);
  });

  it('allows the wired children by default', () => {
    expect(surfaceOf({ delegation: {} }, 'lead > sum; rev').tools).toMatchObject([
      { name: 'worker_call', inputSchema: { properties: { worker: { enum: ['sum'] } } } },
      { name: 'agent__sum' },
    ]);
  });
});

describe('workers as tools', () => {
  it('no combination of settings lists a tool twice', () => {
    const names = (toolsets: Toolsets, shorthand?: string) => surfaceOf(toolsets, shorthand).names;
    const allow_workers = ['sum', 'rev'];
    expect(names({ delegation: { allow_workers } })).toEqual(['worker_call']);
    expect(names({ delegation: { allow_workers, expose_as_tools: true } })).toEqual([
      'worker_call',
      'agent__sum',
      'agent__rev',
    ]);
    expect(names({ worker_tools: { workers: ['sum'] } })).toEqual(['agent__sum']);
    expect(names({ delegation: { allow_workers: ['*'] }, worker_tools: { workers: ['sum', 'rev'] } })).toEqual([
      'worker_call',
      'agent__sum',
      'agent__rev',
    ]);
    expect(names({ delegation: { allow_workers, expose_as_tools: true }, worker_tools: { workers: ['sum'] } })).toEqual(
      ['worker_call', 'agent__sum', 'agent__rev'],
    );
    expect(names({ delegation: { allow_workers, expose_as_tools: true } }, 'lead > sum; rev')).toEqual([
      'worker_call',
      'agent__sum',
      'agent__rev',
    ]);
  });

  it('mirrors the parameters of worker_call, unless the worker has its own', async () => {
    const { tools } = surfaceOf({ worker_tools: { workers: ['sum'] } });
    expect(tools[0]?.inputSchema).toMatchObject({ properties: { input_data: {} } });
    const { results } = await runWorkers([[{ tool: 'agent__sum', arguments: { input_data: 'x' } }]], {
      worker_tools: { workers: ['sum'] },
    });
    expect(results).toEqual(['sum of x']);
  });

  it('refuses worker_call on one that is only a tool, with advice', async () => {
    const toolsets: Toolsets = { delegation: { allow_workers: ['sum'], expose_as_tools: 'only', create: 'allowed' } };
    const { results } = await runWorkers(
      [[call('sum', 'x'), { tool: 'agent__sum', arguments: { input_data: 'y' } }]],
      toolsets,
    );
    expect(results).toEqual([
      "Error: Worker 'sum' cannot be called with worker_call. It has a tool of its own, 'agent__sum': call that. Workers: none.",
      'sum of y',
    ]);
    expect(surfaceOf({ delegation: { allow_workers: ['sum'], expose_as_tools: 'only' } }).names).toEqual([
      'agent__sum',
    ]);
  });
});

it('without worker_call, a call of it is refused with the advice to call the tools of the workers', async () => {
  const { results, codes, model } = await runWorkers([[call('sum', 'x'), call('nobody')]], {
    delegation: { allow_workers: ['sum'], expose_as_tools: 'only' },
  });
  expect(model.requests[0]?.tools.map(({ name }) => name)).toEqual(['agent__sum']);
  expect(results).toEqual([
    "Error: Worker 'sum' cannot be called with worker_call. It has a tool of its own, 'agent__sum': call that. Workers: none.",
    "Error: Worker 'nobody' cannot be called with worker_call. Workers: none.",
  ]);
  expect(codes).toEqual(['NOT_ALLOWED', 'NOT_ALLOWED']);
});

describe('agents made in the run', () => {
  const toolsets: Toolsets = { delegation: { allow_workers: [], create: 'allowed' } };
  const create = (args: Record<string, unknown>): TestCall => ({ tool: 'worker_create', arguments: args });
  const poet = { name: 'poet', instructions: 'Write verse.' };

  it('is not offered unless the project says so', () => {
    expect(surfaceOf({ delegation: { allow_workers: ['sum'] } }).names).not.toContain('worker_create');
  });

  it('an agent can be created and called in one response, and is a tool from the next step on', async () => {
    const { results, model, sink } = await runWorkers(
      [
        [create({ ...poet, description: 'Rhymes.' }), call('poet', 'spring')],
        [{ tool: 'agent__poet', arguments: { input_data: 'autumn' } }],
      ],
      toolsets,
      { scripts: { poet: ({ instruction, messages }) => `${instruction}|${messages.length}` } },
    );
    expect(results).toEqual([
      JSON.stringify({ name: 'poet', instructions: 'Write verse.', description: 'Rhymes.', tools: [] }),
      'Write verse.|1',
      'Write verse.|1',
    ]);
    const offered = model.requests.filter(({ agentName }) => agentName === 'lead').map(({ tools }) => tools);
    expect(offered.map((tools) => tools.map(({ name }) => name))).toEqual([
      ['worker_create', 'worker_call'],
      ['worker_create', 'worker_call', 'agent__poet'],
      ['worker_create', 'worker_call', 'agent__poet'],
    ]);
    expect(offered[1]?.[1]?.inputSchema).toMatchObject({ properties: { worker: { enum: ['poet'] } } });
    expect(sink.of('agent.created')).toMatchObject([{ agent: { name: 'poet', creator: 'lead' } }]);
  });

  it('a wrong creation is refused and leaves nothing behind', async () => {
    const wrong = [
      create({ ...poet, name: 'a b' }),
      create({ ...poet, name: '../x' }),
      create({ ...poet, name: 'sum' }),
      create({ ...poet, instructions: '  ' }),
      create({ ...poet, output_schema: 'no' }),
      create({ ...poet, tools: ['box__steal'] }),
      create({ ...poet, tools: ['worker_create'] }),
      create({ ...poet, output_schema: { type: 7 } }),
      call('poet', 'x'),
    ];
    const { codes, sink, results } = await runWorkers([wrong], toolsets, {
      tools: fakeTools({ box__work: () => 'ok' }),
    });
    expect(codes).toEqual(wrong.map(() => 'NOT_ALLOWED'));
    expect(results[5]).toBe("Error: You have no tool 'box__steal' to give. Yours: box__work.");
    expect(results[7]).toBe(
      "Error: 'output_schema' cannot be used: 'type' must be one of string, number, integer, boolean, object, array or null, or a list of them, not the number 7. Correct it.",
    );
    expect(sink.of('agent.created')).toEqual([]);
  });

  it('refuses a name that another tool has, whatever it comes from', async () => {
    const model = scriptedModel({
      lead: [{ calls: ['box__work', 'worker_call', 'fresh'].map((name) => create({ ...poet, name })) }, 'end'],
    });
    const parsed = graphOf('lead', { settings: { toolsets: { lead: toolsets }, tool_naming: 'plain' } });
    const { sink } = await runGraph({ parsed, model, tools: { mcp: fakeTools({ box__work: () => 'ok' }) } });
    expect(sink.of('tool.ended').map(({ result }) => textOf(result.content))).toEqual([
      "Error: It would be called as 'box__work', which is another tool's name.",
      "Error: It would be called as 'worker_call', which is another tool's name.",
      expect.stringContaining('fresh'),
    ]);
  });

  it('refuses a name that differs in case alone from that of an agent made before', async () => {
    const made = (name: string) => ({ calls: [create({ name, instructions: 'Be.' })] });
    const parsed = graphOf('lead', {
      settings: { tool_naming: 'call_', toolsets: { lead: { delegation: { create: 'allowed' } } } },
    });
    const model = scriptedModel({ lead: [made('Poet'), made('poet'), 'end'] });
    const { sink } = await runGraph({ parsed, model });
    expect(sink.of('tool.ended').map(({ result }) => result.errorCode)).toEqual([undefined, 'NOT_ALLOWED']);
    expect(textOf(sink.of('tool.ended')[1]?.result.content ?? [])).toBe(
      "Error: There is an agent 'Poet' already. Choose another name.",
    );
  });

  it('refuses a name twice', async () => {
    const { codes } = await runWorkers([[create(poet), create(poet)]], toolsets);
    expect(codes).toEqual([undefined, 'NOT_ALLOWED']);
  });

  it('has only the tools of its creator that it was given', async () => {
    const tools = fakeTools({ box__work: () => 'worked', box__other: () => 'other' });
    const { model, results } = await runWorkers(
      [
        [create({ ...poet, tools: ['box__work'] }), create({ ...poet, name: 'mute' })],
        [call('poet', 'x'), call('mute', 'x')],
      ],
      toolsets,
      { tools, scripts: { poet: [{ calls: [{ tool: 'box__work' }, { tool: 'box__other' }] }, 'done'], mute: 'none' } },
    );
    const offered = (agent: string) =>
      model.requests.find(({ agentName }) => agentName === agent)?.tools.map(({ name }) => name);
    expect(offered('poet')).toEqual(['box__work']);
    expect(offered('mute')).toEqual([]);
    expect(tools.calls.map(({ name }) => name)).toEqual(['box__work']);
    expect(results.slice(2)).toEqual(['done', 'none']);
  });

  it("reads its creator's skills when it was given the tool", async () => {
    const skill = { tool: 'read_skill', arguments: { path: 'tidy' } };
    const model = scriptedModel({
      lead: [{ calls: [create({ ...poet, tools: ['read_skill'] }), call('poet', 'x')] }, 'end'],
      poet: [{ calls: [skill] }, 'done'],
    });
    const parsed = graphOf('lead', {
      cards: { lead: { skills: ['skills'] } },
      settings: { toolsets: { lead: toolsets } },
    });
    const folder = folderOf({ 'skills/tidy/SKILL.md': 'Tidy up.' });
    const { sink } = await runGraph({ parsed, model, folder });
    const read = sink.of('tool.ended').find(({ path }) => path === 'lead/poet[1]');
    expect(textOf(read?.result.content ?? [])).toBe('Tidy up.');
  });

  it("its calls go through its creator's hooks", async () => {
    const tools = fakeTools({ box__work: () => 'worked' });
    const clock = fakeClock();
    const model = scriptedModel({
      lead: [{ calls: [create({ ...poet, tools: ['box__work'] })] }, { calls: [call('poet', 'x')] }, 'end'],
      poet: [{ calls: [{ tool: 'box__work' }] }, 'done'],
    });
    const parsed = graphOf('lead', {
      settings: {
        toolsets: { lead: toolsets },
        agent_hooks: { lead: [{ kind: 'block', when: { tool: 'box__work' }, message: 'No.' }] },
      },
    });
    await runGraph({ parsed, model, clock, tools: { mcp: tools } });
    expect(tools.calls).toEqual([]);
  });

  it('exists as long as its run', async () => {
    await runWorkers([[create(poet)]], toolsets);
    const { codes } = await runWorkers([[call('poet', 'x')]], toolsets);
    expect(codes).toEqual(['NOT_ALLOWED']);
  });

  it('is there again when the run goes on after a crash', async () => {
    const scripts: Record<string, TestScript> = {
      lead: [{ calls: [create(poet), call('poet', 'a')] }, { calls: [call('poet', 'b')] }, 'end'],
      poet: 'verse',
    };
    const parsed = graphOf('lead', { settings: { toolsets: { lead: toolsets } } });
    const whole = await runGraph({ parsed, model: scriptedModel(scripts) });
    for (let length = 0; length <= whole.log.length; length++) {
      const next = await runGraph({ parsed, model: scriptedModel(scripts), log: whole.log.slice(0, length) });
      expect(next.outcome).toEqual(whole.outcome);
      expect(next.log.filter(({ kind }) => kind === 'agent.created').length).toBe(1);
    }
  });
});
