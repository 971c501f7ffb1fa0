import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { brandAs } from '@/lib/base/ids';
import type { ParsedFolder } from '@/lib/cards/parsed-folder';
import { projectGraph } from '@/lib/graph/project';
import type { EventBody } from '@/lib/runtime/record/events';
import { eventsOf } from '@/lib/testing/events-of';
import { graphOf } from '@/lib/testing/graph-of';
import { begin, ended, fold, log, queued, started, toolOff, toolOn } from '@/lib/testing/trace-log';
import { spanName, type Trace } from '@/lib/trace/trace';
import { type CallTarget, callsOf, strangersOf, targetOfEdge, targetOfHook, targetOfNode } from './last-calls';

function pictureOf(drawn: ParsedFolder) {
  const graph = projectGraph(drawn);
  return { drawn, graph, nodes: new Map(graph.nodes.map((node) => [node.id, node])) };
}

const office = pictureOf(
  graphOf('lead > writer, critic; critic > writer', {
    cards: {
      lead: { servers: ['time'], functionTools: [functionTool('tools.ts', 'add')], shell: true },
      critic: { servers: ['time'], functionTools: [functionTool('other.ts', 'add')] },
    },
  }),
);

function functionTool(file: string, functionName: string) {
  const nothing = { variant: undefined, codeArg: undefined, language: undefined };
  return { entrypoint: `${file}:${functionName}`, file, functionName, ...nothing };
}

/** Returns the calls as `nth:path`, or `nth:tool` for those of tools, newest first. */
function namesOf(trace: Trace, target: CallTarget | undefined, most = 100): readonly string[] {
  if (target === undefined) return [];
  return callsOf(trace, target, most).newest.map(({ nth, span }) => {
    const path = trace.lanes[trace.spans.lane.at(span)]?.path ?? '';
    return `${nth}:${trace.spans.kindOf(span) === 'instance' ? path : `${path} ${spanName(trace, span)}`}`;
  });
}

const ofNode = (trace: Trace, id: string) => namesOf(trace, targetOfNode(office, id));
const ofWire = (trace: Trace, source: string, target: string) =>
  namesOf(trace, targetOfEdge(office, { source, target }));

/** A call of a child: refused before it began if it has no instance. */
const refuse = (path: string, n: number): EventBody => ({
  kind: 'tool.ended',
  path: brandAs(path),
  step: brandAs(`${path}#t${n}`),
  callId: brandAs(`call-${n}`),
  result: { content: [], isError: true, errorCode: 'INPUT_VALIDATION' },
});
const on = (body: EventBody, serverName: string) => ({ ...body, serverName }) as EventBody;

describe('agents and wires between them', () => {
  const trace = fold(
    eventsOf('lead 0-90', 'writer[1] 10-40', 'writer[2] 12-30', 'critic[1] 41-80', 'lead/critic[1]/writer[1] 50-60'),
  );

  it('finds parallel instances and nested ones, newest first', () => {
    expect(ofNode(trace, 'agent:writer')).toEqual([
      '3:lead/critic[1]/writer[1]',
      '2:lead/writer[2]',
      '1:lead/writer[1]',
    ]);
    expect(ofNode(trace, 'agent:lead')).toEqual(['1:lead']);
  });

  it('gives a wire only the calls of its own agent', () => {
    expect(ofWire(trace, 'agent:lead', 'agent:writer')).toEqual(['2:lead agent__writer', '1:lead agent__writer']);
    expect(ofWire(trace, 'agent:critic', 'agent:writer')).toEqual(['1:lead/critic[1] agent__writer']);
  });

  it('lists the newest and counts all', () => {
    const target = targetOfNode(office, 'agent:writer');
    expect(target && callsOf(trace, target, 1)).toMatchObject({
      count: 3,
      failed: 0,
      running: 0,
      newest: [{ nth: 3 }],
    });
  });

  it('finds nothing of an agent that has another name now, and tells it', () => {
    const renamed = pictureOf(graphOf('lead > author, critic; critic > author'));
    expect(namesOf(trace, targetOfNode(renamed, 'agent:author'))).toEqual([]);
    expect(strangersOf(trace, renamed)).toEqual([{ kind: 'agent', name: 'writer', calls: 3 }]);
    expect(strangersOf(trace, office)).toEqual([]);
  });

  it('gives a second card of a name no calls, because runs use the first', () => {
    const twice = pictureOf({
      ...office.drawn,
      cards: [...office.drawn.cards, ...office.drawn.cards.filter(({ name }) => name === 'writer')],
    });
    expect(twice.nodes.has('agent:writer#2')).toBe(true);
    expect(targetOfNode(twice, 'agent:writer#2')).toBeUndefined();
  });
});

