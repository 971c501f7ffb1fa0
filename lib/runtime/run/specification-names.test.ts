import { describe, expect, it } from 'vitest';
import type { JsonObject } from '@/lib/base/json';
import type { AgentCard } from '@/lib/cards/card';
import { folderOf } from '@/lib/cards/files';
import type { ParsedFolder } from '@/lib/cards/parsed-folder';
import { readFolder } from '@/lib/cards/project/read-folder';
import type { HookContext } from '@/lib/runtime/ports';
import { type ToolResult, textOf } from '@/lib/runtime/record/messages';
import {
  declined,
  extractSessionId,
  generateReasons,
  getSubAgentGenerateReason,
  isSubAgentResult,
  pendingCallsOf,
} from '@/lib/runtime/sub-agents/sub-agent-result';
import { programOf, resultOf } from '@/lib/testing/agent-run';
import { fakeClock } from '@/lib/testing/fake-clock';
import { fakeHooks } from '@/lib/testing/fake-hooks';
import { fakeTools } from '@/lib/testing/fake-tools';
import { memorySessions } from '@/lib/testing/memory-sessions';
import { runGraph, type TestRun } from '@/lib/testing/run-graph';
import { type ScriptedModel, scriptedModel, type TestCall, type TestScript } from '@/lib/testing/scripted-model';
import { send } from '@/lib/testing/stints-of';
import { kidWith, lead as suspending } from '@/lib/testing/suspending-kid';

/**
 * Each name that the specifications of tool hooks and of agents as tools give to people: it passes the checker, and does what the
 * specification says. Names of Python (types, parameters, imports) are held by lib/sandbox/python/hook-types.test.ts, the loader of
 * functions by lib/sandbox/place-of-spec.test.ts, and files of sessions by lib/cli/file-sessions.test.ts.
 */

interface Seen extends TestRun {
  readonly lead: AgentCard;
  readonly model: ScriptedModel;
  readonly contexts: readonly HookContext[];
}

interface Scene {
  /** Lines of the front matter of `lead`, beside its name. */
  readonly card: string;
  readonly calls?: readonly TestCall[];
  readonly kid?: TestScript;
  /** Lines of callboard.yaml. */
  readonly settings?: string;
}

const child = (text: string): TestCall => ({ tool: 'agent__kid', arguments: { text } });

/** The project of a scene. The checker finds no error in it. */
function projectOf({ card, settings = '' }: Scene): ParsedFolder {
  const front = card.includes('default') ? card : `${card}\ndefault: true`;
  const parsed = readFolder(
    folderOf({
      'agent-cards/lead.md': `---\nname: lead\n${front}\n---\nYou are lead.\n`,
      'agent-cards/kid.md': '---\nname: kid\ndescription: Knows all.\n---\nYou are kid.\n',
      'agent-cards/tools.py': 'def add_one(x: int) -> int:\n    return x + 1\n',
      'agent-cards/hooks.py': 'async def audit(ctx, args, call_next):\n    return await call_next(args)\n',
      'fast-agent.yaml': 'default_model: test-model\nmcp: {servers: {time: {command: node, args: [time.mjs]}}}\n',
      'callboard.yaml': `version: 1\n${settings}\n`,
    }),
  );
  expect(parsed.issues.filter(({ severity }) => severity === 'error')).toEqual([]);
  return parsed;
}

async function play(scene: Scene): Promise<Seen> {
  const { card, calls = [], kid = 'kid says' } = scene;
  const parsed = projectOf(scene);
  const lead = parsed.cards.find((one): one is AgentCard => one.type === 'agent' && one.name === 'lead');
  if (lead === undefined) throw new Error('There is no card of lead.');
  const turns: TestScript = calls.length === 0 ? 'end' : [{ calls }, 'end'];
  const clock = fakeClock();
  const model = scriptedModel({ lead: turns, kid }, clock);
  const contexts: HookContext[] = [];
  const around = (context: HookContext, args: JsonObject, next: (args: JsonObject) => Promise<ToolResult>) => {
    contexts.push(context);
    return next(args);
  };
  const addOne = { add_one: ({ x }: JsonObject) => String(Number(x) + 1) };
  const tools = {
    mcp: fakeTools(card.includes('servers') ? { time__get_time: () => 'noon' } : {}),
    function: fakeTools(card.includes('function_tools') ? addOne : {}, { source: 'function' }),
  };
  const sessions = memorySessions();
  const run = await runGraph({ parsed, model, clock, tools, sessions, hooks: fakeHooks({ audit: { around } }) });
  return { ...run, lead, model, contexts };
}

