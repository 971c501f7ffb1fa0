import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '@/lib/base/json';
import { readConfig } from '@/lib/cards/read/read-config';
import { parseYaml } from '@/lib/cards/yaml/yaml-source';
import { eventForms, passingFaults, wholeForms } from '@/lib/testing/event-forms';
import { sleepless } from '@/lib/testing/fake-clock';
import { type FakeProvider, type ProviderReply, startFakeProvider } from '@/lib/testing/fake-provider';
import { eventText } from '@/lib/testing/messages-answers';
import { modelsWith } from '@/lib/testing/models-with';
import { responsesEvents, responsesStream, responsesWhole } from '@/lib/testing/responses-answers';
import { ask, brief, sampleRequest } from '@/lib/testing/sample-request';

/* What servers of this format send beside what the provider documents, which responses-answers.test.ts has. */

let server: FakeProvider | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

const text = (said: string, id = 'msg_1'): JsonObject => ({
  type: 'message',
  id,
  content: [{ type: 'output_text', text: said }],
});
const call = (id: string, args: Json = '{}', more: JsonObject = {}): JsonObject => ({
  ...{ type: 'function_call', id: `fc_${id}`, call_id: id, name: 'add', arguments: args },
  ...more,
});
const thought = (said: string): JsonObject => ({
  type: 'reasoning',
  id: 'rs_1',
  summary: [{ type: 'summary_text', text: said }],
});

const added = (item: JsonObject, more: JsonObject = {}): JsonObject => ({
  type: 'response.output_item.added',
  item,
  ...more,
});
const done = (item: JsonObject, more: JsonObject = {}): JsonObject => ({
  type: 'response.output_item.done',
  item,
  ...more,
});
const said = (delta: string, more: JsonObject = {}): JsonObject => ({
  type: 'response.output_text.delta',
  delta,
  ...more,
});
const piece = (delta: string, more: JsonObject = {}): JsonObject => ({
  type: 'response.function_call_arguments.delta',
  delta,
  ...more,
});
const empty = (id = 'msg_1'): JsonObject => ({ type: 'message', id, content: [] });
const opened = (id: string, more: JsonObject = {}): JsonObject => call(id, '', more);
const at = (index: number | string, id?: string): JsonObject => ({
  output_index: index,
  ...(id !== undefined && { item_id: id }),
});

const completed = (output: Json = [], more: JsonObject = {}): JsonObject => ({
  type: 'response.completed',
  response: { status: 'completed', output, ...more },
});
const incomplete = (reason: Json, output: Json = []): JsonObject => ({
  type: 'response.incomplete',
  response: { status: 'incomplete', output, incomplete_details: reason },
});
const failed = (error: Json): JsonObject => ({
  type: 'response.failed',
  response: { status: 'failed', output: [], error },
});
const oops: JsonObject = { code: 'server_error', message: 'Oops.' };

const stream = (...events: readonly JsonObject[]): ProviderReply => ({ pieces: events.map(eventText) });
const whole = (output: Json, more: JsonObject = {}): ProviderReply => ({
  pieces: [JSON.stringify({ object: 'response', status: 'completed', output, ...more })],
});
const raw = (...pieces: (string | Buffer)[]): ProviderReply => ({ pieces });

/** A shape, its answer, and why it stopped. */
type Shape = readonly [name: string, reply: ProviderReply, said: string | RegExp, stop?: string];

