import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { z } from 'zod';
import { brandAs, type CallId } from '@/lib/base/ids';
import { isRecord, parseJson } from '@/lib/base/json';
import { nameModel } from '@/lib/cards/models/name-model';
import { officialDialect } from '@/lib/testing/models-with';
import { sampleRequest, userMessage } from '@/lib/testing/sample-request';
import { argumentsOnWire, requestBody, wireTools } from './openai-request';

const called = z.object({ function: z.object({ name: z.string(), arguments: z.string() }) });
const sent = z.object({ messages: z.array(z.object({ tool_calls: z.array(called).optional() })) });

/** The call of a model, as the next request of its conversation has it. */
function inNextRequest(name: string, argumentsText: string): { readonly name: string; readonly arguments: string } {
  const named = nameModel('openai.gpt-5-mini');
  if (!named.ok) throw new Error(named.error);
  const id = brandAs<CallId>('c1');
  const result = { content: [{ type: 'text' as const, text: 'no' }], isError: true };
  const request = sampleRequest({
    model: 'openai.gpt-5-mini',
    messages: [
      userMessage('go'),
      { role: 'assistant', content: [], toolCalls: [{ id, name, argumentsText }], stopReason: 'tool_use' },
      { role: 'tool', results: [{ callId: id, result }] },
    ],
  });
  const body = sent.parse(JSON.parse(requestBody(request, named.value, wireTools([]), officialDialect).json));
  const call = body.messages.flatMap(({ tool_calls: calls = [] }) => calls)[0]?.function;
  if (call === undefined) throw new Error('The request has no call.');
  return call;
}

test.each([
  ['weather<|channel|>commentary', '{"city":"Oslo"}', 'weather__channel__commentary', '{"city":"Oslo"}'],
  ['', '{}', 'tool', '{}'],
  ['weather', '', 'weather', '{}'],
  ['weather', '{"city": "Os', 'weather', '{"not_a_json_object":"{\\"city\\": \\"Os"}'],
  ['weather', '{"n":1e999}', 'weather', '{"json_that_cannot_be_read":"{\\"n\\":1e999}"}'],
  ['weather', '["Oslo"]', 'weather', '{"not_a_json_object":"[\\"Oslo\\"]"}'],
])('a call of %j with %j goes back as one that servers take', (name, text, wantedName, wantedArguments) => {
  expect(inNextRequest(name, text)).toEqual({ name: wantedName, arguments: wantedArguments });
});

test('arguments that can be read are parsed once', () => {
  const parse = vi.spyOn(JSON, 'parse');
  const argumentsText = '{"city":"Oslo"}';
  expect(argumentsOnWire({ id: brandAs('c1'), name: 'weather', argumentsText })).toBe(argumentsText);
  expect(parse).toHaveBeenCalledTimes(1);
  parse.mockRestore();
});

test('whatever a model wrote, its next request has legal names and arguments', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.oneof(fc.string(), fc.json()), (name, text) => {
      const call = inNextRequest(name, text);
      expect(call.name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
      expect(isRecord(parseJson(call.arguments))).toBe(true);
    }),
  );
});
