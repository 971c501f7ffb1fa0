import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { defaultSettings } from '@/lib/cards/settings';
import { childToolName, type ToolNaming } from '@/lib/cards/tool-name';
import { childDescription } from '@/lib/runtime/delegation/child-route';
import type { ToolDescriptor } from '@/lib/runtime/ports';
import { cardsByName } from '@/lib/runtime/request/validate';
import { agentCard, graphOf } from '@/lib/testing/graph-of';
import { buildSurface } from './surface';

const namings: readonly ToolNaming[] = ['agent__', 'call_', 'plain'];

describe('tool names', () => {
  it('names by style', () => {
    const names = ['Kid', 'Research Agent', 'NY-Project-Manager', '研究员', '翻译员', 'a/b', '', '_own_'];
    expect(names.map((name) => namings.map((style) => childToolName(name, style)))).toEqual([
      ['agent__Kid', 'call_kid', 'Kid'],
      ['agent__Research_Agent', 'call_research_agent', 'Research_Agent'],
      ['agent__NY-Project-Manager', 'call_ny-project-manager', 'NY-Project-Manager'],
      ['agent__agent_HASH', 'call_agent_HASH', 'agent_HASH'].map((name) => name.replace('HASH', hashOf('研究员'))),
      ['agent__agent_HASH', 'call_agent_HASH', 'agent_HASH'].map((name) => name.replace('HASH', hashOf('翻译员'))),
      ['agent__a_b_HASH', 'call_a_b_HASH', 'a_b_HASH'].map((name) => name.replace('HASH', hashOf('a/b'))),
      ['agent__agent_HASH', 'call_agent_HASH', 'agent_HASH'].map((name) => name.replace('HASH', hashOf(''))),
      ['agent___own_', 'call__own_', '_own_'],
    ]);
    expect(hashOf('研究员')).not.toBe(hashOf('翻译员'));
    expect(childToolName('研究员', 'call_')).toHaveLength(19);
    expect(childToolName('Kid', 'agent__', ' ask_kid ')).toBe('ask_kid');
  });

  it('cuts the readable part of a long name and never leaves a double underscore by it', () => {
    const name = childToolName(`${'x'.repeat(47)}_${'y'.repeat(60)}`, 'agent__');
    expect(name).toMatch(/^agent__x{47}_[0-9a-f]{8}$/);
    expect(name.length).toBeLessThanOrEqual(64);
    const called = childToolName(`${'x'.repeat(49)} ${'y'.repeat(60)}`, 'call_');
    expect(called).toMatch(/^call_x{49}_[0-9a-f]{8}$/);
    expect(childToolName('x'.repeat(100), 'call_')).toMatch(/^call_x{50}_[0-9a-f]{8}$/);
  });

  it('is always legal and always the same', () => {
    const name = fc.oneof(
      fc.string(),
      fc.string({ unit: 'binary', maxLength: 120 }),
      fc.stringMatching(/^[\w-]{1,100}$/),
    );
    fc.assert(
      fc.property(name, fc.constantFrom(...namings), fc.option(name, { nil: undefined }), (agent, naming, explicit) => {
        const made = childToolName(agent, naming, explicit);
        expect(made).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
        expect(childToolName(agent, naming, explicit)).toBe(made);
      }),
    );
  });
});

describe('descriptions', () => {
  it('takes the delegation, then the description, then 200 characters of the instruction, then a sentence', () => {
    const card = agentCard('kid', { description: 'Does it.', instruction: 'x'.repeat(200) });
    const bare = { ...card, description: undefined };
    expect(childDescription(card, { description: 'Ask it.' })).toBe('Ask it.');
    expect(childDescription(card, {})).toBe('Does it.');
    expect(childDescription(bare, {})).toBe('x'.repeat(200));
    expect(childDescription({ ...bare, instruction: 'x'.repeat(201) }, {})).toBe(`${'x'.repeat(200)}...`);
    expect(childDescription({ ...bare, instruction: '🙂'.repeat(201) }, {})).toBe(`${'🙂'.repeat(200)}...`);
    expect(childDescription({ ...bare, instruction: undefined }, {})).toBe('Call kid to complete tasks');
  });
});