const items: readonly Shape[] = [
  [
    'items without numbers',
    stream(
      added(empty()),
      said('Hi.', { item_id: 'msg_1' }),
      added(opened('c1')),
      piece('{"n":1}', { item_id: 'fc_c1' }),
      completed(),
    ),
    'Hi. | c1=add({"n":1})',
    'tool_use',
  ],
  [
    'items without numbers and ids',
    stream(added(empty('')), said('Hi.'), added(opened('c1', { id: '' })), piece('{"n":1}'), completed()),
    'Hi. | c1=add({"n":1})',
    'tool_use',
  ],
  [
    'the same number for all items',
    stream(
      added(empty(), at(0)),
      said('Hi.', at(0, 'msg_1')),
      added(opened('c1'), at(0)),
      piece('{"n":1}', at(0, 'fc_c1')),
      added(opened('c2'), at(0)),
      piece('{"n":2}', at(0, 'fc_c2')),
      completed(),
    ),
    'Hi. | c1=add({"n":1}) | c2=add({"n":2})',
    'tool_use',
  ],
  [
    'numbers as text',
    stream(
      added(empty(), at('0')),
      said('Hi.', at('0')),
      added(opened('c1'), at('1')),
      piece('{"n":1}', at('1')),
      completed(),
    ),
    'Hi. | c1=add({"n":1})',
    'tool_use',
  ],
  [
    'numbers with gaps and out of order',
    stream(added(opened('c1'), at(7)), added(empty(), at(2)), said('Hi.', at(2)), piece('{}', at(7)), completed()),
    'Hi. | c1=add({})',
    'tool_use',
  ],
  [
    'other ids at the end of an item',
    stream(added(empty('a'), at(0)), said('Hi.', at(0)), done(text('Hi.', 'b'), at(0)), completed([text('Hi.', 'c')])),
    'Hi.',
    'end_turn',
  ],
  [
    'the begin of an item twice',
    stream(added(opened('c1'), at(0)), added(opened('c1'), at(0)), piece('{"n":1}', at(0)), completed()),
    ' | c1=add({"n":1})',
    'tool_use',
  ],
  [
    'items that only their end tells',
    stream(done(text('Hi.'), at(0)), done(call('c1', '{"n":1}'), at(1)), completed()),
    'Hi. | c1=add({"n":1})',
    'tool_use',
  ],
  ['a text that has not begun', stream(said('Hi ', at(0)), said('you.', at(0)), completed()), 'Hi you.', 'end_turn'],
  [
    'a text that has not begun, told again at the end',
    stream(said('Hi.', at(0, 'msg_1')), completed([text('Hi.')])),
    'Hi.',
    'end_turn',
  ],
  [
    'a thought that has not begun',
    stream({ type: 'response.reasoning_text.delta', delta: 'hm', ...at(0) }, said('Hi.', at(1)), completed()),
    'Hi.',
    'end_turn',
  ],
  [
    'a piece of a call that has not begun',
    stream(piece('{"n":1}', at(0)), completed()),
    /^! model_bad_response: .*piece of a call that has not begun/,
  ],
  [
    'a piece of a call that only the end tells',
    stream(piece('{"n":1}', at(0)), completed([call('c1', '{"n":1}')])),
    ' | c1=add({"n":1})',
    'tool_use',
  ],
  ['an end without output', stream(added(empty(), at(0)), said('Hi.', at(0)), completed(null)), 'Hi.', 'end_turn'],
  [
    'an end with another output',
    stream(added(thought(''), at(0)), added(empty('a'), at(1)), said('Hi.', at(1)), completed([text('Hi.', 'b')])),
    'Hi.',
    'end_turn',
  ],
  [
    'an end with more output',
    stream(added(empty(), at(0)), said('Hi.', at(0)), completed([text('Hi.'), call('c1', '{"n":1}')])),
    'Hi. | c1=add({"n":1})',
    'tool_use',
  ],
  [
    'items of a kind that nobody knows, with pieces',
    stream(
      added({ type: 'hologram', id: 'h' }, at(0)),
      piece('{"x":1}', at(0, 'h')),
      added(empty(), at(1)),
      said('Hi.', at(1)),
      completed(),
    ),
    'Hi.',
    'end_turn',
  ],
  [
    'calls that the provider makes itself',
    stream(
      added({ type: 'web_search_call', id: 'ws' }, at(0)),
      done({ type: 'web_search_call', id: 'ws' }, at(0)),
      done(text('Hi.'), at(1)),
      completed(),
    ),
    'Hi.',
    'end_turn',
  ],
  [
    'a null in place of an item',
    stream(
      { type: 'response.output_item.added', output_index: 0, item: null },
      done(text('Hi.'), at(1)),
      completed([null, text('Hi.')]),
    ),
    'Hi.',
    'end_turn',
  ],
  [
    'content after its end',
    stream(done(text('Hi.'), at(0)), completed(), added(call('c1'), at(1)), completed([call('c1')])),
    'Hi.',
    'end_turn',
  ],
  [
    'a text of null',
    whole([{ type: 'message', content: [{ type: 'output_text', text: null }] }, text('Hi.')]),
    'Hi.',
    'end_turn',
  ],
  ['content of null', whole([{ type: 'message', content: null }, text('Hi.')]), 'Hi.', 'end_turn'],
  [
    'text in parts of another name',
    whole([{ type: 'message', content: [{ type: 'text', text: 'Hi.' }] }]),
    'Hi.',
    'end_turn',
  ],
];