const results = ({ sink }: Seen) => sink.of('tool.ended').map(({ result }) => textOf(result.content));
const offered = ({ model }: Seen) => model.requests[0]?.tools.map(({ name }) => name);
const schemaOf = ({ model }: Seen, name: string) =>
  model.requests[0]?.tools.find((tool) => tool.name === name)?.inputSchema;
const asked = ({ model }: Seen, agent: string) =>
  model.requests.filter(({ agentName }) => agentName === agent).map(({ messages }) => messages);
/** What each start and end of an instance of `kid` is, in order. */
const course = ({ sink }: Seen) =>
  sink.events.flatMap(({ kind, ...event }) =>
    (kind === 'instance.started' || kind === 'instance.ended') && 'path' in event && event.path !== 'lead'
      ? [`${event.path} ${kind}`]
      : [],
  );

describe('fields of a card', () => {
  it.each<[string, Scene, (seen: Seen) => void]>([
    ['type: agent', { card: 'type: agent' }, ({ lead }) => expect(lead.type).toBe('agent')],
    ['name', { card: '' }, ({ sink }) => expect(sink.of('instance.started')[0]?.path).toBe('lead')],
    ['default', { card: 'default: true' }, ({ sink }) => expect(sink.of('run.started')[0]?.entryAgent).toBe('lead')],
    [
      'instruction',
      { card: 'default: true' },
      ({ model }) => expect(model.requests[0]?.instruction).toContain('You are lead.'),
    ],
    [
      'servers',
      { card: 'servers: [time]\ndefault: true', calls: [{ tool: 'time__get_time' }] },
      (seen) => expect(results(seen)).toEqual(['noon']),
    ],
    [
      'tools',
      { card: 'servers: [time]\ntools:\n  time: [get_time]\ndefault: true' },
      ({ lead }) => expect(lead.tools).toEqual({ time: ['get_time'] }),
    ],
    [
      'function_tools',
      {
        card: 'function_tools:\n  - tools.py:add_one\ndefault: true',
        calls: [{ tool: 'add_one', arguments: { x: 3 } }],
      },
      (seen) => expect(results(seen)).toEqual(['4']),
    ],
    [
      'agents',
      { card: 'agents:\n  - kid\ndefault: true', calls: [child('x')] },
      (seen) => expect(results(seen)).toEqual(['kid says']),
    ],
    [
      'tool_hooks',
      { card: 'agents: [kid]\ntool_hooks:\n  - hooks.py:audit\ndefault: true', calls: [child('x')] },
      ({ contexts }) => expect(contexts).toHaveLength(1),
    ],
    [
      'history_source: none',
      { card: 'agents: [kid]\nhistory_source: none\ndefault: true', calls: [child('x'), child('y')] },
      (seen) => expect(asked(seen, 'kid').map(({ length }) => length)).toEqual([1, 1]),
    ],
    [
      'history_merge_target: none',
      { card: 'agents: [kid]\nhistory_merge_target: none\ndefault: true', calls: [child('x')] },
      ({ sink }) => expect(sink.of('history.merged')).toEqual([]),
    ],
    [
      'max_parallel',
      { card: 'agents: [kid]\nmax_parallel: 1\ndefault: true', calls: [child('x'), child('y')] },
      (seen) =>
        expect(course(seen)).toEqual([
          'lead/kid[1] instance.started',
          'lead/kid[1] instance.ended',
          'lead/kid[2] instance.started',
          'lead/kid[2] instance.ended',
        ]),
    ],
    [
      'child_timeout_sec',
      {
        card: 'agents: [kid]\nchild_timeout_sec: 2\ndefault: true',
        calls: [child('x')],
        kid: { text: 'late', delayMs: 9_000 },
      },
      ({ sink }) => expect(sink.of('tool.ended')[0]?.result.errorCode).toBe('AGENT_TIMEOUT'),
    ],
    [
      'max_display_instances',
      { card: 'agents: [kid]\nmax_display_instances: 20\ndefault: true' },
      ({ sink }) => expect(sink.of('instance.started')[0]?.maxDisplayInstances).toBe(20),
    ],
  ])('%s', async (_, scene, holds) => {
    holds(await play(scene));
  });
});

