import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '@/lib/base/json';
import { eventForms, passingFaults, wholeForms } from '@/lib/testing/event-forms';
import { sleepless } from '@/lib/testing/fake-clock';
import { type FakeProvider, type ProviderReply, startFakeProvider } from '@/lib/testing/fake-provider';
import { eventText, messagesEvents, messagesStream, messagesWhole } from '@/lib/testing/messages-answers';
import { modelsWith } from '@/lib/testing/models-with';
import { ask, brief, sampleRequest } from '@/lib/testing/sample-request';

/* What servers of this format send beside what the provider documents, which messages-answers.test.ts has. */

let server: FakeProvider | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

const text = (said: string): JsonObject => ({ type: 'text', text: said });
const call = (id: string, input: Json = {}, name = 'add'): JsonObject => ({ type: 'tool_use', id, name, input });
const thought = (said: string): JsonObject => ({ type: 'thinking', thinking: said });

const start: JsonObject = { type: 'message_start', message: { id: 'm1', content: [], usage: { input_tokens: 10 } } };
const begin = (block: JsonObject, index?: number | string): JsonObject => ({
  type: 'content_block_start',
  ...(index !== undefined && { index }),
  content_block: block,
});
const piece = (delta: JsonObject, index?: number | string): JsonObject => ({
  type: 'content_block_delta',
  ...(index !== undefined && { index }),
  delta,
});
const words = (said: string) => ({ type: 'text_delta', text: said });
const json = (partial: string) => ({ type: 'input_json_delta', partial_json: partial });
const stop = (index?: number): JsonObject => ({ type: 'content_block_stop', ...(index !== undefined && { index }) });
const end = (reason: string | null): JsonObject => ({
  type: 'message_delta',
  delta: { stop_reason: reason },
  usage: {},
});
const last: JsonObject = { type: 'message_stop' };
const oops = (type: string): JsonObject => ({ type: 'error', error: { type, message: 'Oops.' } });

/** The events of a stream around these. */
const streamed = (events: readonly JsonObject[], reason: string | null = 'end_turn'): ProviderReply => ({
  pieces: [start, ...events, end(reason), last].map(eventText),
});
const whole = (content: Json, more: JsonObject = {}): ProviderReply => ({
  pieces: [JSON.stringify({ type: 'message', content, stop_reason: 'end_turn', ...more })],
});
const raw = (...pieces: (string | Buffer)[]): ProviderReply => ({ pieces });

/** A shape, its answer, and why it stopped. */
type Shape = readonly [name: string, reply: ProviderReply, said: string | RegExp, stop?: string];