describe('calls that are no plain success', () => {
  const call = (n: number) => toolOn('lead', n, 'agent__writer', 'agent');

  it('shows a refused call at the wire, and not at the agent that it did not reach', () => {
    const trace = fold(
      log([0, begin], [0, queued('lead')], [0, started('lead')], [1, call(1)], [2, refuse('lead', 1)]),
    );
    expect(ofWire(trace, 'agent:lead', 'agent:writer')).toEqual(['1:lead agent__writer']);
    expect(ofWire(trace, 'agent:lead', 'agent:critic')).toEqual([]);
    expect(ofNode(trace, 'agent:writer')).toEqual([]);
  });

  it('counts a call that was tried again as one call of two instances', () => {
    const again = { ...queued('lead/writer[1.2]', 'lead#t1'), agentName: 'writer', attempt: 2 };
    const trace = fold(
      log(
        ...([
          [0, begin],
          [0, queued('lead')],
          [0, started('lead')],
          [1, call(1)],
        ] as const),
        ...([
          [1, { ...queued('lead/writer[1]', 'lead#t1') }],
          [1, started('lead/writer[1]')],
        ] as const),
        ...([
          [5, ended('lead/writer[1]', 'timeout')],
          [6, again],
          [6, started('lead/writer[1.2]')],
        ] as const),
        ...([
          [8, ended('lead/writer[1.2]')],
          [8, toolOff('lead', 1)],
        ] as const),
      ),
    );
    expect(ofWire(trace, 'agent:lead', 'agent:writer')).toHaveLength(1);
    const target = targetOfNode(office, 'agent:writer');
    expect(target && callsOf(trace, target, 9)).toMatchObject({ count: 2, failed: 1 });
  });

  it('keeps a cached answer and a call that goes on', () => {
    const cached: EventBody = { ...ended('lead/writer[1]'), cached: true } as EventBody;
    const trace = fold(
      log(
        ...([
          [0, begin],
          [0, queued('lead')],
          [0, started('lead')],
          [1, call(1)],
        ] as const),
        ...([
          [1, queued('lead/writer[1]', 'lead#t1')],
          [1, cached],
          [2, toolOff('lead', 1)],
          [3, call(2)],
        ] as const),
        ...([
          [3, queued('lead/writer[2]', 'lead#t2')],
          [3, started('lead/writer[2]')],
        ] as const),
      ),
    );
    const target = targetOfEdge(office, { source: 'agent:lead', target: 'agent:writer' });
    expect(target && callsOf(trace, target, 9)).toMatchObject({ count: 2, running: 1 });
    expect(ofNode(trace, 'agent:writer')).toHaveLength(2);
  });
});

describe('servers, functions and built-ins', () => {
  const trace = fold(
    log(
      ...([
        [0, begin],
        [0, queued('lead')],
        [0, started('lead')],
      ] as const),
      [1, { kind: 'setup.started', path: brandAs('lead'), step: brandAs('lead#s1'), what: 'server', name: 'time' }],
      [2, on(toolOn('lead', 1, 'time__now'), 'time')],
      [3, toolOn('lead', 2, 'add', 'function')],
      [4, toolOn('lead', 3, 'execute', 'runtime')],
      [5, queued('lead/critic[1]')],
      [5, started('lead/critic[1]')],
      [6, on(toolOn('lead/critic[1]', 1, 'time__now'), 'time')],
      [7, toolOn('lead/critic[1]', 2, 'add', 'function')],
      [8, on(toolOn('lead', 4, 'gone__do'), 'gone')],
    ),
  );

  it('finds the calls and the start of a server, and at a wire those of one agent', () => {
    expect(ofNode(trace, 'server:time')).toEqual(['3:lead/critic[1] time__now', '2:lead time__now', '1:lead time']);
    expect(ofWire(trace, 'agent:critic', 'server:time')).toEqual(['1:lead/critic[1] time__now']);
  });

  it('tells functions of one name apart by who may call them', () => {
    expect(ofNode(trace, 'function:tools.ts:add')).toEqual(['1:lead add']);
    expect(ofNode(trace, 'function:other.ts:add')).toEqual(['1:lead/critic[1] add']);
  });

  it('finds the calls of a built-in', () => {
    expect(ofNode(trace, 'builtin:shell')).toEqual(['1:lead execute']);
  });

  it('tells a server that the project no longer has', () => {
    expect(strangersOf(trace, office)).toEqual([{ kind: 'server', name: 'gone', calls: 1 }]);
  });
});