describe('the identity of a call in a hook', () => {
  const card =
    'servers: [time]\nfunction_tools: [tools.py:add_one]\nagents: [kid]\ntool_hooks: [hooks.py:audit]\ndefault: true';
  it.each<[string, TestCall, Partial<HookContext>]>([
    ['mcp', { tool: 'time__get_time' }, { serverName: 'time', toolName: 'time__get_time' }],
    ['function', { tool: 'add_one', arguments: { x: 1 } }, { serverName: null, toolName: 'add_one' }],
    ['agent', child('x'), { serverName: 'agent', toolName: 'agent__kid' }],
    ['runtime', { tool: 'get_state' }, { serverName: 'runtime', toolName: 'get_state' }],
  ])(
    'tool_source %s, with server_name, tool_name, agent_name, tool_use_id and correlation_id',
    async (source, call, names) => {
      const { contexts } = await play({
        card,
        calls: [{ ...call, id: 'id1' }],
        settings: 'runtime_tools: {state: true}',
      });
      expect(contexts).toEqual([
        expect.objectContaining({ ...names, agentName: 'lead', toolSource: source, toolUseId: 'id1' }),
      ]);
      expect(contexts[0]?.correlationId).toMatch(/^c\d$/);
    },
  );
});

describe('options of an agent as a tool', () => {
  const edge = (options: string) => `delegations: {lead: {kid: {${options}}}}`;
  const card = 'agents: [kid]\ndefault: true';
  const ask = (args: JsonObject): TestCall => ({ tool: 'agent__kid', arguments: args });

  it.each<[string, Scene, (seen: Seen) => void]>([
    [
      'the name by default',
      { card, settings: 'tool_naming: call_' },
      (seen) => expect(offered(seen)).toEqual(['call_kid']),
    ],
    [
      'tool_name',
      { card, settings: edge('tool_name: ask_expert') },
      (seen) => expect(offered(seen)).toEqual(['ask_expert']),
    ],
    [
      'description',
      { card, settings: edge('description: Consult the expert') },
      ({ model }) => expect(model.requests[0]?.tools[0]?.description).toBe('Consult the expert'),
    ],
    [
      'the description by default',
      { card },
      ({ model }) => expect(model.requests[0]?.tools[0]?.description).toBe('Knows all.'),
    ],
    [
      'forward_events',
      { card, settings: edge('forward_events: false'), calls: [child('x')] },
      ({ sink }) => expect(sink.deltas.filter(({ path }) => path !== 'lead')).toEqual([]),
    ],
    [
      'forward_events by default',
      { card, calls: [child('x')] },
      ({ sink }) => expect(sink.deltas.filter(({ path }) => path !== 'lead')).toHaveLength(1),
    ],
    [
      'the parameters message, which is required, and session_id, which is not',
      { card, settings: edge('session: addressed, input_mode: message') },
      (seen) => {
        expect(schemaOf(seen, 'agent__kid')).toMatchObject({
          properties: { message: { type: 'string' }, session_id: { type: 'string' } },
          required: ['message'],
        });
      },
    ],
    [
      'session_id, which begins the answer',
      { card, settings: edge('session: addressed, input_mode: message'), calls: [ask({ message: 'x' })] },
      (seen) => expect(results(seen)[0]).toMatch(/^session_id: \S+\n\n?kid says$/),
    ],
    [
      'a tool group with its name, description and whether it is active',
      {
        card,
        settings: 'tool_groups: {lead: {groups: {experts: {description: Expert Agents, active: true, agents: [kid]}}}}',
      },
      (seen) => expect(offered(seen)).toEqual(['agent__kid']),
    ],
    [
      'a tool group that is not active',
      { card, settings: 'tool_groups: {lead: {groups: {experts: {active: false, agents: [kid]}}}}' },
      (seen) => expect(offered(seen)).toEqual([]),
    ],
  ])('%s', async (_, scene, holds) => holds(await play(scene)));

  it('session_id of an answer goes on with its conversation', async () => {
    const parsed = projectOf({ card, settings: edge('session: addressed, input_mode: message') });
    const model = scriptedModel({
      kid: 'kid says',
      lead: ({ messages, turn }) => {
        const id = /session_id: (\S+)/.exec(JSON.stringify(messages.at(-1)).replaceAll('\\n', '\n'))?.[1];
        if (turn === 1) return { calls: [ask({ message: 'first' })] };
        return turn === 2 ? { calls: [ask({ message: 'second', session_id: id ?? '' })] } : 'end';
      },
    });
    await runGraph({ parsed, model, sessions: memorySessions() });
    const kid = model.requests.filter(({ agentName }) => agentName === 'kid');
    expect(kid.map(({ messages }) => messages.map((one) => (one.role === 'tool' ? '' : textOf(one.content))))).toEqual([
      ['first'],
      ['first', 'kid says', 'second'],
    ]);
  });
});

