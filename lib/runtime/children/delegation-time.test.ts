import { describe, expect, it } from 'vitest';
import type { DelegationOptions } from '@/lib/cards/delegation-settings';
import type { ToolPort } from '@/lib/runtime/ports';
import { fakeClock } from '@/lib/testing/fake-clock';
import { fakeTools } from '@/lib/testing/fake-tools';
import { graphOf } from '@/lib/testing/graph-of';
import { type CallsRun, runCalls } from '@/lib/testing/run-calls';
import { runGraph } from '@/lib/testing/run-graph';
import { scriptedModel, type TestScript } from '@/lib/testing/scripted-model';

const kid = (text = 'x') => ({ tool: 'agent__kid', arguments: { text } });

function edge(options: DelegationOptions) {
  return { delegations: { lead: { kid: options } } };
}

function kidEnds(run: CallsRun): string[] {
  return run.sink.of('instance.ended').flatMap(({ path, status }) => (path === 'lead' ? [] : [`${path} ${status}`]));
}

describe('sequential tools', () => {
  it('are a barrier: what was asked before ends first, what was asked after starts later', async () => {
    const clock = fakeClock();
    const made: string[] = [];
    const order: string[] = [];
    const tools = fakeTools({
      async box__slow({ name }) {
        order.push(`${name} starts`);
        await clock.sleep(50);
        order.push(`${name} ends`);
        return 'ok';
      },
      async box__create({ name }) {
        order.push(`create ${name}`);
        await clock.sleep(10);
        made.push(String(name));
        return 'created';
      },
      box__call: ({ name }) => (made.includes(String(name)) ? 'called' : 'no such thing'),
    });
    const port: ToolPort = {
      ...tools,
      async list(card, signal) {
        const { tools: all, issues } = await tools.list(card, signal);
        return { tools: all.map((t) => (t.name === 'box__create' ? { ...t, sequential: true as const } : t)), issues };
      },
    };
    const calls = [
      { tool: 'box__slow', arguments: { name: 'a' } },
      { tool: 'box__slow', arguments: { name: 'b' } },
      { tool: 'box__create', arguments: { name: 'w' } },
      { tool: 'box__create', arguments: { name: 'v' } },
      { tool: 'box__call', arguments: { name: 'w' } },
      { tool: 'box__slow', arguments: { name: 'c' } },
    ];
    const model = scriptedModel({ lead: [{ calls }, 'end'] }, clock);
    const { sink } = await runGraph({ parsed: graphOf('lead'), model, tools: { mcp: port }, clock });
    expect(order).toEqual(['a starts', 'b starts', 'a ends', 'b ends', 'create w', 'create v', 'c starts', 'c ends']);
    expect(sink.of('tool.ended').find(({ step }) => step === 'lead#t5')?.result.content).toEqual([
      { type: 'text', text: 'called' },
    ]);
  });
});

