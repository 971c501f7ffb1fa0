import { once } from 'node:events';
import http from 'node:http';
import { afterEach, describe, expect, test } from 'vitest';
import type { ModelResponse } from '@/lib/runtime/ports';
import { fakeClock } from '@/lib/testing/fake-clock';
import { modelsWith } from '@/lib/testing/models-with';
import { ask, brief, sampleRequest } from '@/lib/testing/sample-request';

/**
 * The shapes in which servers write answers, as they are received over HTTP. Each was written for this test after the words of the
 * provider that is named.
 */
interface Shape {
  readonly name: string;
  /** The deltas of a stream, the message of an answer that is not streamed, or the text of a body. */
  readonly deltas?: readonly object[];
  readonly message?: object;
  readonly body?: string;
  /** The `finish_reason`; `null` for none. */
  readonly finish?: string | null;
  /** Members of the last choice. */
  readonly beside?: object;
  /** The answer in short, after its thoughts in brackets if it has any. */
  readonly wanted: string;
}

const call = (text: unknown, more: object = {}) => ({
  type: 'function',
  function: { name: 'add', arguments: text },
  ...more,
});
const named = (name: string, text: string, more: object = {}) => ({
  ...call(text, more),
  function: { name, arguments: text },
});
const rest = (text: string, more: object = {}) => ({ function: { arguments: text }, ...more });
const calls = (...all: object[]) => ({ tool_calls: all });
const parts = (...content: object[]) => ({ content });
const text = (words: string) => ({ type: 'text', text: words });
const thinking = (words: string) => ({ type: 'thinking', thinking: [text(words)] });

const one = 'a=add({"n":1})';
const two = 'a=add({"n":1}) | b=add({"n":2})';
const generated = 'lead#m1-c1=add({"n":1}) | lead#m1-c2=add({"n":2})';