const blocks: readonly Shape[] = [
  [
    'blocks without indexes',
    streamed(
      [
        begin(text('')),
        piece(words('Hi.')),
        stop(),
        begin(call('t1')),
        piece(json('{"n":1}')),
        stop(),
        begin(call('t2')),
        piece(json('{"n":2}')),
        stop(),
      ],
      'tool_use',
    ),
    'Hi. | t1=add({"n":1}) | t2=add({"n":2})',
    'tool_use',
  ],
  [
    'the same index for all blocks',
    streamed(
      [
        begin(text(''), 0),
        piece(words('Hi.'), 0),
        stop(0),
        begin(call('t1'), 0),
        piece(json('{"n":1}'), 0),
        stop(0),
        begin(call('t2'), 0),
        piece(json('{"n":2}'), 0),
      ],
      'tool_use',
    ),
    'Hi. | t1=add({"n":1}) | t2=add({"n":2})',
    'tool_use',
  ],
  [
    'indexes as text',
    streamed(
      [begin(text(''), '0'), piece(words('Hi.'), '0'), begin(call('t1'), '1'), piece(json('{"n":1}'), '1')],
      'tool_use',
    ),
    'Hi. | t1=add({"n":1})',
    'tool_use',
  ],
  [
    'indexes with gaps and out of order',
    streamed([begin(call('t1'), 7), begin(text('Hi.'), 2), piece(json('{"n":1}'), 7)], 'tool_use'),
    'Hi. | t1=add({"n":1})',
    'tool_use',
  ],
  [
    'the begin of a call twice',
    streamed([begin(call('t1'), 0), begin(call('t1'), 0), piece(json('{"n":1}'), 0)], 'tool_use'),
    ' | t1=add({"n":1})',
    'tool_use',
  ],
  [
    'blocks that never stop',
    streamed([begin(text('Hi.'), 0), begin(call('t1', { n: 1 }), 1)], 'tool_use'),
    'Hi. | t1=add({"n":1})',
    'tool_use',
  ],
  ['a text that has not begun', streamed([piece(words('Hi '), 0), piece(words('you.'), 0)]), 'Hi you.', 'end_turn'],
  [
    'a thought that has not begun',
    streamed([piece({ type: 'thinking_delta', thinking: 'hm' }, 0), piece(words('Hi.'), 1)]),
    'Hi.',
    'end_turn',
  ],
  [
    'a text at the index of a call',
    streamed([begin(call('t1'), 0), piece(json('{"n":1}'), 0), piece(words('Hi.'), 0)], 'tool_use'),
    'Hi. | t1=add({"n":1})',
    'tool_use',
  ],
  [
    'a piece of a call that has not begun',
    streamed([piece(json('{"n":1}'), 0)], 'tool_use'),
    /^! model_bad_response: .*piece of a call that has not begun/,
  ],
  [
    'pieces of a kind that nobody knows',
    streamed([
      begin(text(''), 0),
      piece({ type: 'citations_delta', citation: {} }, 0),
      piece(words('Hi.'), 0),
      piece({ type: 'new_delta', n: 1 }, 0),
    ]),
    'Hi.',
    'end_turn',
  ],
  [
    'blocks of a kind that nobody knows, with pieces',
    streamed([
      begin({ type: 'hologram' }, 0),
      piece(json('{"n":1}'), 0),
      piece(words('not words'), 0),
      begin(text('Hi.'), 1),
    ]),
    'Hi.',
    'end_turn',
  ],
  [
    'calls that the provider makes itself',
    streamed([
      begin({ type: 'server_tool_use', id: 's1', name: 'web_search', input: {} }, 0),
      piece(json('{"q":1}'), 0),
      begin({ type: 'web_search_tool_result', content: [] }, 1),
      begin(text('Hi.'), 2),
    ]),
    'Hi.',
    'end_turn',
  ],
  [
    'a null in place of a block',
    streamed([{ type: 'content_block_start', index: 0, content_block: null }, begin(text('Hi.'), 1)]),
    'Hi.',
    'end_turn',
  ],
  [
    'content after its end',
    {
      pieces: [
        ...streamed([begin(text('Hi.'), 0)]).pieces,
        eventText(begin(call('t1'), 1)),
        eventText(end('tool_use')),
      ],
    },
    'Hi.',
    'end_turn',
  ],
  [
    'no word of the end after the reason',
    raw(...[start, begin(text('Hi.'), 0), end('end_turn')].map(eventText)),
    'Hi.',
    'end_turn',
  ],
  ['a text of null', whole([{ type: 'text', text: null }, text('Hi.')]), 'Hi.', 'end_turn'],
  ['nulls among its blocks', whole([null, 5, 'x', text('Hi.')]), 'Hi.', 'end_turn'],
];

const calls: readonly Shape[] = [
  [
    'arguments that are no JSON',
    streamed([begin(call('t1'), 0), piece(json('{not'), 0), piece(json(' json'), 0)], 'tool_use'),
    ' | t1=add({not json)',
    'tool_use',
  ],
  [
    'arguments that begin with the call and come again in pieces',
    streamed([begin(call('t1', { n: 1 }), 0), piece(json('{"n":1}'), 0), stop(0)], 'tool_use'),
    ' | t1=add({"n":1})',
    'tool_use',
  ],
  [
    'arguments that begin with the call alone',
    streamed([begin(call('t1', { n: 1 }), 0), stop(0)], 'tool_use'),
    ' | t1=add({"n":1})',
    'tool_use',
  ],
  ['arguments as text', whole([call('t1', '{"n":1}')], { stop_reason: 'tool_use' }), ' | t1=add({"n":1})', 'tool_use'],
  ['arguments as a list', whole([call('t1', [1])], { stop_reason: 'tool_use' }), ' | t1=add([1])', 'tool_use'],
  ['arguments as a number', whole([call('t1', 5)], { stop_reason: 'tool_use' }), ' | t1=add(5)', 'tool_use'],
  [
    'no arguments',
    whole([{ type: 'tool_use', id: 't1', name: 'add' }], { stop_reason: 'tool_use' }),
    ' | t1=add({})',
    'tool_use',
  ],
  ['arguments of null', whole([call('t1', null)], { stop_reason: 'tool_use' }), ' | t1=add({})', 'tool_use'],
  ['a call without a name, streamed', streamed([begin(call('t1', {}, ''), 0)], 'tool_use'), ' | t1=({})', 'tool_use'],
  ['a call without a name, whole', whole([call('t1', {}, '')], { stop_reason: 'tool_use' }), ' | t1=({})', 'tool_use'],
  [
    'calls of the same id, streamed',
    streamed([begin(call('t1', { n: 1 }), 0), begin(call('t1', { n: 2 }), 1)], 'tool_use'),
    ' | t1=add({"n":1}) | lead#m1-c2=add({"n":2})',
    'tool_use',
  ],
  [
    'calls of the same id, whole',
    whole([call('t1', { n: 1 }), call('t1', { n: 2 })], { stop_reason: 'tool_use' }),
    ' | t1=add({"n":1}) | lead#m1-c2=add({"n":2})',
    'tool_use',
  ],
  [
    'a cut call',
    streamed([begin(call('t1'), 0), piece(json('{"n":'), 0)], 'max_tokens'),
    ' | t1=add({"n":)',
    'max_tokens',
  ],
  [
    'a withheld call',
    streamed([begin(call('t1'), 0), piece(json('{"n":'), 0)], 'refusal'),
    ' | t1=add({"n":)',
    'safety',
  ],
  ['a stop for calls without one, streamed', streamed([], 'tool_use'), /^! model_bad_response: .*its answer has none/],
  [
    'a stop for calls without one, whole',
    whole([], { stop_reason: 'tool_use' }),
    /^! model_bad_response: .*its answer has none/,
  ],
  [
    'a stop for calls after a thought alone',
    streamed([begin(thought('hm'), 0)], 'tool_use'),
    /^! model_bad_response: .*its answer has none/,
  ],
];

