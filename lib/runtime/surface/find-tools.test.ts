import { describe, expect, it } from 'vitest';
import { brandAs, type CallId } from '@/lib/base/ids';
import type { Json } from '@/lib/base/json';
import type { Settings } from '@/lib/cards/settings';
import { textOf } from '@/lib/runtime/record/messages';
import { fakePeople } from '@/lib/testing/fake-people';
import { fakeTools } from '@/lib/testing/fake-tools';
import { graphOf } from '@/lib/testing/graph-of';
import { hookEntries } from '@/lib/testing/hook-entries';
import { memorySessions } from '@/lib/testing/memory-sessions';
import { resumeEverywhere } from '@/lib/testing/resume-everywhere';
import { runGraph, type TestRunInput } from '@/lib/testing/run-graph';
import { scriptedModel, type TestCall, type TestTurn } from '@/lib/testing/scripted-model';
import { toolsNamedIn } from './find-tools';
import { buildSurface } from './surface';

const verbs = ['open', 'shut', 'move', 'sell'];
const boxTools = () => fakeTools(Object.fromEntries(verbs.map((verb) => [`box__${verb}`, () => `did ${verb}`])));
const on = { find_tools: { enabled: true, above: 3, agents: {} } };
const find = (query: unknown): TestCall => ({ tool: 'find_tools', arguments: { query } });
const state = { runtime_tools: { state: true } };

async function runLead(
  turns: readonly (string | TestTurn)[],
  settings: Partial<Settings> = on,
  more: Partial<TestRunInput> = {},
) {
  const model = scriptedModel({ lead: turns, kid: 'kid says' });
  const tools = boxTools();
  const run = await runGraph({ parsed: graphOf('lead > kid', { settings }), model, tools: { mcp: tools }, ...more });
  const ended = run.sink.of('tool.ended').filter(({ path }) => path === 'lead');
  return {
    ...run,
    model,
    calls: tools.calls.map(({ name }) => name),
    offered: model.requests.flatMap(({ agentName, tools: list }) =>
      agentName === 'lead' ? [list.map(({ name }) => name)] : [],
    ),
    results: ended.map(({ result }) => result),
  };
}