describe('a child that waits for people, in a program', () => {
  const scripts = { lead: suspending, kid: kidWith(send('Ann')) };

  it('enable_hitl and enable_sub_agent_hitl: TOOL_SUSPENDED, then call() goes on', async () => {
    const program = programOf({ scripts });
    expect(await program.call()).toMatchObject({ status: 'suspended', reason: 'TOOL_SUSPENDED' });
    expect(await program.call()).toMatchObject({ status: 'completed', reason: 'MODEL_STOP', text: 'over' });
    expect(program.sent).toEqual(['Ann']);
  });

  it('isSubAgentResult, getSubAgentGenerateReason, extractSessionId and the pending calls with id, name and input', async () => {
    const { results: given } = await programOf({ scripts }).call();
    const kid = resultOf(given, 'agent__kid');
    expect(isSubAgentResult(kid)).toBe(true);
    expect(isSubAgentResult({ id: 'x', name: 'y', content: [] })).toBe(false);
    expect(generateReasons).toContain(getSubAgentGenerateReason(kid));
    expect(extractSessionId(kid)).toMatch(/./);
    expect(pendingCallsOf(kid)).toMatchObject([{ id: expect.any(String), name: 'box__send', input: { to: 'Ann' } }]);
  });

  it.each(['submitSubAgentResult', 'submitSubAgentResults'] as const)(
    '%s declines with "Operation cancelled"',
    async (method) => {
      const program = programOf({ scripts });
      const { results: given } = await program.call();
      const kid = resultOf(given, 'agent__kid');
      const all = pendingCallsOf(kid).map((call) => declined(call));
      if (method === 'submitSubAgentResults') program.run.submitSubAgentResults(kid.id, all);
      else for (const one of all) program.run.submitSubAgentResult(kid.id, one);
      expect((await program.call()).status).toBe('completed');
      expect(program.sent).toEqual([]);
      expect(JSON.stringify(program.run.log)).toContain('Operation cancelled');
    },
  );

  it.each(['enable_hitl', 'enable_sub_agent_hitl'])(
    '%s is off by default, and then nothing is suspended',
    async (off) => {
      const session = 'addressed' as const;
      const settings =
        off === 'enable_hitl' ? { delegations: { lead: { kid: { session } } } } : { enable_sub_agent_hitl: {} };
      expect((await programOf({ scripts, settings }).call()).status).toBe('completed');
    },
  );
});