const ends: readonly Shape[] = [
  [
    'an unknown reason, whole',
    whole([text('Hi.')], { stop_reason: 'tea_time' }),
    /^! model_bad_response: .*'tea_time'/,
  ],
  ['a reason of null, streamed', streamed([begin(text('Hi.'), 0)], null), /^! model_stream_ended: .*broke off/],
  ['a reason of null, whole', whole([text('Hi.')], { stop_reason: null }), /^! model_stream_ended: .*broke off/],
  [
    'a reason at the begin alone',
    raw(...[{ ...start, message: { stop_reason: 'end_turn' } }, begin(text('Hal'), 0)].map(eventText)),
    /^! model_stream_ended: .*broke off/,
  ],
  ['a reason that is no text', whole([text('Hi.')], { stop_reason: 5 }), /^! model_stream_ended: .*broke off/],
  ['an empty refusal', streamed([], 'refusal'), '', 'safety'],
  ['an empty refusal, whole', whole([], { stop_reason: 'refusal' }), '', 'safety'],
  ['a cut answer without content', streamed([], 'max_tokens'), '', 'max_tokens'],
  ['thinking alone without a signature', streamed([begin(thought('hm'), 0)]), '', 'end_turn'],
  ['redacted thinking alone', whole([{ type: 'redacted_thinking', data: 'EmwK' }]), '', 'end_turn'],
  [
    'a second answer in the first',
    raw(...[start, begin(text('Hal'), 0), start, begin(text('Whole.'), 0), end('end_turn'), last].map(eventText)),
    /^! model_bad_response: .*second answer/,
  ],
  ['the begin and the end alone', raw(...[start, last].map(eventText)), /^! model_stream_ended: .*without an answer/],
];

const faults: readonly Shape[] = [
  [
    'overloaded in the middle',
    raw(...[start, begin(text('Hal'), 0), oops('overloaded_error')].map(eventText)),
    /^! model_failed: .*Oops/,
  ],
  [
    'overloaded in the middle of a call',
    raw(...[start, begin(call('t1'), 0), oops('overloaded_error')].map(eventText)),
    /^! model_failed: .*Oops/,
  ],
  [
    'a full context in the middle',
    raw(
      ...[start, begin(text('Hal'), 0), { type: 'error', error: { message: 'prompt is too long: 9 > 8' } }].map(
        eventText,
      ),
    ),
    /^! model_context_overflow: /,
  ],
  [
    'an error without details',
    raw(...[start, begin(text('Hal'), 0), { type: 'error' }].map(eventText)),
    /^! model_failed: /,
  ],
  ['a request that is at fault', raw(eventText(oops('invalid_request_error'))), /^! model_rejected: .*Oops/],
  [
    'a request that is at fault, whole',
    raw(JSON.stringify(oops('invalid_request_error'))),
    /^! model_rejected: .*Oops/,
  ],
  [
    'an HTML page',
    raw('<!doctype html><html><body>Sign in</body></html>'),
    /^! model_bad_response: .*not JSON: <!doctype html>/,
  ],
  [
    'compressed',
    { pieces: [gzipSync('{"type":"message"}')], headers: { 'content-encoding': 'gzip' } },
    /^! model_bad_response: .*not JSON/,
  ],
  ['content that is text', whole('Hi.'), /^! model_bad_response: .*without content/],
  ['content of null', whole(null), /^! model_bad_response: .*without content/],
  ['two objects', raw('{"type":"message"}{"type":"message"}'), /^! model_bad_response: .*not JSON/],
  ['half an object', raw('{"type":"message","content":[{"type":"te'), /^! model_bad_response: .*not JSON/],
  ['null', raw('null'), /^! model_bad_response: .*not an object/],
  ['an event that is a list', raw('data: [1]\n\n'), /^! model_bad_response: .*not an object/],
  [
    'half an event at its end',
    raw(eventText(start), eventText(begin(text('Hal'), 0)), 'data: {"type":"content_bl'),
    /^! model_bad_response: .*not JSON/,
  ],
];