describe('an agent with many tools', () => {
  it('is offered find_tools in place of tools of servers, and each tool that it found from the next request on', async () => {
    const { offered, results, calls, sink } = await runLead(
      [{ calls: [find('sell things')] }, { calls: [{ tool: 'box__sell' }] }, { calls: [find('open')] }, 'end'],
      { ...on, ...state },
    );
    const always = ['get_state', 'set_state', 'find_tools', 'agent__kid'];
    expect(offered).toEqual([
      always,
      [...always, 'box__sell'],
      [...always, 'box__sell'],
      [...always, 'box__sell', 'box__open'],
    ]);
    expect(calls).toEqual(['box__sell']);
    expect(results[0]?.structuredContent).toEqual({
      note: 'You can call these tools from your next step on.',
      tools: [{ name: 'box__sell', description: 'The tool box__sell.' }],
    });
    expect(textOf(results[0]?.content ?? [])).toContain('box__sell: The tool box__sell.');
    // The record of each request says what was offered.
    expect(sink.of('model.started').flatMap(({ path, tools }) => (path === 'lead' ? [tools] : []))).toEqual(offered);
  });

  it('may call a tool that exists by its name, and keeps it', async () => {
    const { offered, calls } = await runLead([{ calls: [{ tool: 'BOX__Move' }] }, 'end']);
    expect(calls).toEqual(['box__move']);
    expect(offered).toEqual([
      ['find_tools', 'agent__kid'],
      ['find_tools', 'agent__kid', 'box__move'],
    ]);
  });

  it('is told when nothing fits, and when a query is missing', async () => {
    const { results } = await runLead(
      [find('zebra'), find(' '), find(7), { tool: 'gone' }].map((call) => ({ calls: [call] })).concat({ calls: [] }),
    );
    expect(results.map((result) => [result.errorCode, textOf(result.content)])).toEqual([
      [undefined, 'None of the 4 tools fits. Try other words.'],
      ['INPUT_VALIDATION', "Error: 'query' must say in a few words what the tool does."],
      ['INPUT_VALIDATION', "Error: 'query' must say in a few words what the tool does."],
      ['UNKNOWN_TOOL', "Tool 'gone' is not available. Available tools: agent__kid, find_tools."],
    ]);
  });

  it('is not answered by what it found, where results of tools are its answer', async () => {
    const passing = { cards: { lead: { requestParams: { tool_result_mode: 'passthrough' } } } };
    const { outcome, calls } = await runLead([{ calls: [find('sell')] }, { calls: [{ tool: 'box__sell' }] }], on, {
      parsed: graphOf('lead > kid', { settings: on, ...passing }),
    });
    expect([outcome.answer, calls]).toEqual(['did sell', ['box__sell']]);
  });

  it('is offered all of them where another tool has the name find_tools', async () => {
    const model = scriptedModel({ lead: ['end'] });
    const namesake = fakeTools({ find_tools: () => 'mine' }, { source: 'function' });
    const tools = { mcp: boxTools(), function: namesake };
    const { sink } = await runGraph({ parsed: graphOf('lead', { settings: on }), model, tools });
    expect(model.requests[0]?.tools.map(({ name }) => name)).toEqual([
      ...verbs.map((verb) => `box__${verb}`),
      'find_tools',
    ]);
    expect(sink.of('log').map(({ code }) => code)).toContain('tool_name_clash');
  });

  it('is offered the same list while nothing was found', async () => {
    const model = scriptedModel({
      lead: [{ calls: [find('zebra')] }, { calls: [find('sell')] }, { calls: [find('sell')] }, 'end'],
    });
    await runGraph({ parsed: graphOf('lead', { settings: on }), model, tools: { mcp: boxTools() } });
    const [first, second, third, fourth] = model.requests.map(({ tools }) => tools);
    expect(second).toBe(first);
    expect(third).not.toBe(second);
    expect(fourth).toBe(third);
  });

  it('gets at most 10 of what fits, and hears how many more there are', async () => {
    const many = Object.fromEntries(Array.from({ length: 14 }, (_, n) => [`box__open_${n}`, () => '']));
    const model = scriptedModel({ lead: [{ calls: [find('open')] }, 'end'] });
    await runGraph({ parsed: graphOf('lead', { settings: on }), model, tools: { mcp: fakeTools(many) } });
    expect(model.requests[1]?.tools).toHaveLength(11);
    expect(JSON.stringify(model.requests[1]?.messages)).toContain('4 more fit less well');
    expect(model.requests[0]?.tools[0]?.description).toContain('There are 14 tools: box (14).');
  });
});

it('the instruction says that the tools of a server are to be found, and names those that are offered', async () => {
  const told = [
    { serverName: 'box', text: 'Be careful.' },
    { serverName: 'none', text: 'Empty.' },
  ];
  const instructionFor = async (above: number) => {
    const model = scriptedModel({ lead: 'end' });
    const parsed = graphOf('lead', {
      cards: { lead: { instruction: '{{serverInstructions}}', servers: ['box', 'none'] } },
      settings: { find_tools: { enabled: true, above, agents: {} } },
    });
    await runGraph({ parsed, model, tools: { mcp: { ...boxTools(), instructions: async () => told } } });
    return [...(model.requests[0]?.instruction ?? '').matchAll(/<tools>(.*)<\/tools>/g)].map(([, list]) => list);
  };
  expect(await instructionFor(4)).toEqual([verbs.map((verb) => `box__${verb}`).join(', '), 'No tools available']);
  expect(await instructionFor(3)).toEqual(['4 tools; find_tools finds them', 'No tools available']);
});

