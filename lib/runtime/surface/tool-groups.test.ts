import { describe, expect, it } from 'vitest';
import type { ToolGroups } from '@/lib/cards/worker-settings';
import { textOf } from '@/lib/runtime/record/messages';
import { fakeTools } from '@/lib/testing/fake-tools';
import { graphOf } from '@/lib/testing/graph-of';
import { memorySessions } from '@/lib/testing/memory-sessions';
import { runGraph } from '@/lib/testing/run-graph';
import { scriptedModel, type TestCall } from '@/lib/testing/scripted-model';

const group = (fields: Partial<ToolGroups['groups'][string]>) => ({ active: true, agents: [], tools: [], ...fields });

async function runGroups(groups: ToolGroups['groups'], calls: readonly TestCall[] = [], activation = true) {
  const model = scriptedModel({
    lead: calls.length > 0 ? [...calls.map((call) => ({ calls: [call] })), 'end'] : 'end',
    kid: 'kid says',
    pal: 'pal says',
  });
  const tools = fakeTools({ box__open: () => 'opened', box__shut: () => 'shut' });
  const parsed = graphOf('lead > kid, pal', { settings: { tool_groups: { lead: { activation, groups } } } });
  const run = await runGraph({ parsed, model, tools: { mcp: tools } });
  const ended = run.sink.of('tool.ended').filter(({ path }) => path === 'lead');
  return {
    ...run,
    offered: model.requests.flatMap(({ agentName, tools: list }) => (agentName === 'lead' ? [list] : [])),
    results: ended.map(({ result }) => textOf(result.content)),
    codes: ended.map(({ result }) => result.errorCode),
  };
}

const names = (tools: readonly { readonly name: string }[] | undefined) => tools?.map(({ name }) => name);
const activate = (...to_activate: unknown[]): TestCall => ({
  tool: 'activate_tool_groups',
  arguments: { to_activate },
});