const callShapes: readonly Shape[] = [
  {
    name: 'arguments as a list, and as an object',
    message: calls(call([1], { id: 'a' }), call({ n: 2 }, { id: 'b' })),
    wanted: 'a=add([1]) | b=add({"n":2})',
  },
  { name: 'one call, whole', deltas: [calls(call('{"n":1}', { index: 0, id: 'a' }))], wanted: one },
  {
    name: 'one call in pieces',
    deltas: [
      calls(call('', { index: 0, id: 'a' })),
      calls(rest('{"n"', { index: 0 })),
      calls(rest(':1}', { index: 0 })),
    ],
    wanted: one,
  },
  {
    name: 'calls with ids and indexes',
    deltas: [calls(call('{"n":1}', { index: 0, id: 'a' })), calls(call('{"n":2}', { index: 1, id: 'b' }))],
    wanted: two,
  },
  {
    name: 'pieces of two calls, mixed',
    deltas: [
      calls(call('{"n"', { index: 0, id: 'a' }), call('{"n"', { index: 1, id: 'b' })),
      calls(rest(':1}', { index: 0 }), rest(':2}', { index: 1 })),
    ],
    wanted: two,
  },
  {
    name: 'the second index first',
    deltas: [calls(call('{"n":2}', { index: 1, id: 'b' })), calls(call('{"n":1}', { index: 0, id: 'a' }))],
    wanted: two,
  },
  {
    name: 'index 0 for all, with ids (Gemini)',
    deltas: [calls(call('{"n":1}', { index: 0, id: 'a' })), calls(call('{"n":2}', { index: 0, id: 'b' }))],
    wanted: two,
  },
  {
    name: 'index 0 for all, with ids, in pieces',
    deltas: [
      calls(call('', { index: 0, id: 'a' })),
      calls(rest('{"n":1}', { index: 0 })),
      calls(call('', { index: 0, id: 'b' })),
      calls(rest('{"n":2}', { index: 0 })),
    ],
    wanted: two,
  },
  {
    name: 'index 0 for all, without ids',
    deltas: [calls(call('{"n":1}', { index: 0 })), calls(call('{"n":2}', { index: 0 }))],
    wanted: generated,
  },
  {
    name: 'index 0 for all, without ids, in pieces',
    deltas: [
      calls(call('', { index: 0 })),
      calls(rest('{"n":1}', { index: 0 })),
      calls(call('', { index: 0 })),
      calls(rest('{"n":2}', { index: 0 })),
    ],
    wanted: generated,
  },
  {
    name: 'an index that is text',
    deltas: [
      calls(call('{"n"', { index: '0', id: 'a' })),
      calls(call('{"n"', { index: '1', id: 'b' })),
      calls(rest(':1}', { index: '0' }), rest(':2}', { index: '1' })),
    ],
    wanted: two,
  },
  {
    name: 'no index, with ids',
    deltas: [calls(call('{"n":1}', { id: 'a' })), calls(call('{"n":2}', { id: 'b' }))],
    wanted: two,
  },
  {
    name: 'no index, with ids, in pieces',
    deltas: [
      calls(call('', { id: 'a' })),
      calls(rest('{"n":1}')),
      calls(call('', { id: 'b' })),
      calls(rest('{"n":2}')),
    ],
    wanted: two,
  },
  { name: 'no index and no id, in one piece', deltas: [calls(call('{"n":1}'), call('{"n":2}'))], wanted: generated },
  {
    name: 'no index and no id, one after the other',
    deltas: [calls(call('{"n":1}')), calls(call('{"n":2}'))],
    wanted: generated,
  },
  {
    name: 'no index and no id, in pieces',
    deltas: [calls(call('{"n"')), calls(rest(':1}')), calls(call('')), calls(rest('{"n":2}'))],
    wanted: generated,
  },
  {
    name: 'one id for two calls',
    deltas: [calls(call('{"n":1}', { id: 'a' })), calls(call('{"n":2}', { id: 'a' }))],
    wanted: 'a=add({"n":1}) | lead#m1-c2=add({"n":2})',
  },
  {
    name: 'an id that is new in each piece (old vLLM)',
    deltas: [
      calls(call('', { index: 0, id: 'a' })),
      calls(rest('{"n"', { index: 0, id: 'x' })),
      calls(rest(':1}', { index: 0, id: 'y' })),
    ],
    wanted: one,
  },
  {
    name: 'name and id in each piece',
    deltas: [
      calls(call('{"n"', { index: 0, id: 'a' })),
      calls(call(':1}', { index: 0, id: 'a' })),
      calls(call('', { index: 0, id: 'a' })),
    ],
    wanted: one,
  },
  {
    name: 'the whole call once more at the end',
    deltas: [calls(call('{"n":1}', { index: 0, id: 'a' })), calls(call('{"n":1}', { index: 0, id: 'a' }))],
    wanted: one,
  },
  {
    name: 'a call whose name is told once more',
    deltas: [calls(call('{"n":1}', { index: 0 })), calls(call('', { index: 0 }))],
    wanted: 'lead#m1-c1=add({"n":1})',
  },
  {
    name: 'other names without arguments',
    deltas: [calls(named('add', '', { index: 0 })), calls(named('sub', '', { index: 0 }))],
    wanted: 'lead#m1-c1=add() | lead#m1-c2=sub()',
  },
  {
    name: 'arguments that are an object (old Ollama)',
    deltas: [calls(call({ n: 1 }, { index: 0, id: 'a' }))],
    wanted: one,
  },
  {
    name: 'the old function_call',
    deltas: [{ function_call: { name: 'add', arguments: '{"n"' } }, { function_call: { arguments: ':1}' } }],
    finish: 'function_call',
    wanted: 'lead#m1-c1=add({"n":1})',
  },
  { name: 'JSON: calls without ids', message: calls(call('{"n":1}'), call('{"n":2}')), wanted: generated },
  {
    name: 'JSON: calls with index 0 for all',
    message: calls(call('{"n":1}', { index: 0, id: 'a' }), call('{"n":2}', { index: 0, id: 'b' })),
    wanted: two,
  },
  {
    name: 'JSON: equal calls',
    message: calls(call('{"n":1}'), call('{"n":1}')),
    wanted: 'lead#m1-c1=add({"n":1}) | lead#m1-c2=add({"n":1})',
  },
  {
    name: 'JSON: the old function_call',
    message: { function_call: { name: 'add', arguments: '{"n":1}' } },
    finish: 'function_call',
    wanted: 'lead#m1-c1=add({"n":1})',
  },
  {
    name: 'a call with finish_reason stop (local servers)',
    deltas: [calls(call('{"n":1}', { index: 0, id: 'a' }))],
    finish: 'stop',
    wanted: one,
  },
];