describe('the setting', () => {
  const namesFor = async (find_tools: Settings['find_tools']) => (await runLead(['end'], { find_tools })).offered[0];
  const all = [...verbs.map((verb) => `box__${verb}`), 'agent__kid'];

  it('counts tools of servers and functions, per project and per agent', async () => {
    expect(await namesFor({ agents: {} })).toEqual(all);
    expect(await namesFor({ enabled: true, agents: {} })).toEqual(all);
    expect(await namesFor({ enabled: true, above: 4, agents: {} })).toEqual(all);
    expect(await namesFor({ enabled: true, above: 3, agents: { lead: { enabled: false } } })).toEqual(all);
    expect(await namesFor({ enabled: true, above: 3, agents: { lead: { above: 9 } } })).toEqual(all);
    expect(await namesFor({ above: 3, agents: { lead: { enabled: true } } })).toEqual(['find_tools', 'agent__kid']);
  });

  it('hides function tools too, and not the agents that it creates from what they were given', async () => {
    const create = { name: 'fresh', instructions: 'Be.', tools: verbs.map((verb) => `box__${verb}`) };
    const model = scriptedModel({
      lead: [
        { calls: [{ tool: 'worker_create', arguments: create }] },
        { calls: [{ tool: 'agent__fresh', arguments: {} }] },
        'end',
      ],
      fresh: 'done',
    });
    const parsed = graphOf('lead', { settings: { ...on, toolsets: { lead: { delegation: { create: 'allowed' } } } } });
    await runGraph({
      parsed,
      model,
      tools: { mcp: boxTools(), function: fakeTools({ add: () => '3' }, { source: 'function' }) },
    });
    const offered = model.requests.map(({ agentName, tools }) => [agentName, tools.map(({ name }) => name)]);
    expect(offered[0]).toEqual(['lead', ['find_tools', 'worker_create', 'worker_call']]);
    expect(offered[2]).toEqual(['fresh', create.tools]);
  });

  it('leaves tools of inactive groups where they are', async () => {
    const group = { description: undefined, active: false, agents: [], tools: ['box__s*'] };
    const { results, offered } = await runLead(
      [
        { calls: [find('sell')] },
        { calls: [{ tool: 'box__sell' }] },
        { calls: [{ tool: 'activate_tool_groups', arguments: { to_activate: ['s'] } }] },
        { calls: [find('sell')] },
        'end',
      ],
      { ...on, tool_groups: { lead: { activation: true, groups: { s: group } } } },
    );
    expect(results.map(({ errorCode, content }) => errorCode ?? textOf(content).split('\n')[0])).toEqual([
      'None of the 2 tools fits. Try other words.',
      'TOOL_INACTIVE',
      'Active now:',
      'You can call these tools from your next step on.',
    ]);
    expect(offered[4]).toEqual(['find_tools', 'activate_tool_groups', 'agent__kid', 'box__sell']);
  });

  it('counts the tools of active groups alone, and is in no group, whatever a pattern matches', async () => {
    const group = { description: undefined, active: false, agents: [], tools: ['*s*'] };
    const settings = { ...on, tool_groups: { lead: { activation: true, groups: { s: group } } } };
    const activate = { tool: 'activate_tool_groups', arguments: { to_activate: ['s'] } };
    const { model, offered } = await runLead([{ calls: [activate] }, 'end'], settings);
    expect(offered).toEqual([
      ['find_tools', 'activate_tool_groups', 'agent__kid'],
      ['find_tools', 'activate_tool_groups', 'agent__kid'],
    ]);
    const told = model.requests.map(({ tools }) => tools[0]?.description.replace(/^.* There/, 'There'));
    expect(told).toEqual(['There are 2 tools: box (2).', 'There are 4 tools: box (4).']);
    const parsed = graphOf('lead > kid', { settings });
    const [lead] = parsed.cards.flatMap((card) => (card.type === 'agent' ? [card] : []));
    const mcp = verbs.map((verb) => ({
      name: `box__${verb}`,
      description: '',
      inputSchema: {},
      source: 'mcp' as const,
    }));
    const surface = lead && buildSurface({ card: lead, cards: new Map(), settings: parsed.settings, listed: { mcp } });
    expect(surface?.tools[0]?.description).toContain('There are 2 tools: ');
  });
});