async function answerOf(...replies: readonly ProviderReply[]) {
  const fake = await startFakeProvider(({ number }) => replies[number - 1] ?? replies.at(-1) ?? { pieces: [] });
  server = fake;
  const time = sleepless();
  const port = modelsWith({ ANTHROPIC_API_KEY: 'sk-ant-test-0123456789', ANTHROPIC_BASE_URL: fake.url }, time);
  const { response, deltas } = await ask(port, sampleRequest({ model: 'anthropic.claude-haiku-4-5' }));
  return { response, said: brief(response), deltas, slept: time.slept, requests: fake.requests.length };
}

describe('an answer of Messages has', () => {
  test.each(
    [...blocks, ...calls, ...ends, ...faults].map(([name, reply, expected, stopped]) => ({
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

  const content = [text('Hm: ä€😀'), call('t1', { n: 'ä€😀' })];
  const expected = 'Hm: ä€😀 | t1=add({"n":"ä€😀"})';
  test.each(eventForms)('%s', async (_, write) => {
    expect((await answerOf(write(messagesEvents({ content, stopReason: 'tool_use' })))).said).toBe(expected);
  });
  test.each(wholeForms)('%s, whole', async (_, write) => {
    expect((await answerOf(write(messagesWhole({ content, stopReason: 'tool_use' })))).said).toBe(expected);
  });
  test('bytes that are no UTF-8', async () => {
    const bytes = Buffer.from(messagesStream({ content: [text('aXb')] }).pieces.join(''));
    bytes[bytes.indexOf('aX') + 1] = 0xff;
    expect((await answerOf(raw(bytes))).said).toBe('a\uFFFDb');
  });
});

test.each([
  'invalid_request_error',
  'authentication_error',
  'permission_error',
  'not_found_error',
  'request_too_large',
])('%s in an answer is not asked for again', async (type) => {
  const { said, requests } = await answerOf(raw(eventText(start), eventText(oops(type))));
  expect([said.slice(0, 16), requests]).toEqual(['! model_rejected', 1]);
});

test.each<[string, JsonObject, readonly number[]]>([
  ['no counts', {}, [0, 0, 0]],
  ['counts as text', { input_tokens: '12', output_tokens: '7', cache_read_input_tokens: '3' }, [15, 7, 3]],
  ['negative counts', { input_tokens: -1, output_tokens: -5 }, [0, 0, 0]],
  ['counts that are no numbers', { input_tokens: 'many', output_tokens: [7], cache_read_input_tokens: {} }, [0, 0, 0]],
])('%s of tokens are counted', async (_, usage, expected) => {
  const content = [text('Hi.')];
  const events: readonly JsonObject[] = [
    { type: 'message_start', message: { usage } },
    begin(text('Hi.'), 0),
    { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage },
    last,
  ];
  for (const reply of [raw(...events.map(eventText)), whole(content, { usage })]) {
    const { usage: used } = (await answerOf(reply)).response;
    expect([used.inputTokens, used.outputTokens, used.cachedInputTokens]).toEqual(expected);
    await server?.close();
  }
});

describe('before the answer began, it is asked for again after', () => {
  const good = messagesStream({ content: [text('Now.')] });
  test.each<readonly [string, ProviderReply, number | undefined]>([
    ...passingFaults,
    ['overloaded as the first event', raw(eventText(oops('overloaded_error'))), undefined],
    ['a limit as the first event', raw(eventText(start), eventText(oops('rate_limit_error'))), undefined],
    ['a whole error', raw(JSON.stringify(oops('api_error'))), undefined],
  ])('%s', async (_, reply, wait) => {
    const { said, slept, requests } = await answerOf(reply, good);
    expect([said, requests, slept.length]).toEqual(['Now.', 2, 1]);
    if (wait !== undefined) expect(slept).toEqual([wait]);
    else expect(slept[0]).toBeGreaterThanOrEqual(500);
  });
});
