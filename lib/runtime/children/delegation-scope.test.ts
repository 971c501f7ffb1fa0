import { describe, expect, it } from 'vitest';
import type { AgentCard } from '@/lib/cards/card';
import { delegationOptions } from '@/lib/cards/delegation-settings';
import type { Settings } from '@/lib/cards/settings';
import { resolveModel } from '@/lib/runtime/request/resolve-model';
import { buildSurface } from '@/lib/runtime/surface/surface';
import { fakeTools } from '@/lib/testing/fake-tools';
import { agentCard, graphOf } from '@/lib/testing/graph-of';
import { runCalls } from '@/lib/testing/run-calls';
import { runGraph } from '@/lib/testing/run-graph';
import { scriptedModel, type TestScript } from '@/lib/testing/scripted-model';

const kid = { tool: 'agent__kid', arguments: { text: 'x' } };
const deep = { tool: 'agent__deep', arguments: { text: 'x' } };

describe('where options come from', () => {
  it("the edge's own, else the project's; groups of options mix", () => {
    const settings = {
      delegations: { lead: { kid: { cache: true, state: { isolate: true } } }, constructor: {} },
      delegation_defaults: { cache: false, history: 'full' as const, state: { down: 'none' as const } },
    };
    expect(delegationOptions(settings, 'lead', 'kid')).toEqual({
      cache: true,
      history: 'full',
      state: { down: 'none', isolate: true },
    });
    expect(delegationOptions(settings, 'lead', 'pal')).toEqual(settings.delegation_defaults);
    expect(delegationOptions({ delegations: {}, delegation_defaults: {} }, 'toString', 'valueOf')).toEqual({});
  });

  it("the child card's schema counts where the edge has none", async () => {
    const own = { type: 'object', properties: { q: {} } };
    const other = { type: 'object', properties: { w: {} } };
    const listed = (settings: Partial<Settings>) =>
      buildSurface({
        card: agentCard('lead', { agents: ['kid'] }),
        cards: new Map([['kid', agentCard('kid', { toolInputSchema: own })]]),
        settings: graphOf('x', { settings }).settings,
        listed: {},
      }).tools[0]?.inputSchema;
    expect(listed({})).toBe(own);
    expect(listed({ delegations: { lead: { kid: { input_schema: other } } } })).toBe(other);
    expect(listed({ delegation_defaults: { input_mode: 'message' } })).toMatchObject({ required: ['message'] });
  });
});

describe('long lists', () => {
  it('41 tools give a warning, and all of them are offered', () => {
    const surface = (count: number) => {
      const agents = Array.from({ length: count }, (_, index) => `kid${index}`);
      return buildSurface({
        card: agentCard('lead', { agents }),
        cards: new Map(agents.map((name) => [name, agentCard(name)])),
        settings: graphOf('x').settings,
        listed: {},
      });
    };
    expect(surface(40).warnings).toEqual([]);
    expect(surface(41).warnings.map(({ code }) => code)).toEqual(['many_tools']);
    expect(surface(41).tools).toHaveLength(41);
  });
});

