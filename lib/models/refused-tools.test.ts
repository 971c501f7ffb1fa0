import { afterEach, describe, expect, it } from 'vitest';
import type { ToolDescriptor } from '@/lib/runtime/ports';
import { fakeClock } from '@/lib/testing/fake-clock';
import { type FakeOpenAI, type FakeReply, type FakeRequest, startFakeOpenAI } from '@/lib/testing/fake-openai';
import { modelsWith } from '@/lib/testing/models-with';
import { ask, brief, sampleRequest } from '@/lib/testing/sample-request';
import { refusedTool } from './refused-tools';

let server: FakeOpenAI | undefined;

afterEach(async () => {
  await server?.close();
  server = undefined;
});

async function serve(respond: (request: FakeRequest) => FakeReply) {
  server = await startFakeOpenAI({ respond });
  const variables = { OPENAI_API_KEY: 'sk-test-0123456789', OPENAI_BASE_URL: server.url };
  return { fake: server, model: modelsWith(variables, fakeClock()) };
}

const toolOf = (remoteName: string): ToolDescriptor => ({
  name: `mixed__${remoteName}`,
  description: '',
  inputSchema: { type: 'object', title: remoteName },
  source: 'mcp',
  serverName: 'mixed',
  remoteName,
});
const asked = (tools: readonly ToolDescriptor[]) => sampleRequest({ model: 'gpt-test', tools });

/** Refuses the first tool whose name has the word `bad`, in words made from its name and place. */
const strictly =
  (words: (name: string, index: number) => string, status = 400) =>
  ({ tools }: FakeRequest): FakeReply => {
    const index = tools.findIndex(({ name }) => name.includes('bad'));
    return index < 0 ? { text: 'fine' } : { status, text: words(tools[index]?.name ?? '', index) };
  };

const namesIn = (fake: FakeOpenAI) =>
  fake.requests.map(({ tools }) => tools.map(({ name }) => name.slice(7)).join(' '));

describe('a provider that refuses a tool', () => {
  it.each([
    [(name: string) => `Invalid schema for function '${name}': In context=(), array schema missing items.`],
    [(name: string) => `invalid JSON schema for tool ${name}, /properties/a: must be an object`],
    [(_: string, index: number) => `Invalid value at tools[${index}].function.parameters`],
    [(_: string, index: number) => `tools.${index}.custom.input_schema: JSON schema is invalid.`],
    [
      (_: string, index: number) =>
        `* GenerateContentRequest.tools[0].function_declarations[${index}].parameters.properties[x].items: missing field.`,
    ],
  ])('is asked again without that tool, for each of them, now and from now on', async (words) => {
    const { fake, model } = await serve(strictly(words));
    const tools = ['good', 'bad_1', 'fine', 'bad_2'].map(toolOf);
    const first = await ask(model, asked(tools));
    expect(first.response).toMatchObject({ ok: true, requests: 3 });
    expect(namesIn(fake)).toEqual(['good bad_1 fine bad_2', 'good fine bad_2', 'good fine']);
    const { host } = new URL(fake.url);
    expect(first.logs).toEqual(
      [1, 2].map(
        (n) =>
          `warning tool_refused: Tool 'bad_${n}' of server 'mixed' is not offered, because the model's provider refuses it: ${host} rejected the request (status 400): ${words(`mixed__bad_${n}`, n)} Have the schema corrected at the server, or offer other tools alone: under 'tools' of the card, list the tools of 'mixed' that are wanted.`,
      ),
    );
    // The next call of the agent does not say it again; another agent with these tools does.
    expect(await ask(model, asked(tools))).toMatchObject({ response: { ok: true, requests: 1 }, logs: [] });
    expect((await ask(model, asked([...tools]))).logs).toHaveLength(2);
    // A schema that has changed is tried.
    await ask(model, asked([toolOf('good'), toolOf('bad_1')]));
    expect(namesIn(fake).slice(3)).toEqual(['good fine', 'good fine', 'good bad_1', 'good']);
  });

  it('is believed when it names no tool of the request', async () => {
    const { fake, model } = await serve(() => ({ status: 400, text: "Invalid schema for function 'other': no." }));
    expect(brief((await ask(model, asked([toolOf('good')]))).response)).toMatch(/^! model_rejected: .*'other': no\.$/);
    expect(fake.requests).toHaveLength(1);
  });

  it('is asked for an answer in a form as before when the only tool is refused', async () => {
    const { fake, model } = await serve(strictly((name) => `Invalid JSON schema for function '${name}'.`));
    const responseFormat = { name: 'route', schema: { type: 'object' } };
    const { response } = await ask(model, { ...asked([toolOf('bad')]), responseFormat });
    expect(response).toMatchObject({ ok: true, requests: 2 });
    expect(namesIn(fake)).toEqual(['bad', '']);
    expect(fake.requests.at(-1)?.format?.type).toBe('json_schema');
  });
});

it.each([
  "Invalid 'messages[1].tool_calls[0].function.name': string does not match pattern.",
  "Unsupported parameter: 'tools' is not supported with this model.",
  "Invalid 'tools': array too long. Expected an array with maximum length 128.",
  'Invalid schema for response_format: no.',
])('a refusal is about no tool: %s', (words) => {
  expect(refusedTool(words)).toBeUndefined();
});