describe('what guards tools', () => {
  it('sees the tool that was called, found or not', async () => {
    const settings = {
      ...on,
      approvals: { rules: [{ tools: ['box__sell'], effect: 'ask' as const }] },
      run_hooks: hookEntries([{ redact: { keys: ['x'] } }]),
    };
    const people = fakePeople(() => ({ decision: 'deny' }));
    const { results, calls } = await runLead(
      [{ calls: [{ tool: 'Box__SELL' }, { tool: 'box__open' }] }, 'end'],
      settings,
      {
        people,
        onSink: people.watch,
      },
    );
    expect(people.asked.map(({ tool }) => tool?.name)).toEqual(['box__sell']);
    expect(results.map(({ errorCode }) => errorCode ?? 'ok').sort()).toEqual(['APPROVAL_DENIED', 'ok']);
    expect(calls).toEqual(['box__open']);
  });

  it('may change what find_tools found', async () => {
    const redact = hookEntries([{ truncate: { max_chars: 5 } }]);
    const { offered } = await runLead([{ calls: [find('sell')] }, 'end'], { ...on, run_hooks: redact });
    expect(offered[1]).toEqual(['find_tools', 'agent__kid']);
  });
});

describe('what was found', () => {
  it('is the same wherever a resumed run begins', async () => {
    const model = () =>
      scriptedModel({
        lead: [{ calls: [find('sell')] }, { calls: [{ tool: 'box__sell' }, { tool: 'box__open' }] }, 'end'],
      });
    const { whole, resumed } = await resumeEverywhere(graphOf('lead', { settings: on }), model, {
      tools: { mcp: boxTools() },
    });
    const offeredIn = (log: typeof whole.log) =>
      new Map(log.flatMap((event) => (event.kind === 'model.started' ? [[event.step, event.tools] as const] : [])));
    expect([...offeredIn(whole.log).values()].at(-1)).toEqual(['find_tools', 'box__sell', 'box__open']);
    for (const { log } of resumed) expect(offeredIn(log)).toEqual(offeredIn(whole.log));
  });

  it('is offered when a session goes on', async () => {
    const model = scriptedModel({
      lead: [
        { calls: [{ tool: 'agent__kid', arguments: { text: 'a' } }] },
        { calls: [{ tool: 'agent__kid', arguments: { text: 'b' } }] },
        'end',
      ],
      kid: ({ turn, instanceName }) => (instanceName === 'kid[1]' && turn === 1 ? { calls: [find('move')] } : 'done'),
    });
    const settings = { ...on, delegations: { lead: { kid: { session: 'reuse' as const } } } };
    await runGraph({
      parsed: graphOf('lead > kid', { settings }),
      model,
      sessions: memorySessions(),
      tools: { mcp: boxTools() },
    });
    const offered = model.requests.flatMap(({ agentName, tools }) =>
      agentName === 'kid' ? [tools.map(({ name }) => name)] : [],
    );
    expect(offered).toEqual([['find_tools'], ['find_tools', 'box__move'], ['find_tools', 'box__move']]);
  });

  it('is read from any result that hooks leave', () => {
    const odd: (Json | undefined)[] = [
      undefined,
      null,
      7,
      [],
      {},
      { tools: 'box' },
      { tools: [null, { name: 7 }, 'x'] },
    ];
    const call = { id: brandAs<CallId>('c'), name: 'find_tools', argumentsText: '{}' };
    for (const structuredContent of odd) {
      const result = { content: [], isError: false, ...(structuredContent !== undefined && { structuredContent }) };
      expect(
        toolsNamedIn([
          { role: 'assistant', content: [], toolCalls: [call], stopReason: 'tool_use' },
          { role: 'tool', results: [{ callId: call.id, result }] },
        ]),
      ).toEqual([]);
    }
  });
});
