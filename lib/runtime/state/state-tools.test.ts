import { describe, expect, it } from 'vitest';
import { textOf } from '@/lib/runtime/record/messages';
import { graphOf } from '@/lib/testing/graph-of';
import { runGraph } from '@/lib/testing/run-graph';
import { scriptedModel, type TestCall } from '@/lib/testing/scripted-model';

const set = (key: unknown, value?: unknown): TestCall => ({ tool: 'set_state', arguments: { key, value } });
const get = (key?: string): TestCall => ({ tool: 'get_state', arguments: key === undefined ? {} : { key } });

describe('get_state and set_state', () => {
  it('are offered only where the project says so', async () => {
    const offered = async (state: boolean) => {
      const model = scriptedModel({ solo: 'hi' });
      await runGraph({ parsed: graphOf('solo', { settings: { runtime_tools: { state } } }), model });
      return model.requests[0]?.tools.map(({ name, source }) => `${source} ${name}`);
    };
    expect(await offered(false)).toEqual([]);
    expect(await offered(true)).toEqual(['runtime get_state', 'runtime set_state']);
  });

  it('a write counts for what is asked after it in the same response, and for the parent once the child is done', async () => {
    const kid: TestCall = { tool: 'agent__kid', arguments: { text: 'x' } };
    const model = scriptedModel({
      lead: [{ calls: [get(), set('plan', { step: 1 }), get('plan'), kid] }, { calls: [get(), get('nowhere')] }, 'end'],
      kid: [{ calls: [get(), set('plan', 'done'), set('temp:x', 1)] }, 'k'],
    });
    const parsed = graphOf('lead > kid', { settings: { runtime_tools: { state: true } } });
    const { sink } = await runGraph({ parsed, model });
    const answers = (path: string) =>
      sink.of('tool.ended').flatMap((event) => (event.path === path ? [textOf(event.result.content)] : []));
    expect(answers('lead')).toEqual([
      '{}',
      "Set 'plan'.",
      '{"step":1}',
      'k',
      '{"plan":"done"}',
      "Error: The state has no key 'nowhere'. Keys: plan.",
    ]);
    expect(answers('lead/kid[1]')[0]).toBe('{"plan":{"step":1}}');
  });

  it('refuse bad keys and odd arguments', async () => {
    const model = scriptedModel({ solo: [{ calls: [set('a/b', 1), set(3, 1), set('a'), set('n', null)] }, 'end'] });
    const parsed = graphOf('solo', { settings: { runtime_tools: { state: true } } });
    const { sink } = await runGraph({ parsed, model });
    expect(sink.of('tool.ended').map(({ result }) => result.errorCode)).toEqual([
      'STATE_WRITE_DENIED',
      'INPUT_VALIDATION',
      'INPUT_VALIDATION',
      undefined,
    ]);
    expect(sink.of('state.changed').map(({ delta }) => delta)).toEqual([{ n: null }]);
  });
});