const thought = '[Twice twelve.] It is 24.';

const contentShapes: readonly Shape[] = [
  { name: 'text', deltas: [{ content: 'It is ' }, { content: '24.' }], wanted: 'It is 24.' },
  { name: 'JSON: text', message: { content: 'It is 24.' }, wanted: 'It is 24.' },
  {
    name: 'parts with thoughts, then text (Mistral)',
    deltas: [parts(thinking('Twice ')), parts(thinking('twelve.')), parts(text('It is ')), { content: '24.' }],
    wanted: thought,
  },
  { name: 'JSON: parts with thoughts', message: parts(thinking('Twice twelve.'), text('It is 24.')), wanted: thought },
  { name: 'JSON: parts that are texts', message: { content: ['It is ', '24.'] }, wanted: 'It is 24.' },
  { name: 'one part as an object', deltas: [{ content: text('It is 24.') }], wanted: 'It is 24.' },
  {
    name: 'a part whose text is an object',
    deltas: [parts({ type: 'text', text: { value: 'It is 24.' } })],
    wanted: 'It is 24.',
  },
  {
    name: 'a part of the Responses wire',
    message: parts({ type: 'output_text', text: 'It is 24.' }),
    wanted: 'It is 24.',
  },
  {
    name: 'a message in a stream',
    body: `data: ${JSON.stringify({ choices: [{ index: 0, message: { content: 'It is 24.' }, finish_reason: 'stop' }] })}\n\n`,
    wanted: 'It is 24.',
  },
  {
    name: 'the text of a completion',
    body: JSON.stringify({ choices: [{ index: 0, text: 'It is 24.', finish_reason: 'stop' }] }),
    wanted: 'It is 24.',
  },
  {
    name: 'the words of a spoken answer',
    message: { content: null, audio: { id: 'x', transcript: 'It is 24.' } },
    wanted: 'It is 24.',
  },
  {
    name: 'a picture alone',
    message: { content: '', images: [{ type: 'image_url' }] },
    wanted: "! model_bad_response: The model's answer has only parts that Callboard does not read: images.",
  },
  {
    name: 'unknown parts alone',
    message: parts({ type: 'hologram' }),
    wanted: "! model_bad_response: The model's answer has only parts that Callboard does not read: hologram.",
  },
  {
    name: 'a choice without a message',
    body: JSON.stringify({ choices: [{ index: 0, finish_reason: 'stop' }] }),
    wanted:
      "! model_bad_response: The model's answer has only parts that Callboard does not read: a choice without a message.",
  },
  { name: 'a refusal', deltas: [{ refusal: 'I will not.' }], wanted: 'I will not. (safety)' },
  {
    name: 'a part with a refusal',
    message: parts({ type: 'refusal', refusal: 'I will not.' }),
    wanted: 'I will not. (safety)',
  },
  {
    name: 'reasoning_content (DeepSeek)',
    deltas: [{ reasoning_content: 'Twice twelve.' }, { content: 'It is 24.' }],
    wanted: thought,
  },
  {
    name: 'reasoning (OpenRouter, vLLM, Groq)',
    deltas: [{ reasoning: 'Twice twelve.' }, { content: 'It is 24.' }],
    wanted: thought,
  },
  {
    name: 'an empty reasoning_content beside reasoning',
    deltas: [{ reasoning_content: '', reasoning: 'Twice twelve.', content: 'It is 24.' }],
    wanted: thought,
  },
  {
    name: 'reasoning that is an object',
    deltas: [{ reasoning: { content: 'Twice twelve.' }, content: 'It is 24.' }],
    wanted: thought,
  },
  {
    name: 'reasoning_details alone',
    deltas: [{ reasoning_details: [{ type: 'reasoning.text', text: 'Twice twelve.' }] }, { content: 'It is 24.' }],
    wanted: thought,
  },
  { name: 'thoughts alone', deltas: [{ reasoning_content: 'Twice twelve.' }], wanted: '[Twice twelve.] ' },
  { name: 'nothing', deltas: [{ content: '' }], wanted: '' },
];