const calls: readonly Shape[] = [
  [
    'arguments that are no JSON',
    stream(added(opened('c1'), at(0)), piece('{not', at(0)), completed()),
    ' | c1=add({not)',
    'tool_use',
  ],
  [
    'arguments at the end of the call alone',
    stream(added(opened('c1'), at(0)), done(call('c1', '{"n":1}'), at(0)), completed()),
    ' | c1=add({"n":1})',
    'tool_use',
  ],
  [
    'arguments in pieces and at the end',
    stream(
      added(opened('c1'), at(0)),
      piece('{"n":1}', at(0)),
      done(call('c1', '{"n":1}'), at(0)),
      completed([call('c1', '{"n":1}')]),
    ),
    ' | c1=add({"n":1})',
    'tool_use',
  ],
  [
    'arguments as an object, streamed',
    stream(done(call('c1', { n: 1 }), at(0)), completed()),
    ' | c1=add({"n":1})',
    'tool_use',
  ],
  ['arguments as an object', whole([call('c1', { n: 1 })]), ' | c1=add({"n":1})', 'tool_use'],
  ['arguments as a list', whole([call('c1', [1])]), ' | c1=add([1])', 'tool_use'],
  ['arguments of null', whole([call('c1', null)]), ' | c1=add({})', 'tool_use'],
  [
    'a call without a name, streamed',
    stream(done(call('c1', '{}', { name: '' }), at(0)), completed()),
    ' | c1=({})',
    'tool_use',
  ],
  ['a call without a name, whole', whole([call('c1', '{}', { name: '' })]), ' | c1=({})', 'tool_use'],
  [
    'a call that its end names',
    stream(added(opened('', { id: 'fc_c1', name: '' }), at(0)), done(call('c1'), at(0)), completed()),
    ' | c1=add({})',
    'tool_use',
  ],
  [
    'calls of the same id, streamed',
    stream(done(call('c1', '{"n":1}'), at(0)), done(call('c1', '{"n":2}'), at(1)), completed()),
    ' | c1=add({"n":1}) | lead#m1-c2=add({"n":2})',
    'tool_use',
  ],
  [
    'calls of the same id, whole',
    whole([call('c1', '{"n":1}'), call('c1', '{"n":2}')]),
    ' | c1=add({"n":1}) | lead#m1-c2=add({"n":2})',
    'tool_use',
  ],
  [
    'a cut call',
    stream(added(opened('c1'), at(0)), piece('{"n":', at(0)), incomplete({ reason: 'max_output_tokens' })),
    ' | c1=add({"n":)',
    'max_tokens',
  ],
  [
    'a withheld call',
    stream(added(opened('c1'), at(0)), piece('{"n":', at(0)), incomplete({ reason: 'content_filter' })),
    ' | c1=add({"n":)',
    'safety',
  ],
  [
    'a call beside a refusal that only its end tells',
    stream(
      done({ type: 'message', id: 'm', content: [{ type: 'refusal', refusal: 'No.' }] }, at(0)),
      done(call('c1'), at(1)),
      completed(),
    ),
    'No. | c1=add({})',
    'safety',
  ],
];

