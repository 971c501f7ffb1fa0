import { describe, expect, it } from 'vitest';
import { folderOf } from '@/lib/cards/files';
import { readFolder } from '@/lib/cards/project/read-folder';
import { graphOf } from '@/lib/testing/graph-of';
import type { Graph } from './graph';
import { projectGraph } from './project';
import { canConnect } from './rules';

function graphIn(files: Record<string, string>): Graph {
  return projectGraph(readFolder(folderOf(files)));
}

/** `delegation lead→kid [schema]` */
function wires(graph: Graph): string[] {
  return graph.edges.map(({ kind, source, target, order, marks }) => {
    const place = order === undefined ? '' : ` #${order}`;
    return `${kind} ${source}→${target}${place}${marks.length === 0 ? '' : ` [${marks.join(', ')}]`}`;
  });
}

function card(fields: string): string {
  return `---\n${fields}\n---\nDo it.\n`;
}

describe('projectGraph', () => {
  it('draws every card type', () => {
    const graph = graphIn({
      'a.md': card(
        'agents: [w]\nhuman_input: true\nshell: true\nskills: [./s]\nmax_parallel: 4\nchild_timeout_sec: 90',
      ),
      'b.md': card('type: chain\nsequence: [a, w, a]\ncumulative: true'),
      'c.md': card('type: parallel\nfan_out: [a, b]\nfan_in: w'),
      'd.md': card('type: evaluator_optimizer\ngenerator: a\nevaluator: w\nmin_rating: EXCELLENT'),
      'e.md': card('type: router\nagents: [a]\nservers: [time]\ntools:\n  time: ["get_*"]'),
      'f.md': card('type: orchestrator\nagents: [a]\nhuman_input: true'),
      'g.md': card('type: iterative_planner\nagents: [a]'),
      'h.md': card('type: MAKER\nworker: w'),
      'i.md': card('type: a2a\nurl: http://x'),
      'w.md': card('tool_input_schema:\n  type: object'),
    });
    expect(wires(graph)).toEqual([
      'delegation agent:a→agent:w [schema, ≤ 90 s, 4 at once]',
      'uses agent:a→builtin:shell',
      'uses agent:a→builtin:human_input',
      'uses agent:a→builtin:skills [./s]',
      'sequence agent:b→agent:a #1 [cumulative]',
      'sequence agent:b→agent:w #2 [cumulative]',
      'sequence agent:b→agent:a #3 [cumulative]',
      'fan_out agent:c→agent:a #1',
      'fan_out agent:c→agent:b #2',
      'fan_in agent:c→agent:w [with request]',
      'generator agent:d→agent:a [≤ 3 refinements]',
      'evaluator agent:d→agent:w [until EXCELLENT]',
      'route agent:e→agent:a',
      'uses agent:e→server:time [get_*]',
      'plan agent:f→agent:a',
      'uses agent:f→builtin:human_input',
      'plan agent:g→agent:a',
      'worker agent:h→agent:w [first to lead by 3, ≤ 50 samples]',
    ]);
    expect(graph.nodes.map((node) => node.id)).toEqual([
      ...[...'abcdefghiw'].map((name) => `agent:${name}`),
      'server:time',
      'builtin:shell',
      'builtin:human_input',
      'builtin:skills',
    ]);
    expect(graph.edges.map((edge) => edge.id).filter((id) => id.includes('#'))).toEqual(['sequence:agent:b→agent:a#2']);
  });

  it('draws what is missing', () => {
    const graph = graphIn({
      'a.md': card(
        'agents: [ghost]\nservers: [nowhere]\nfunction_tools: [t.py:f, u.py:g]\ntool_hooks: [h.py:x, u.py:y]',
      ),
      'u.py': 'def g(): ...\nasync def y(ctx, args, call_next): ...\n',
    });
    expect(graph.nodes.map((node) => [node.id, 'missing' in node && node.missing])).toEqual([
      ['agent:a', false],
      ['agent:ghost', true],
      ['server:nowhere', true],
      ['function:t.py:f', true],
      ['function:u.py:g', false],
    ]);
    expect(graph.chains['agent:a']?.map(({ id, spec, missing }) => [id, spec, missing])).toEqual([
      ['tool_hooks.0', 'h.py:x', true],
      ['tool_hooks.1', 'u.py:y', false],
    ]);
  });

  it('orders phase hooks by phase and shares function nodes between folders of cards', () => {
    const graph = graphIn({
      'x/a.md': card(
        'function_tools: ../t.py:f\ntool_hooks:\n  after_tool_call: ../t.py:b\n  before_llm_call: ../t.py:c',
      ),
      'y/b.md': card('function_tools: ["../t.py:f"]'),
      't.py': '',
    });
    expect(graph.chains['agent:a']?.map(({ phase }) => phase)).toEqual(['before_llm_call', 'after_tool_call']);
    expect(wires(graph)).toEqual(['uses agent:a→function:t.py:f', 'uses agent:b→function:t.py:f']);
  });

  it('shows servers of the config, used or not, and mcp_connect targets', () => {
    const graph = graphIn({
      'a.md': card('servers: [time]\ntools:\n  time: []\nmcp_connect:\n  far: { target: "https://x/sse" }'),
      'fast-agent.yaml': 'mcp:\n  servers:\n    spare: { url: "http://s/mcp" }\n    time: { command: node }\n',
    });
    expect(graph.nodes.filter((node) => node.kind === 'server')).toEqual([
      { kind: 'server', id: 'server:spare', name: 'spare', transport: 'http', missing: false },
      { kind: 'server', id: 'server:time', name: 'time', transport: 'stdio', missing: false },
      { kind: 'server', id: 'server:far', name: 'far', transport: 'sse', missing: false },
    ]);
    expect(wires(graph)).toEqual(['uses agent:a→server:time [no tools]', 'uses agent:a→server:far']);
  });

  it('keeps two cards of one name apart', () => {
    const graph = graphIn({ 'a.md': card('name: x'), 'b.md': card('name: x\nagents: [x]') });
    expect(graph.nodes.map((node) => node.id)).toEqual(['agent:x', 'agent:x#2']);
    expect(wires(graph)).toEqual(['delegation agent:x#2→agent:x']);
  });

  it('marks options of the edge before those of the parent', () => {
    const parsed = graphOf('lead > kid', {
      cards: { lead: { childTimeoutSec: 60, historySource: 'orchestrator' } },
      settings: { delegations: { lead: { kid: { tool_name: 'ask', timeout_ms: 500, max_depth: 2 } } } },
    });
    expect(projectGraph(parsed).edges[0]?.marks).toEqual(['as ask', '≤ 500 ms', 'depth ≤ 2', 'history: orchestrator']);
  });

  it('projects a thousand cards whatever the depth', () => {
    const names = Array.from({ length: 1000 }, (_, index) => `a${index}`);
    const graph = projectGraph(graphOf(names.map((name, at) => `${name} > ${names[at + 1] ?? ''}`).join(';')));
    expect([graph.nodes.length, graph.edges.length]).toEqual([1000, 999]);
  });
});