describe('tool groups', () => {
  it('a tool is there when it is in no group or in an active one', async () => {
    const { offered } = await runGroups(
      {
        off: group({ active: false, agents: ['kid', 'pal'], tools: ['box__o*'] }),
        on: group({ agents: ['pal'] }),
      },
      [],
      false,
    );
    expect(names(offered[0])).toEqual(['box__shut', 'agent__pal']);
  });

  it('a call of an inactive tool is refused, and nothing runs', async () => {
    const { codes, results, sink } = await runGroups({ off: group({ active: false, agents: ['kid'] }) }, [
      { tool: 'agent__kid' },
      { tool: 'nowhere' },
    ]);
    expect(codes).toEqual(['TOOL_INACTIVE', 'UNKNOWN_TOOL']);
    expect(results[0]).toBe(
      "Error: 'agent__kid' is not available: it is in the inactive tool group 'off'. Call 'activate_tool_groups' with it first.",
    );
    expect(sink.of('instance.queued')).toHaveLength(1);
  });

  it('refuses a child of an inactive group through worker_call too, and names the group', async () => {
    for (const create of ['never', 'allowed'] as const) {
      const groups = { off: group({ active: false, agents: ['kid'] }) };
      const call = { tool: 'worker_call', arguments: { worker: 'kid', input_data: 'x' } };
      const model = scriptedModel({
        lead: [{ calls: [call] }, { calls: [activate('off')] }, { calls: [call] }, 'end'],
        kid: 'kid says',
      });
      const parsed = graphOf('lead > kid, pal', {
        settings: {
          tool_groups: { lead: { activation: true, groups } },
          toolsets: { lead: { delegation: { create } } },
        },
      });
      const { sink } = await runGraph({ parsed, model });
      const ended = sink.of('tool.ended').filter(({ path }) => path === 'lead');
      expect(ended.map(({ result }) => [result.errorCode, textOf(result.content)])).toEqual([
        [
          'TOOL_INACTIVE',
          "Error: 'kid' is not available: it is in the inactive tool group 'off'. Call 'activate_tool_groups' with it first.",
        ],
        [undefined, 'Active now:\noff: agent__kid'],
        [undefined, 'kid says'],
      ]);
      const workers = model.requests.map(
        ({ agentName, tools }) =>
          agentName === 'lead' && tools.find(({ name }) => name === 'worker_call')?.inputSchema.properties,
      );
      expect(workers[0]).toMatchObject({ worker: { enum: ['pal'] } });
      expect(workers[2]).toMatchObject({ worker: { enum: ['kid', 'pal'] } });
    }
  });

  it('applies groups to created agents, and says when a group cannot be activated', async () => {
    const groups = { off: group({ active: false, tools: ['agent__*'] }) };
    const model = scriptedModel({
      lead: [
        { calls: [{ tool: 'worker_create', arguments: { name: 'fresh', instructions: 'Be.' } }] },
        {
          calls: [
            { tool: 'agent__fresh', arguments: {} },
            { tool: 'worker_call', arguments: { worker: 'fresh' } },
          ],
        },
        'end',
      ],
    });
    const parsed = graphOf('lead', {
      settings: {
        tool_groups: { lead: { activation: false, groups } },
        toolsets: { lead: { delegation: { create: 'allowed' } } },
      },
    });
    const { sink } = await runGraph({ parsed, model });
    expect(names(model.requests[1]?.tools)).toEqual(['worker_create', 'worker_call']);
    const why = "is not available: it is in the inactive tool group 'off', which cannot be activated here.";
    expect(
      sink
        .of('tool.ended')
        .map(({ result }) => textOf(result.content))
        .slice(1),
    ).toEqual([`Error: 'agent__fresh' ${why}`, `Error: 'fresh' ${why}`]);
    expect(model.unexpected).toEqual([]);
  });

  it('the meta tool lists the groups, activates, and says what there is now', async () => {
    const { offered, results } = await runGroups(
      {
        experts: group({ active: false, description: 'Experts.', agents: ['kid', 'pal'] }),
        box: group({ tools: ['box__*'] }),
      },
      [activate('experts'), activate('experts', 'box'), activate(), { tool: 'agent__kid' }],
    );
    expect(offered[0]?.find(({ name }) => name === 'activate_tool_groups')).toMatchObject({
      description: 'Make groups of tools available from your next step on. Active: box. Inactive: experts (Experts.).',
      inputSchema: { properties: { to_activate: { items: { enum: ['experts', 'box'] } } }, required: ['to_activate'] },
    });
    expect(names(offered[0])).toEqual(['box__open', 'box__shut', 'activate_tool_groups']);
    const everything = ['box__open', 'box__shut', 'activate_tool_groups', 'agent__kid', 'agent__pal'];
    // Nothing is ever deactivated, and an active group may be asked for again.
    expect(offered.slice(1).map(names)).toEqual([everything, everything, everything, everything]);
    expect(results).toEqual([
      'Active now:\nexperts: agent__kid, agent__pal',
      'Active now:\nexperts: agent__kid, agent__pal\nbox: box__open, box__shut',
      'Nothing changed.',
      'kid says',
    ]);
  });

  it('an unknown name among them changes nothing, and so does a missing list', async () => {
    const { results, codes, offered } = await runGroups({ experts: group({ active: false, agents: ['kid'] }) }, [
      activate('experts', 'gone'),
      { tool: 'activate_tool_groups' },
      activate('gone', 7),
    ]);
    expect(results).toEqual([
      "Error: There is no tool group 'gone'. Groups: experts.",
      "Error: 'to_activate' must be a list of group names.",
      "Error: There is no tool group 'gone', '7'. Groups: experts.",
    ]);
    expect(codes).toEqual(['INPUT_VALIDATION', 'INPUT_VALIDATION', 'INPUT_VALIDATION']);
    for (const tools of offered) expect(names(tools)).not.toContain('agent__kid');
  });

  it('a group that a child has activated is active when its session goes on', async () => {
    const sessions = memorySessions();
    const model = scriptedModel({
      lead: [
        { calls: [{ tool: 'agent__kid', arguments: { text: 'a' } }] },
        { calls: [{ tool: 'agent__kid', arguments: { text: 'b' } }] },
        'end',
      ],
      kid: ({ turn, instanceName }) =>
        instanceName === 'kid[1]' && turn === 1 ? { calls: [activate('box')] } : 'done',
    });
    const parsed = graphOf('lead > kid', {
      settings: {
        delegations: { lead: { kid: { session: 'reuse' } } },
        tool_groups: { kid: { activation: true, groups: { box: group({ active: false, tools: ['box__*'] }) } } },
      },
    });
    const tools = fakeTools({ box__open: () => 'opened' });
    await runGraph({ parsed, model, sessions, tools: { mcp: tools } });
    const offered = model.requests.flatMap((request) => (request.agentName === 'kid' ? [names(request.tools)] : []));
    expect(offered).toEqual([
      ['activate_tool_groups'],
      ['box__open', 'activate_tool_groups'],
      ['box__open', 'activate_tool_groups'],
    ]);
  });

  it('a group that the project has no more is no harm to a session that had it', async () => {
    const sessions = memorySessions();
    const key = { id: 'old', owner: 'lead > kid' };
    await sessions.save(key, { version: 1, history: [], state: {}, activeGroups: ['gone', 'box'] }, 'earlier');
    const model = scriptedModel({
      lead: [{ calls: [{ tool: 'agent__kid', arguments: { text: 'a', session_id: 'old' } }] }, 'end'],
      kid: 'done',
    });
    const parsed = graphOf('lead > kid', {
      settings: {
        delegations: { lead: { kid: { session: 'addressed' } } },
        tool_groups: { kid: { activation: true, groups: { box: group({ active: false, tools: ['box__*'] }) } } },
      },
    });
    const tools = { mcp: fakeTools({ box__open: () => 'opened' }) };
    const { outcome } = await runGraph({ parsed, model, sessions, tools });
    expect(outcome.status).toBe('completed');
    expect(names(model.requests[1]?.tools)).toEqual(['box__open', 'activate_tool_groups']);
    expect(model.requests[1]?.tools[1]?.description).not.toContain('gone');
  });

  it('is as it was when the run goes on after a crash', async () => {
    const groups = { experts: group({ active: false, agents: ['kid'] }) };
    const parsed = graphOf('lead > kid', { settings: { tool_groups: { lead: { activation: true, groups } } } });
    const scripts = { lead: [{ calls: [activate('experts')] }, { calls: [{ tool: 'agent__kid' }] }, 'end'], kid: 'k' };
    const whole = await runGraph({ parsed, model: scriptedModel(scripts) });
    for (let length = 0; length <= whole.log.length; length++) {
      const next = await runGraph({ parsed, model: scriptedModel(scripts), log: whole.log.slice(0, length) });
      expect(next.log.filter(({ kind }) => kind === 'instance.ended')).toHaveLength(2);
    }
  });
});
