import { describe, expect, it } from 'vitest';
import type { ModelPort, SampleRequest } from '@/lib/runtime/ports';
import { textOf } from '@/lib/runtime/record/messages';
import { fakeTools } from '@/lib/testing/fake-tools';
import { graphOf } from '@/lib/testing/graph-of';
import { runGraph } from '@/lib/testing/run-graph';
import { type ScriptedModel, scriptedModel, type TestCall } from '@/lib/testing/scripted-model';

/** Serves every model but those of `nobody`. */
function serving(model: ScriptedModel): ModelPort {
  return {
    complete: (request, control) => model.complete(request, control),
    problemOf: (name) =>
      name.startsWith('nobody.')
        ? { code: 'model_not_served', message: `Model '${name}' is not served. Set NOBODY_API_KEY.` }
        : undefined,
  };
}

const question: SampleRequest = {
  model: 'nobody.x',
  instruction: 'Be short',
  messages: [{ role: 'user', content: [{ type: 'text', text: 'Why?' }] }],
  requestParams: {},
};

describe('a model that no provider serves', () => {
  it('is not called on behalf of a server: the server is told, and the run continues', async () => {
    const model = scriptedModel({ lead: [{ calls: [{ tool: 'own__think' }] }, 'end'] });
    const heard: unknown[] = [];
    const tools = {
      mcp: fakeTools({
        async own__think(_, context) {
          heard.push(await context.sample?.(question));
          heard.push(await context.sample?.({ ...question, model: '$mine.away' }));
          return 'thought';
        },
      }),
    };
    const parsed = graphOf('lead', { config: { modelReferences: { mine: { away: 'nobody.y' } } } });
    const { outcome } = await runGraph({ parsed, model: serving(model), tools });
    expect(outcome.answer).toBe('end');
    expect(heard).toMatchObject([
      { ok: false, requests: 0, error: { code: 'model_not_served' } },
      { ok: false, requests: 0, error: { code: 'model_not_served', message: expect.stringContaining('nobody.y') } },
    ]);
    expect(model.requests.map(({ instruction }) => instruction)).not.toContain('Be short');
  });

  it('makes no worker: the model may choose another, a person reads what is missing', async () => {
    const create = (name: string, model: string): TestCall => ({
      tool: 'worker_create',
      arguments: { name, instructions: 'Help.', model },
    });
    const batches = [create('one', 'nobody.x'), create('two', '$mine.away'), create('three', 'served')];
    const model = scriptedModel({
      lead: [{ calls: batches }, { calls: [{ tool: 'worker_call', arguments: { worker: 'one' } }] }, 'end'],
    });
    const config = { modelReferences: { mine: { away: 'nobody.y' } } };
    const settings = { entry: 'lead', toolsets: { lead: { delegation: { create: 'allowed' as const } } } };
    const { sink, outcome } = await runGraph({ parsed: graphOf('lead', { settings, config }), model: serving(model) });
    expect(outcome.answer).toBe('end');
    const results = sink.of('tool.ended').map(({ result }) => [result.errorCode ?? 'fine', textOf(result.content)]);
    expect(results.slice(0, 2)).toEqual([
      ['NOT_ALLOWED', "Error: Model 'nobody.x' is not available. Leave 'model' out, or name another one."],
      ['NOT_ALLOWED', "Error: Model 'nobody.y' is not available. Leave 'model' out, or name another one."],
    ]);
    expect(results[2]?.[0]).toBe('fine');
    expect(results[3]).toEqual(['NOT_ALLOWED', expect.stringContaining("Worker 'one' cannot be called")]);
    expect(sink.of('agent.created').map(({ agent }) => agent.name)).toEqual(['three']);
    expect(sink.of('log').map(({ message }) => message)).toContainEqual(expect.stringContaining('Set NOBODY_API_KEY'));
  });

  it('ends the run before its first step where an agent of the graph names it', async () => {
    const model = scriptedModel({ lead: 'never' });
    const parsed = graphOf('lead > kid', { cards: { kid: { model: 'nobody.x' } } });
    const { outcome } = await runGraph({ parsed, model: serving(model) });
    expect(outcome).toMatchObject({ status: 'failed', error: { code: 'model_not_served' } });
    expect(model.requests).toEqual([]);
  });
});