describe('canConnect', () => {
  const parsed = graphOf('lead > writer, ghosted; writer > critic; solo', { cards: { lead: { servers: ['time'] } } });
  const graph = projectGraph(parsed);

  it.each([
    ['agent:lead', 'agent:critic'],
    ['agent:solo', 'agent:lead'],
    ['agent:solo', 'server:time'],
  ])('allows %s → %s', (source, target) => {
    expect(canConnect(graph, parsed, source, target)).toEqual({ ok: true });
  });

  it.each([
    ['agent:lead', 'agent:lead', "'lead' cannot delegate to itself."],
    ['agent:lead', 'agent:writer', "'writer' is already connected to 'lead'."],
    ['agent:lead', 'server:time', "'lead' already uses time."],
    ['agent:critic', 'agent:lead', 'That would make a cycle: critic → lead → writer → critic.'],
    ['server:time', 'agent:lead', "Wires start at an agent. 'time' is an MCP server."],
    ['agent:lead', 'agent:nobody', 'Drop the wire on a node.'],
  ])('refuses %s → %s', (source, target, reason) => {
    expect(canConnect(graph, parsed, source, target)).toEqual({ ok: false, reason });
  });

  it('knows what each card type can hold', () => {
    const all = readFolder(
      folderOf({
        'a.md': card('servers: [s]\nshell: true\nfunction_tools: [t.py:f]'),
        'chain.md': card('type: chain\nsequence: [a]'),
        'eval.md': card('type: evaluator_optimizer\ngenerator: a\nevaluator: b'),
        'far.md': card('type: a2a\nurl: http://x'),
        'maker.md': card('type: MAKER\nworker: a'),
        'b.md': card('name: b'),
        't.py': 'def f(): ...\n',
      }),
    );
    const drawn = projectGraph(all);
    const reason = (source: string, target: string) => {
      const verdict = canConnect(drawn, all, source, target);
      return verdict.ok ? undefined : verdict.reason;
    };
    expect(reason('agent:chain', 'agent:a')).toBeUndefined();
    expect(reason('agent:chain', 'server:s')).toBe(
      'A card of type chain takes no MCP servers. Wire them to its members.',
    );
    expect(reason('agent:chain', 'function:t.py:f')).toBe(
      'A card of type chain takes no function tools. Wire them to its members.',
    );
    expect(reason('agent:chain', 'builtin:shell')).toBe('A card of type chain cannot use the shell.');
    expect(reason('agent:eval', 'agent:b')).toMatch(/has its generator and its evaluator/);
    expect(reason('agent:maker', 'agent:b')).toMatch(/has its worker 'a'/);
    expect(reason('agent:far', 'agent:b')).toMatch(/remote agent/);
  });
});