describe('hooks', () => {
  const code = (name: string) => ({ spec: `hooks.ts:${name}`, file: 'hooks.ts', functionName: name });
  const chain = [code('audit'), code('log'), code('audit')];
  const hooked = pictureOf(
    graphOf('lead > writer', {
      cards: {
        lead: { toolHooks: { form: 'chain', chain } },
        writer: { toolHooks: { form: 'phases', phases: { before_llm_call: code('audit') } } },
      },
    }),
  );
  const hook = (path: string, name: string, step: string, around: string | undefined): EventBody => ({
    ...{ kind: 'hook.started', path: brandAs(path), step: brandAs(step), attempt: 1, hook: `hooks.ts:${name}` },
    ...{ phase: around === undefined ? 'before_llm_call' : 'around' },
    around: around === undefined ? undefined : brandAs(around),
  });
  const off = (path: string, step: string): EventBody => ({
    ...{ kind: 'hook.ended', path: brandAs(path), step: brandAs(step), calledNext: true, changes: [] },
  });
  const around = (n: number, at: number) =>
    [
      [at, toolOn('lead', n, 'add', 'function')],
      [at, hook('lead', 'audit', `lead#t${n}.h1`, `lead#t${n}`)],
      [at + 1, hook('lead', 'log', `lead#t${n}.h2`, `lead#t${n}`)],
      [at + 2, hook('lead', 'audit', `lead#t${n}.h3`, `lead#t${n}`)],
      [at + 3, off('lead', `lead#t${n}.h3`)],
      [at + 4, off('lead', `lead#t${n}.h2`)],
      [at + 5, off('lead', `lead#t${n}.h1`)],
      [at + 6, toolOff('lead', n)],
    ] as const;
  const trace = fold(
    log(
      ...([
        [0, begin],
        [0, queued('lead')],
        [0, started('lead')],
      ] as const),
      ...around(1, 10),
      ...around(2, 20),
      ...([
        [30, queued('lead/writer[1]')],
        [30, started('lead/writer[1]')],
      ] as const),
      [31, hook('lead/writer[1]', 'audit', 'lead/writer[1]#m1.before', undefined)],
    ),
  );
  const startsOf = (agent: string, id: string) => {
    const target = targetOfHook(hooked, agent, id);
    const found = target && callsOf(trace, target, 9).newest.map(({ span }) => trace.spans.start.at(span) / 1000);
    return found?.reverse();
  };

  it('tells two hooks of one name apart by their places around a call', () => {
    expect(startsOf('agent:lead', 'tool_hooks.0')).toEqual([10, 20]);
    expect(startsOf('agent:lead', 'tool_hooks.1')).toEqual([11, 21]);
    expect(startsOf('agent:lead', 'tool_hooks.2')).toEqual([12, 22]);
  });

  it('tells a hook of another phase and agent apart', () => {
    expect(startsOf('agent:writer', 'tool_hooks.before_llm_call')).toEqual([31]);
    expect(targetOfHook(hooked, 'agent:writer', 'tool_hooks.0')).toBeUndefined();
  });

  it('tells a hook that the agent no longer has', () => {
    const without = pictureOf(graphOf('lead > writer'));
    expect(strangersOf(trace, without).map(({ kind, name }) => `${kind} ${name}`)).toEqual([
      'function add',
      'hook hooks.ts:audit of lead',
      'hook hooks.ts:log of lead',
    ]);
  });
});

it('counts each instance at one node, and each call of an agent at one wire', () => {
  const names = ['lead', 'writer', 'critic'] as const;
  const lane = fc.record({ parent: fc.nat(5), agent: fc.constantFrom('writer', 'critic'), at: fc.nat(50) });
  fc.assert(
    fc.property(fc.array(lane, { maxLength: 12 }), (lanes) => {
      const paths: string[] = ['lead'];
      for (const { parent, agent } of lanes) {
        const above = paths[parent % paths.length] ?? 'lead';
        const among = paths.filter(
          (path) => path.startsWith(`${above}/${agent}[`) && !path.slice(above.length + 1).includes('/'),
        );
        paths.push(`${above}/${agent}[${among.length + 1}]`);
      }
      const trace = fold(eventsOf(...paths.map((path, i) => (i === 0 ? 'lead 0-99' : `${path} ${i}-${99 - i}`))));
      const all = pictureOf(graphOf('lead > writer, critic; writer > writer, critic; critic > writer, critic'));
      const count = (target: CallTarget | undefined) => (target === undefined ? 0 : callsOf(trace, target, 1).count);
      const atNodes = names.map((name) => count(targetOfNode(all, `agent:${name}`)));
      const atWires = all.graph.edges.map((edge) => count(targetOfEdge(all, edge)));
      expect(atNodes.reduce((a, b) => a + b, 0)).toBe(paths.length);
      expect(atWires.reduce((a, b) => a + b, 0)).toBe(paths.length - 1);
    }),
  );
});