const cutOff = "! model_stream_ended: The model's answer broke off before its end";
const words = [{ content: 'The three' }];
const oneCall = [calls(call('{"n":1}', { index: 0, id: 'a' }))];
const noReason = `${cutOff}: its server did not say why it ended.`;
const unreadable = (reason: string) =>
  `! model_bad_response: The model made a tool call that its provider could not read ('${reason}').`;
const withheld = (reason: string) =>
  `! answer_withheld: The provider withheld the answer or a part of it (finish_reason '${reason}').`;

const ends: readonly Shape[] = [
  ...['STOP', 'eos', 'eos_token', 'end_turn', 'stop_sequence', 'COMPLETE'].map((finish) => ({
    name: finish,
    deltas: words,
    finish,
    wanted: 'The three',
  })),
  ...['length', 'MAX_TOKENS', 'max_tokens', 'model_length'].map((finish) => ({
    name: finish,
    deltas: words,
    finish,
    wanted: 'The three (max_tokens)',
  })),
  { name: 'length with a call', deltas: oneCall, finish: 'length', wanted: `${one} (max_tokens)` },
  { name: 'content_filter', deltas: words, finish: 'content_filter', wanted: 'The three (safety)' },
  { name: 'content_filter with a call', deltas: oneCall, finish: 'content_filter', wanted: `${one} (safety)` },
  { name: 'tool_use with a call', deltas: oneCall, finish: 'tool_use', wanted: one },
  { name: 'tool_calls with words and no call', deltas: words, finish: 'tool_calls', wanted: 'The three (tool_use)' },
  {
    name: 'tool_calls with nothing',
    deltas: [{}],
    finish: 'tool_calls',
    wanted: '! model_bad_response: The model stopped for tool calls, but its answer has none.',
  },
  {
    name: 'malformed_function_call',
    deltas: [{ content: '' }],
    finish: 'malformed_function_call',
    wanted: unreadable('malformed_function_call'),
  },
  {
    name: 'function_call_filter',
    deltas: [{}],
    finish: 'function_call_filter: MALFORMED_FUNCTION_CALL',
    wanted: unreadable('function_call_filter:_malformed_function_call'),
  },
  {
    name: 'native_finish_reason',
    deltas: words,
    beside: { native_finish_reason: 'MALFORMED_FUNCTION_CALL' },
    wanted: unreadable('MALFORMED_FUNCTION_CALL'),
  },
  ...['SAFETY', 'RECITATION', 'sensitive', 'PROHIBITED_CONTENT'].map((finish) => ({
    name: finish,
    deltas: words,
    finish,
    wanted: withheld(finish),
  })),
  ...['error', 'network_error', 'insufficient_system_resource', 'abort'].map((finish) => ({
    name: finish,
    deltas: words,
    finish,
    wanted: `${cutOff} (finish_reason '${finish}').`,
  })),
  {
    name: 'model_context_window_exceeded',
    deltas: [{ content: '' }],
    finish: 'model_context_window_exceeded',
    wanted:
      "! model_context_overflow: The conversation does not fit the model's context (finish_reason 'model_context_window_exceeded'). Shorten the input, or choose a model with a larger context.",
  },
  {
    name: 'pause_turn',
    deltas: words,
    finish: 'pause_turn',
    wanted:
      "! model_bad_response: The model's server ended its answer in a way that Callboard does not know (finish_reason 'pause_turn'), so the answer may not be whole.",
  },
  { name: '[DONE] without a reason', deltas: words, finish: null, wanted: noReason },
  { name: 'empty reasons to the end', deltas: words, finish: '', wanted: noReason },
  { name: 'a reason that is the word null', deltas: words, finish: 'null', wanted: noReason },
  { name: 'JSON without a reason', message: { content: 'The three' }, finish: null, wanted: noReason },
  {
    name: 'JSON: error',
    message: { content: 'The three' },
    finish: 'error',
    wanted: `${cutOff} (finish_reason 'error').`,
  },
  {
    name: 'an error in the choice',
    deltas: words,
    finish: 'error',
    beside: { error: { code: 502, message: 'Upstream failed' } },
    wanted: "! model_failed: The model's server failed while answering: Upstream failed",
  },
  {
    name: 'an error of vLLM with status 200',
    body: JSON.stringify({ object: 'error', message: 'no' }),
    wanted: '! model_bad_response: The model\'s server sent JSON without choices: {"object":"error","message":"no"}',
  },
];

