import { afterEach, expect, test } from 'vitest';
import type { ToolDescriptor } from '@/lib/runtime/ports';
import { fakeClock } from '@/lib/testing/fake-clock';
import { type FakeProvider, startFakeProvider } from '@/lib/testing/fake-provider';
import { messagesStream } from '@/lib/testing/messages-answers';
import { modelsWith } from '@/lib/testing/models-with';
import { ask, brief, sampleRequest } from '@/lib/testing/sample-request';

const key = 'sk-ant-test-0123456789';
let server: FakeProvider | undefined;

afterEach(async () => {
  await server?.close();
  server = undefined;
});

const tool = (name: string): ToolDescriptor => ({
  name,
  description: 'A tool.',
  inputSchema: { type: 'object', properties: { n: { type: 'number' } } },
  source: 'mcp',
});

test('a parameter that the model refuses is left out from then on', async () => {
  const message = '`temperature` is deprecated for this model.';
  const fake = await startFakeProvider(({ body }) =>
    body.temperature === undefined
      ? messagesStream({ content: [{ type: 'text', text: 'ok' }] })
      : { status: 400, pieces: [JSON.stringify({ type: 'error', error: { type: 'invalid_request_error', message } })] },
  );
  server = fake;
  const port = modelsWith({ ANTHROPIC_API_KEY: key, ANTHROPIC_BASE_URL: fake.url }, fakeClock());
  const request = sampleRequest({ model: 'anthropic.claude-haiku-4-5?temperature=0.2' });
  expect(brief((await ask(port, request)).response)).toBe('ok');
  await ask(port, request);
  expect(fake.requests).toHaveLength(3);
});

test('a tool that the provider refuses does not take the others along', async () => {
  const message = 'tools.1.custom.input_schema: JSON schema is invalid';
  const fake = await startFakeProvider(({ body }) =>
    Array.isArray(body.tools) && body.tools.length > 1
      ? { status: 400, pieces: [JSON.stringify({ type: 'error', error: { type: 'invalid_request_error', message } })] }
      : messagesStream({ content: [{ type: 'text', text: 'ok' }] }),
  );
  server = fake;
  const port = modelsWith({ ANTHROPIC_API_KEY: key, ANTHROPIC_BASE_URL: fake.url }, fakeClock());
  const request = sampleRequest({ model: 'anthropic.claude-haiku-4-5', tools: [tool('add'), tool('bad')] });
  const { response, logs } = await ask(port, request);
  expect(brief(response)).toBe('ok');
  expect(logs).toEqual([expect.stringMatching(/^warning tool_refused: Tool 'bad' is not offered/)]);
});