describe('retries', () => {
  const flaky =
    (failures: number): TestScript =>
    ({ instanceName }) => {
      const attempt = Number(/\.(\d+)\]/.exec(instanceName)?.[1] ?? 1);
      return attempt <= failures ? { error: { code: 'model_down', message: 'Down.' } } : `attempt ${attempt}`;
    };

  it('makes each attempt a new instance of one correlation id', async () => {
    const run = await runCalls('lead > kid', [kid(), kid()], {
      scripts: { kid: flaky(1) },
      settings: edge({ max_attempts: 3 }),
    });
    expect(run.results.map(({ content }) => content[0])).toEqual([
      { type: 'text', text: 'attempt 2' },
      { type: 'text', text: 'attempt 2' },
    ]);
    const queued = run.sink.of('instance.queued').filter(({ path }) => path !== 'lead');
    expect(queued.map(({ path, correlationId, attempt, callId }) => [path, correlationId, attempt, callId])).toEqual([
      ['lead/kid[1]', 'c1', undefined, 'lead#m1.1'],
      ['lead/kid[2]', 'c2', undefined, 'lead#m1.2'],
      ['lead/kid[1.2]', 'c1', 2, 'lead#m1.1'],
      ['lead/kid[2.2]', 'c2', 2, 'lead#m1.2'],
    ]);
    expect(kidEnds(run)).toEqual([
      'lead/kid[1] failed',
      'lead/kid[2] failed',
      'lead/kid[1.2] completed',
      'lead/kid[2.2] completed',
    ]);
  });

  it('ends with the last failure when no attempt succeeds', async () => {
    const run = await runCalls('lead > kid', [kid()], {
      scripts: { kid: flaky(9) },
      settings: edge({ max_attempts: 2 }),
    });
    expect(run.results[0]).toMatchObject({ isError: true, errorCode: 'AGENT_FAILED' });
    expect(kidEnds(run)).toEqual(['lead/kid[1] failed', 'lead/kid[1.2] failed']);
  });

  it('tries again after a timeout; the slow one is stopped and writes nothing', async () => {
    const clock = fakeClock();
    const written: string[] = [];
    const tools = fakeTools({
      box__write: (_, { instanceName }) => {
        written.push(instanceName);
        return 'ok';
      },
    });
    const model = scriptedModel(
      {
        lead: [{ calls: [kid(), { tool: 'agent__fast' }] }, 'end'],
        fast: { text: 'fast', delayMs: 50 },
        kid: ({ instanceName, turn }) =>
          turn === 1
            ? { calls: [{ tool: 'box__write' }], delayMs: instanceName === 'kid[1]' ? 9_000 : 5 }
            : 'second attempt',
      },
      clock,
    );
    const parsed = graphOf('lead > kid, fast', { settings: edge({ max_attempts: 2, timeout_ms: 100 }) });
    const { sink } = await runGraph({ parsed, model, tools: { mcp: tools }, clock });
    expect(sink.of('tool.ended').at(-1)?.result.content).toEqual([{ type: 'text', text: 'second attempt' }]);
    expect(written).toEqual(['kid[1.2]']);
    expect(model.requests.filter(({ instanceName }) => instanceName === 'kid[1]')).toHaveLength(1);
    expect(sink.of('instance.ended').map(({ path, status }) => `${path} ${status}`)).toEqual([
      'lead/fast[1] completed',
      'lead/kid[1] timeout',
      'lead/kid[1.2] completed',
      'lead completed',
    ]);
    expect(clock.now()).toBe(105);
  });

  it('tries again when the answer does not fit, and never what was refused', async () => {
    const run = await runCalls('lead > kid', [kid()], {
      scripts: { kid: ({ instanceName }) => (instanceName === 'kid[1]' ? 'no JSON' : '{}') },
      settings: edge({ max_attempts: 2, output_schema: { type: 'object' } }),
    });
    expect(run.results[0]?.structuredContent).toEqual({});
    const refused = await runCalls('lead > kid', [{ tool: 'agent__kid', arguments: '{"cut' }], {
      settings: edge({ max_attempts: 5 }),
    });
    expect(refused.results[0]?.errorCode).toBe('INPUT_VALIDATION');
    expect(kidEnds(refused)).toEqual(['lead/kid[1] failed']);
  });
});

describe('times of an instance', () => {
  it('waiting for a slot is not running, and the limit counts from the start', async () => {
    const run = await runCalls('lead > kid', [kid(), kid()], {
      scripts: { kid: { text: 'k', delayMs: 80 } },
      cards: { lead: { maxParallel: 1 } },
      settings: edge({ timeout_ms: 100 }),
    });
    const at = (kind: 'instance.queued' | 'instance.started' | 'instance.ended') =>
      run.sink.of(kind).flatMap((event) => (event.path === 'lead' ? [] : [event.at]));
    expect(at('instance.queued')).toEqual([0, 0]);
    expect(at('instance.started')).toEqual([0, 80]);
    expect(at('instance.ended')).toEqual([80, 160]);
    expect(kidEnds(run)).toEqual(['lead/kid[1] completed', 'lead/kid[2] completed']);
  });

  it('records a refused call with no duration', async () => {
    const run = await runCalls('lead > kid', [{ tool: 'agent__kid', arguments: '[]' }]);
    const events = run.sink.events.filter((event) => 'path' in event && event.path === 'lead/kid[1]');
    expect(events.map(({ kind, at }) => [kind, at])).toEqual([
      ['instance.queued', 0],
      ['instance.ended', 0],
    ]);
  });
});

describe('a cancelled parent', () => {
  it('starts no child', async () => {
    const clock = fakeClock();
    const stop = new AbortController();
    const model = scriptedModel({
      lead: () => {
        stop.abort();
        return { calls: [kid()] };
      },
    });
    const parsed = graphOf('lead > kid');
    const { outcome, sink } = await runGraph({ parsed, model, clock, signal: stop.signal });
    expect(outcome.status).toBe('cancelled');
    expect(sink.of('instance.started').map(({ path }) => path)).toEqual(['lead']);
  });
});
