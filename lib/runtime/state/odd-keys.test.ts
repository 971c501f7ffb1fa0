import { expect, it } from 'vitest';
import { textOf } from '@/lib/runtime/record/messages';
import { graphOf } from '@/lib/testing/graph-of';
import { runGraph } from '@/lib/testing/run-graph';
import { scriptedModel, type TestCall } from '@/lib/testing/scripted-model';

const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty'];

it.each(names)('the state keeps a key %j, and hands it down and up', async (key) => {
  const set = (value: unknown): TestCall => ({ tool: 'set_state', arguments: { key, value } });
  const get: TestCall = { tool: 'get_state', arguments: { key } };
  const kid: TestCall = { tool: 'agent__kid', arguments: { text: 'x' } };
  const model = scriptedModel({
    lead: [{ calls: [get, set({ a: 1 }), get, kid] }, { calls: [get, { tool: 'get_state' }] }, 'end'],
    kid: [{ calls: [get, set('done')] }, 'k'],
  });
  const parsed = graphOf('lead > kid', { settings: { runtime_tools: { state: true } } });
  const { sink } = await runGraph({ parsed, model });
  const answers = (path: string) =>
    sink.of('tool.ended').flatMap((event) => (event.path === path ? [textOf(event.result.content)] : []));
  expect(answers('lead')).toEqual([
    `Error: The state has no key '${key}'. Keys: none.`,
    `Set '${key}'.`,
    '{"a":1}',
    'k',
    '"done"',
    `{"${key}":"done"}`,
  ]);
  expect(answers('lead/kid[1]')[0]).toBe('{"a":1}');
});

it.each(names)('an artifact may be called %j', async (name) => {
  const model = scriptedModel({
    solo: [
      { calls: [{ tool: 'save_artifact', arguments: { name, content: 'hello' } }] },
      { calls: [{ tool: 'load_artifact', arguments: { name } }] },
      'end',
    ],
  });
  const parsed = graphOf('solo', { settings: { runtime_tools: { artifacts: true } } });
  const { sink } = await runGraph({ parsed, model });
  const [saved, loaded] = sink.of('tool.ended').map(({ result }) => result);
  expect(textOf(saved?.content ?? [])).toBe(`Saved '${name}', version 1.`);
  expect(textOf(loaded?.content ?? [])).toBe('hello');
});