const ends: readonly Shape[] = [
  ['an unknown reason', stream(incomplete({ reason: 'tea_time' })), /^! model_bad_response: .*'tea_time'/],
  ['no reason', stream(done(text('Hal'), at(0)), incomplete(null)), /^! model_bad_response: .*does not know/],
  [
    'a reason that is no text',
    whole([text('Hal')], { status: 'incomplete', incomplete_details: { reason: 5 } }),
    /^! model_bad_response: .*does not know/,
  ],
  ['an unknown status', stream(completed([], { status: 'resting' })), /^! model_bad_response: .*'resting'/],
  [
    'no status',
    stream(done(text('Hi.'), at(0)), { type: 'response.completed', response: { output: [] } }),
    'Hi.',
    'end_turn',
  ],
  ['no status, whole', raw('{"object":"response","output":[]}'), /^! model_bad_response: /],
  ['a status of work', whole([text('Hal')], { status: 'in_progress' }), /^! model_bad_response: .*'in_progress'/],
  ['a cancelled status', whole([text('Hal')], { status: 'cancelled' }), /^! model_bad_response: .*'cancelled'/],
  [
    'an end without an answer',
    stream({ type: 'response.completed' }),
    /^! model_bad_response: .*end of an answer without it/,
  ],
  [
    'no end after its items',
    stream(done(text('Hi.'), at(0)), done(call('c1'), at(1))),
    /^! model_stream_ended: .*broke off/,
  ],
  ['a cut answer without output', stream(incomplete({ reason: 'max_output_tokens' }, null)), '', 'max_tokens'],
  [
    'a refusal in pieces',
    stream(added(empty(), at(0)), { type: 'response.refusal.delta', delta: 'No.', ...at(0) }, completed()),
    'No.',
    'safety',
  ],
  ['an empty refusal', whole([{ type: 'message', content: [{ type: 'refusal', refusal: '' }] }]), '', 'safety'],
  ['reasoning alone', stream(done(thought('hm'), at(0)), completed()), '', 'end_turn'],
  ['the begin and the end alone', stream({ type: 'response.created', response: {} }, completed()), '', 'end_turn'],
];

const faults: readonly Shape[] = [
  [
    'an error in the middle',
    stream(added(empty(), at(0)), said('Hal', at(0)), { type: 'error', ...oops }),
    /^! model_failed: .*Oops/,
  ],
  [
    'an error in the middle of a call',
    stream(added(opened('c1'), at(0)), { type: 'error', error: oops }),
    /^! model_failed: .*Oops/,
  ],
  [
    'a failed answer in the middle',
    stream(added(empty(), at(0)), said('Hal', at(0)), failed(oops)),
    /^! model_failed: .*Oops/,
  ],
  [
    'a failed answer without a reason in the middle',
    stream(added(empty(), at(0)), failed(null)),
    /^! model_failed: .*no reason is given/,
  ],
  [
    'a full context in the middle',
    stream(added(empty(), at(0)), failed({ code: 'context_length_exceeded', message: 'Too long.' })),
    /^! model_context_overflow: /,
  ],
  [
    'an HTML page',
    raw('<!doctype html><html><body>Sign in</body></html>'),
    /^! model_bad_response: .*not JSON: <!doctype html>/,
  ],
  [
    'compressed',
    { pieces: [gzipSync('{"object":"response"}')], headers: { 'content-encoding': 'gzip' } },
    /^! model_bad_response: .*not JSON/,
  ],
  ['output that is text', whole('Hi.'), /^! model_bad_response: .*without output/],
  ['two objects', raw('{"object":"response"}{"object":"response"}'), /^! model_bad_response: .*not JSON/],
  ['half an object', raw('{"object":"response","output":[{"type":"me'), /^! model_bad_response: .*not JSON/],
  ['null', raw('null'), /^! model_bad_response: .*not an object/],
  ['an event that is a list', raw('data: [1]\n\n'), /^! model_bad_response: .*not an object/],
  [
    'half an event at its end',
    raw(eventText(done(text('Hal'), at(0))), 'data: {"type":"response.comp'),
    /^! model_bad_response: .*not JSON/,
  ],
];