let close = (): void => undefined;
afterEach(() => close());

async function served(body: string, type: string): Promise<string> {
  const server = http.createServer((request, response) => {
    request.resume();
    request.once('end', () => response.writeHead(200, { 'content-type': type }).end(body));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  close = () => {
    server.close();
    server.closeAllConnections();
  };
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return `http://127.0.0.1:${address.port}/v1`;
}

function bodyOf({ deltas, message, body, finish, beside }: Shape): string {
  if (body !== undefined) return body;
  const all = [...(deltas ?? []), ...(message ? [message] : [])];
  const usual = JSON.stringify(all).includes('"tool_calls"') ? 'tool_calls' : 'stop';
  const finish_reason = finish === undefined ? usual : finish;
  if (message !== undefined) return JSON.stringify({ choices: [{ index: 0, message, finish_reason, ...beside }] });
  const chunk = (choice: object) => `data: ${JSON.stringify({ choices: [{ index: 0, ...choice }] })}\n\n`;
  const first = all.map((delta) => chunk({ delta, finish_reason: finish === '' ? '' : null }));
  return [...first, chunk({ delta: {}, finish_reason, ...beside }), 'data: [DONE]\n\n'].join('');
}

function inShort(response: ModelResponse): string {
  if (!response.ok) return brief(response);
  const { reasoning, stopReason, toolCalls } = response.message;
  const isUsual = stopReason === (toolCalls.length > 0 ? 'tool_use' : 'end_turn');
  const said = brief(response).replace(/^ \| /, '');
  return `${reasoning === undefined ? '' : `[${reasoning}] `}${said}${isUsual ? '' : ` (${stopReason})`}`;
}

async function answered(shape: Shape) {
  const isStream = shape.deltas !== undefined || shape.body?.startsWith('data:') === true;
  const url = await served(bodyOf(shape), isStream ? 'text/event-stream' : 'application/json');
  const clock = fakeClock(1_000);
  const model = modelsWith({ OPENAI_BASE_URL: url }, { ...clock, sleep: (ms) => clock.advance(ms) });
  return await ask(model, sampleRequest({ model: 'gpt-test' }));
}

describe.each([
  ['calls', callShapes],
  ['content', contentShapes],
  ['ends', ends],
] as const)('%s', (_, shapes) => {
  test.each(shapes)('$name', async (shape) => {
    const { response, deltas, parts: told } = await answered(shape);
    expect(inShort(response)).toBe(shape.wanted);
    if (!response.ok) return;
    // The live stream has the same words and as many calls.
    expect(deltas.join('')).toBe(brief({ ...response, message: { ...response.message, toolCalls: [] } }));
    const live = new Map<number, string>();
    for (const [piece, part] of told) {
      if (typeof part === 'object') live.set(part.call, (live.get(part.call) ?? '') + piece);
    }
    expect([...live.values()].sort()).toEqual(response.message.toolCalls.map((one) => one.argumentsText).sort());
  });
});
