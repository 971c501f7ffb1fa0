import { expect, it } from 'vitest';
import { exactJson } from '@/lib/base/exact-json';
import { eventFormat, readEventRecord } from '@/lib/runtime/record/event-format';
import { textOf } from '@/lib/runtime/record/messages';
import { chainOf, fakeHooks } from '@/lib/testing/fake-hooks';
import { fakeTools } from '@/lib/testing/fake-tools';
import { graphOf } from '@/lib/testing/graph-of';
import { runGraph } from '@/lib/testing/run-graph';
import { scriptedModel, type TestScript } from '@/lib/testing/scripted-model';

const id = '9007199254740993';
const call = (tool: string, args: string) => ({ tool, arguments: args });

const say: TestScript = ({ messages }) => {
  const last = messages.at(-1);
  return last?.role === 'user' ? textOf(last.content) : 'done';
};

it('reach tools, children, workers, the state and structured answers with their digits, through hooks', async () => {
  const schema = { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] };
  const tools = fakeTools({ show: () => 'shown' });
  const model = scriptedModel({
    lead: [
      {
        calls: [
          call('show', `{"id": ${id}}`),
          call('agent__kid', `{"json": {"id": ${id}}}`),
          call('agent__kid', `{"id": ${id}}`),
          call('agent__strict', `{"id": ${id}}`),
          call('worker_call', `{"worker": "strict", "input_data": {"id": ${id}}}`),
          call('set_state', `{"key": "id", "value": ${id}}`),
          call('get_state', '{"key": "id"}'),
          call('get_state', '{}'),
        ],
      },
      'end',
    ],
    kid: say,
    strict: say,
  });
  const { sink, log } = await runGraph({
    parsed: graphOf('lead > kid, strict', {
      cards: { lead: chainOf('pass') },
      settings: {
        delegations: { lead: { strict: { input_schema: schema, output_schema: schema } } },
        runtime_tools: { state: true },
        toolsets: { lead: { delegation: {} } },
      },
    }),
    model,
    tools: { function: tools },
    hooks: fakeHooks({ pass: { around: (_context, args, next) => next(args) } }),
  });
  expect(tools.calls[0]?.args).toEqual({ id: BigInt(id) });
  const results = sink
    .of('tool.ended')
    .flatMap(({ path, step, result }) => (path === 'lead' ? [[step, textOf(result.content)]] : []));
  expect(results.sort(([a], [b]) => (String(a) < String(b) ? -1 : 1)).map(([, text]) => text)).toEqual([
    'shown',
    `{"id":${id}}`,
    `{"id":${id}}`,
    `{"id":${id}}`,
    `{"id":${id}}`,
    "Set 'id'.",
    id,
    `{"id":${id}}`,
  ]);
  // A page shows the digits, and a run that goes on has the value.
  expect(sink.of('tool.started').map((event) => event.arguments)).toContainEqual({ id });
  const changed = log.find(({ kind }) => kind === 'state.changed');
  expect(changed && readEventRecord(eventFormat, exactJson(changed))).toMatchObject({ delta: { id: BigInt(id) } });
});