async function answerOf(...replies: readonly ProviderReply[]) {
  const fake = await startFakeProvider(({ number }) => replies[number - 1] ?? replies.at(-1) ?? { pieces: [] });
  server = fake;
  const time = sleepless();
  const yaml = 'openai: { wire: responses }';
  const { providers } = readConfig('fast-agent.yaml', yaml, parseYaml({ text: yaml, offset: 0 })).config;
  const port = modelsWith({ OPENAI_API_KEY: 'sk-test-0123456789', OPENAI_BASE_URL: fake.url }, time, { providers });
  const { response, deltas } = await ask(port, sampleRequest({ model: 'openai.gpt-5-mini' }));
  return { response, said: brief(response), deltas, slept: time.slept, requests: fake.requests.length };
}

describe('an answer of Responses has', () => {
  test.each(
    [...items, ...calls, ...ends, ...faults].map(([name, reply, expected, stopped]) => ({
      name,
      reply,
      expected,
      stopped,
    })),
  )('$name', async ({ reply, expected, stopped }) => {
    const answer = await answerOf(reply);
    if (typeof expected === 'string') expect(answer.said).toBe(expected);
    else expect(answer.said).toMatch(expected);
    const message = answer.response.ok ? answer.response.message : undefined;
    expect(message?.stopReason).toBe(stopped);
    const written = message?.content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('');
    if (written !== undefined) expect(answer.deltas.join('')).toBe(written);
    expect(message?.toolCalls.length ?? 0).toBe(new Set(message?.toolCalls.map(({ id }) => id)).size);
  });

  const output = [text('Hm: ä€😀'), call('c1', '{"n":"ä€😀"}')];
  const expected = 'Hm: ä€😀 | c1=add({"n":"ä€😀"})';
  test.each(eventForms)('%s', async (_, write) => {
    expect((await answerOf(write(responsesEvents({ output })))).said).toBe(expected);
  });
  test.each(wholeForms)('%s, whole', async (_, write) => {
    expect((await answerOf(write(responsesWhole({ output })))).said).toBe(expected);
  });
  test('bytes that are no UTF-8', async () => {
    const bytes = Buffer.from(responsesWhole({ output: [text('aXb')] }).pieces.join(''));
    bytes[bytes.indexOf('aX') + 1] = 0xff;
    expect((await answerOf(raw(bytes))).said).toBe('a\uFFFDb');
  });
});

test.each<[string, JsonObject, readonly number[]]>([
  ['no counts', {}, [0, 0, 0]],
  [
    'counts as text',
    { input_tokens: '12', output_tokens: '7', input_tokens_details: { cached_tokens: '3' } },
    [12, 7, 3],
  ],
  ['negative counts', { input_tokens: -1, output_tokens: -5 }, [0, 0, 0]],
  ['counts that are no numbers', { input_tokens: 'many', output_tokens: [7], input_tokens_details: 5 }, [0, 0, 0]],
])('%s of tokens are counted', async (_, usage, expected) => {
  for (const reply of [stream(completed([text('Hi.')], { usage })), whole([text('Hi.')], { usage })]) {
    const { usage: used } = (await answerOf(reply)).response;
    expect([used.inputTokens, used.outputTokens, used.cachedInputTokens]).toEqual(expected);
    await server?.close();
  }
});

describe('before the answer began, it is asked for again after', () => {
  const good = responsesStream({ output: [text('Now.')] });
  test.each<readonly [string, ProviderReply, number | undefined]>([
    ...passingFaults,
    ['an error as the first event', stream({ type: 'error', ...oops }), undefined],
    ['a failed answer', stream({ type: 'response.created', response: {} }, failed(oops)), undefined],
    ['a failed answer without a reason', stream(failed(null)), undefined],
    ['a limit', stream(failed({ code: 'rate_limit_exceeded', message: 'Slow down.' })), undefined],
    ['a whole failed answer without a reason', whole([], { status: 'failed', error: null }), undefined],
  ])('%s', async (_, reply, wait) => {
    const { said: answered, slept, requests } = await answerOf(reply, good);
    expect([answered, requests, slept.length]).toEqual(['Now.', 2, 1]);
    if (wait !== undefined) expect(slept).toEqual([wait]);
    else expect(slept[0]).toBeGreaterThanOrEqual(500);
  });
});