describe('depth', () => {
  it.each([
    [{}, {}, 3, []],
    [{ max_depth: 1 }, {}, 3, ['deep']],
    [{}, { max_depth: 1 }, 3, ['deep']],
    // An edge cannot loosen what it was handed.
    [{ max_depth: 1 }, { max_depth: 9 }, 3, ['deep']],
    [{ max_depth: 9 }, { max_depth: 9 }, 1, ['deep']],
    [{}, {}, 2, []],
  ])('edges %j and %j under a limit of %i refuse %j', async (first, second, max_depth, refused) => {
    const { sink } = await runCalls('lead > kid; kid > deep', [kid], {
      scripts: { kid: [{ calls: [deep] }, 'kid end'], deep: 'deep end' },
      settings: { limits: { max_depth }, delegations: { lead: { kid: first }, kid: { deep: second } } },
    });
    const ended = sink.of('instance.ended').filter(({ error }) => error?.code === 'DEPTH_EXCEEDED');
    expect(ended.map(({ path }) => path.split('/').at(-1)?.replace(/\[.*/, ''))).toEqual(refused);
  });

  it('recursion ends at the limit', async () => {
    const again: TestScript = ({ turn, messages }) => {
      const last = messages.at(-1);
      if (turn === 1) return { calls: [{ tool: 'agent__lead', arguments: { text: 'x' } }] };
      const block = last?.role === 'tool' ? last.results[0]?.result.content[0] : undefined;
      return block?.type === 'text' ? block.text : '';
    };
    const settings = { limits: { max_depth: 2 }, delegations: { lead: { lead: { recursive: true } } } };
    const parsed = graphOf('lead > lead', { settings });
    const { outcome } = await runGraph({ parsed, model: scriptedModel({ lead: again }), request: { agent: 'lead' } });
    expect(outcome.answer).toContain('would run at depth 3; the limit is 2');
  });
});

describe('context handed down', () => {
  it.each([true, false])(
    'the child has the run, the path of ids, the sink and the usage of its parent, forwarded: %s',
    async (forward_events) => {
      const seen: unknown[] = [];
      const tools = fakeTools({
        box__probe: (_, { runId, correlationId, path, instanceName, idempotencyKey }) => {
          seen.push({ runId, correlationId, path, instanceName, idempotencyKey });
          return 'ok';
        },
      });
      const { outcome, sink } = await runCalls('lead > kid', [kid], {
        scripts: { kid: [{ calls: [{ tool: 'box__probe' }] }, 'k'] },
        tools,
        settings: { delegations: { lead: { kid: { forward_events } } } },
      });
      expect(seen).toEqual([
        {
          runId: 'run',
          correlationId: 'c1',
          path: 'lead/kid[1]',
          instanceName: 'kid[1]',
          idempotencyKey: 'lead/kid[1]#t1',
        },
      ]);
      expect(outcome.usage.modelCalls).toBe(4);
      expect(sink.of('instance.queued')[1]).toMatchObject({ parentCorrelationId: 'c0', parent: 'lead' });
      expect(sink.of('run.started')[0]?.message).toBe('go');
      expect(sink.of('tool.started').map(({ toolName }) => toolName)).toEqual(['agent__kid', 'box__probe']);
    },
  );
});

describe('models', () => {
  const parsed = graphOf('lead > kid', { config: { defaultModel: 'project' } });
  const of = (card: Partial<AgentCard>, handed?: { edge: string | undefined; caller: string }, model?: string) => {
    const found = resolveModel(agentCard('kid', card), parsed, { model }, handed);
    return found.ok ? found.value.model : found.error.code;
  };

  it("takes the card's own, else the edge's, the run's, the project's, the caller's, else fails", () => {
    expect(of({ model: 'own' }, { edge: 'edge', caller: 'caller' })).toBe('own');
    expect(of({}, { edge: 'edge', caller: 'caller' })).toBe('edge');
    expect(of({}, { edge: undefined, caller: 'caller' })).toBe('project');
    expect(of({}, { edge: undefined, caller: 'caller' }, 'asked')).toBe('asked');
    const bare = graphOf('x', { config: { defaultModel: undefined } });
    const handed = { edge: undefined, caller: 'caller' };
    expect(resolveModel(agentCard('kid'), bare, { model: undefined }, handed)).toMatchObject({
      value: { model: 'caller' },
    });
    expect(of({})).toBe('project');
    expect(of({}, undefined, 'asked')).toBe('asked');
    const none = resolveModel(agentCard('kid'), graphOf('x', { config: { defaultModel: undefined } }), {
      model: undefined,
    });
    expect(none).toMatchObject({ ok: false, error: { code: 'model_missing' } });
  });

  it('hands the model that the run was started with down', async () => {
    const model = scriptedModel({ lead: [{ calls: [kid] }, 'end'], kid: 'k' });
    await runGraph({ parsed: graphOf('lead > kid'), model, request: { model: 'asked' } });
    expect(model.requests.map((request) => request.model)).toEqual(['asked', 'asked', 'asked']);
  });

  it("asks the project's default for a child without a model, not its caller's", async () => {
    const { model } = await runCalls('lead > kid; kid > deep', [kid], {
      scripts: { kid: [{ calls: [deep] }, 'k'], deep: 'd' },
      cards: { lead: { model: 'lead-model' } },
      settings: { delegations: { kid: { deep: { model: 'edge-model' } } } },
    });
    expect(new Map(model.requests.map(({ agentName, model: used }) => [agentName, used]))).toEqual(
      new Map([
        ['lead', 'lead-model'],
        ['kid', 'test-model'],
        ['deep', 'edge-model'],
      ]),
    );
  });
});