describe('the tool surface', () => {
  const parsed = graphOf('lead > kid, pal, kid, gone; pal > kid');
  const agents = new Map([...cardsByName(parsed)].filter(([name]) => name !== 'gone'));
  const lead = agentCard('lead', { agents: ['kid', 'pal', 'kid', 'gone'] });
  const tool = (name: string, source: ToolDescriptor['source']): ToolDescriptor => ({
    name,
    description: '',
    inputSchema: {},
    source,
  });

  it('lists MCP tools, function tools, runtime tools, then children', () => {
    const surface = buildSurface({
      card: lead,
      cards: agents,
      settings: parsed.settings,
      listed: {
        runtime: [tool('read_skill', 'runtime')],
        function: [tool('add_one', 'function')],
        mcp: [tool('time__now', 'mcp')],
      },
    });
    expect(surface.names).toEqual(['time__now', 'add_one', 'read_skill', 'agent__kid', 'agent__pal']);
    expect(surface.tools[3]).toEqual({
      name: 'agent__kid',
      description: 'You are kid.',
      inputSchema: {
        type: 'object',
        properties: {
          text: { type: 'string', description: 'Plain text input' },
          json: { type: 'object', description: 'Arbitrary JSON payload' },
        },
        additionalProperties: true,
      },
      source: 'agent',
    });
    expect(surface.warnings.map(({ code }) => code)).toEqual(['tool_name_clash', 'child_left_out']);
  });

  it('keeps the MCP tool and leaves the child of the same name out, with a warning', () => {
    const surface = buildSurface({
      card: agentCard('lead', { agents: ['kid'] }),
      cards: agents,
      settings: parsed.settings,
      listed: { mcp: [{ ...tool('agent__kid', 'mcp'), serverName: 'agent', remoteName: 'kid' }] },
    });
    expect(surface.names).toEqual(['agent__kid']);
    expect(surface.routes.get('agent__kid')).toMatchObject({ kind: 'port', port: 'mcp' });
    expect(surface.warnings).toEqual([
      {
        level: 'warning',
        code: 'tool_name_clash',
        message: "Agent 'kid' is left out: the name 'agent__kid' is taken by the MCP tool 'kid' of server 'agent'.",
      },
    ]);
  });

  it.each([
    ['mail', 'box__send', 'mail__box', 'send'],
    ['mail__box', 'send', 'mail', 'box__send'],
  ])(
    'offers one of two tools of two servers with one name, that of %s, and names both',
    (first, its, second, other) => {
      const listed = [
        { ...tool('mail__box__send', 'mcp'), serverName: first, remoteName: its },
        { ...tool('mail__box__send', 'mcp'), serverName: second, remoteName: other },
      ];
      const card = agentCard('lead', {});
      const surface = buildSurface({ card, cards: agents, settings: parsed.settings, listed: { mcp: listed } });
      expect(surface.names).toEqual(['mail__box__send']);
      expect(surface.routes.get('mail__box__send')).toMatchObject({ tool: { serverName: first, remoteName: its } });
      expect(surface.warnings).toEqual([
        {
          level: 'warning',
          code: 'tool_name_clash',
          message: `the MCP tool '${other}' of server '${second}' is left out: the name 'mail__box__send' is taken by the MCP tool '${its}' of server '${first}'.`,
        },
      ]);
    },
  );

  it("lists a card's tool_input_schema unchanged and has one schema per input mode", () => {
    const own = { type: 'object', properties: { q: { type: 'string' } }, required: ['q'] };
    const schemaOf = (input_mode?: 'request' | 'message' | 'input_data' | 'schema') =>
      buildSurface({
        card: agentCard('lead', { agents: ['kid'] }),
        cards: new Map([['kid', agentCard('kid', { toolInputSchema: own })]]),
        settings: { ...defaultSettings, tool_naming: 'plain', delegations: { lead: { kid: { input_mode } } } },
        listed: {},
      }).tools[0]?.inputSchema;
    expect(schemaOf()).toBe(own);
    expect(schemaOf('schema')).toBe(own);
    expect(schemaOf('request')).toMatchObject({ properties: { request: { type: 'string' } }, required: ['request'] });
    expect(schemaOf('message')).toMatchObject({ properties: { message: { type: 'string' } }, required: ['message'] });
    expect(schemaOf('input_data')).toMatchObject({ properties: { input_data: {} } });
  });
});

function hashOf(name: string): string {
  return childToolName(name, 'plain').slice(-8);
}
