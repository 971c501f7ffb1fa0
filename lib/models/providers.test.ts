import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ProviderSections } from '@/lib/cards/config';
import { canonicalModel, nameModel } from '@/lib/cards/models/name-model';
import { readConfig } from '@/lib/cards/read/read-config';
import { parseYaml } from '@/lib/cards/yaml/yaml-source';
import { fakeClock } from '@/lib/testing/fake-clock';
import { type FakeOpenAI, startFakeOpenAI } from '@/lib/testing/fake-openai';
import { modelsWith } from '@/lib/testing/models-with';
import { ask, brief, sampleRequest } from '@/lib/testing/sample-request';
import { createAddressGuard } from '@/lib/tools/mcp/address-guard';
import { ownPort } from '@/lib/tools/mcp/own-addresses';

/** Two servers that record their requests: the operator's, and one that a folder names. */
let operator: FakeOpenAI;
let folder: FakeOpenAI;

beforeEach(async () => {
  operator = await startFakeOpenAI({ respond: () => ({ text: 'operator' }) });
  folder = await startFakeOpenAI({ respond: () => ({ text: 'folder' }) });
});

afterEach(() => Promise.all([operator.close(), folder.close()]));

const key = 'sk-of-the-operator-1';

function sections(yaml: string): ProviderSections {
  return readConfig('fast-agent.yaml', yaml, parseYaml({ text: yaml, offset: 0 })).config.providers;
}

async function say(
  model: string,
  {
    yaml = '',
    env = {},
    guard = createAddressGuard(undefined),
  }: { yaml?: string; env?: Record<string, string>; guard?: ReturnType<typeof createAddressGuard> } = {},
) {
  const models = modelsWith(env, fakeClock(), { providers: sections(yaml), guard });
  return brief((await ask(models, sampleRequest({ model }))).response);
}

const withOperator = () => ({ OPENAI_API_KEY: key, OPENAI_BASE_URL: operator.url });

describe('who is asked', () => {
  test('generic goes to its own address, and never to the server of OpenAI', async () => {
    const yaml = `generic: { base_url: "${folder.url}" }`;
    expect(await say('generic.llama3:8b', { env: withOperator(), yaml })).toBe('folder');
    expect(folder.requests.map(({ model }) => model)).toEqual(['llama3:8b']);
    expect(folder.requests[0]?.headers.authorization).not.toContain(key);
    expect(operator.requests).toEqual([]);
  });

  test.each([
    'anthropic.claude-opus-5',
    'sonnet',
    'groq.qwen3',
    'google/gemini-3.5-flash',
    'bedrock.nova',
    'azure.gpt',
  ])('%s is asked of nobody where its provider is not set up', async (model) => {
    expect(await say(model, { env: withOperator() })).toMatch(/^! model_not_served: Model '.*' is not served: .*\.$/);
    expect(operator.requests).toEqual([]);
  });

  test('a bare name that nobody knows is one of the own server, and never one of OpenAI', async () => {
    expect(await say('my-model', { env: withOperator() })).toBe('operator');
    const official = await say('my-model', { env: { OPENAI_API_KEY: key } });
    expect(official).toMatch(/No provider is known for model 'my-model'\. Write it as provider\.model/);
  });

  test('each provider has an address of the operator and a key of its own', async () => {
    const env = { ANTHROPIC_API_KEY: 'sk-ant-0123456789', ANTHROPIC_BASE_URL: operator.url, OPENAI_API_KEY: key };
    expect(await say('sonnet', { env, yaml: 'anthropic: { wire: chat }' })).toBe('operator');
    expect(operator.requests[0]).toMatchObject({
      model: 'claude-sonnet-5',
      headers: { authorization: 'Bearer sk-ant-0123456789' },
    });
  });
});

test('a server that knows only chat completions is told how to be called with them', async () => {
  const env = { ANTHROPIC_API_KEY: 'sk-ant-0123456789', ANTHROPIC_BASE_URL: operator.url };
  expect(await say('sonnet', { env })).toMatch(
    /^! model_not_found: .*set 'wire: chat' under 'anthropic' in fast-agent.yaml/,
  );
});

describe('which key', () => {
  test("a base_url that a folder names never gets the operator's key", async () => {
    for (const provider of ['openai', 'anthropic', 'generic', 'mistral', 'azure', 'openrouter']) {
      const name = provider.toUpperCase();
      const wire = provider === 'anthropic' ? ', wire: chat' : '';
      const yaml = `${provider}: { base_url: "${folder.url}"${wire} }`;
      await say(`${provider}.m`, {
        yaml,
        env: { ...withOperator(), [`${name}_API_KEY`]: key, AZURE_OPENAI_API_KEY: key },
      });
    }
    expect(folder.requests.length).toBe(5);
    expect(JSON.stringify(folder.requests.map(({ headers }) => headers))).not.toContain(key);
    expect(operator.requests).toEqual([]);
  });

  test('it gets the key and the headers that the folder gave', async () => {
    const yaml = `openai: { base_url: "${folder.url}/", api_key: sk-of-the-folder, default_headers: { X-Team: red } }`;
    expect(await say('openai.m', { env: withOperator(), yaml })).toBe('folder');
    expect(folder.requests[0]?.headers).toMatchObject({ authorization: 'Bearer sk-of-the-folder', 'x-team': 'red' });
  });

  test("the operator's own address gets the key, and no header of the folder", async () => {
    const yaml = `openai: { base_url: "${operator.url}", default_headers: { X-Forward-To: "http://elsewhere" } }`;
    expect(await say('openai.m', { env: withOperator(), yaml })).toBe('operator');
    expect(operator.requests[0]?.headers.authorization).toBe(`Bearer ${key}`);
    expect(operator.requests[0]?.headers['x-forward-to']).toBeUndefined();
  });

  test('a key of the operator cannot be named as a variable', async () => {
    const yaml = `generic: { base_url: "${folder.url}", api_key: "\${OPENAI_API_KEY}" }`;
    expect(await say('generic.m', { env: withOperator(), yaml })).toMatch(
      /section 'generic' asks for the variable OPENAI_API_KEY\. OPENAI_API_KEY belongs to a model provider/,
    );
    expect(folder.requests).toEqual([]);
  });
});

test('an address that a folder names is called through the guard', async () => {
  const port = Number(new URL(folder.url).port);
  const guard = createAddressGuard('1', { own: [ownPort('Callboard itself', port)] });
  const yaml = (base: string) => `generic: { base_url: "${base}" }`;
  expect(await say('generic.m', { yaml: yaml(folder.url), guard })).toMatch(/is Callboard itself, which a project may/);
  expect(await say('generic.m', { yaml: yaml(`http://localhost:${port}/v1`), guard })).toMatch(/Callboard itself/);
  expect(await say('generic.m', { yaml: yaml('http://169.254.169.254/v1') })).toMatch(/link-local, cloud metadata/);
  expect(folder.requests).toEqual([]);
});

test('settings of a section and of an alias are defaults of the request', async () => {
  const yaml = `hf: { base_url: "${folder.url}", api_key: hf_0123456789 }\nopenai: { base_url: "${folder.url}", reasoning: low }`;
  await say('kimi?temperature=0.2', { yaml });
  await say('kimi27code:novita', { yaml });
  await say('openai.m', { yaml });
  await say('openai.m?reasoning=high', { yaml });
  const [kimi, novita, low, high] = folder.requests.map(({ body }) => body);
  expect(kimi).toMatchObject({ model: 'moonshotai/Kimi-K2.7-Code:fireworks-ai', temperature: 0.2, top_p: 0.95 });
  expect(kimi).not.toHaveProperty('reasoning_effort');
  expect(novita?.model).toBe('moonshotai/Kimi-K2.7-Code:novita');
  expect([low?.reasoning_effort, high?.reasoning_effort]).toEqual(['low', 'high']);
});

test('a provider alone is the model that its section names', async () => {
  expect(await say('generic', { yaml: `generic: { base_url: "${folder.url}", default_model: llama3.2 }` })).toBe(
    'folder',
  );
  expect(folder.requests[0]?.model).toBe('llama3.2');
});

/** The provider and model that the parser of fast-agent 0.10.9 returns for each string. */
test.each([
  ['sonnet', 'anthropic', 'claude-sonnet-5'],
  ['haiku', 'anthropic', 'claude-haiku-4-5'],
  ['opus?reasoning=high', 'anthropic', 'claude-opus-5'],
  ['claude-opus-4-8', 'anthropic', 'claude-opus-4-8'],
  ['gpt-oss', 'hf', 'openai/gpt-oss-120b:cerebras'],
  ['gpt-oss:groq', 'hf', 'openai/gpt-oss-120b:groq'],
  ['gpt-oss-20b', 'hf', 'openai/gpt-oss-20b'],
  ['kimi26instant', 'hf', 'moonshotai/Kimi-K2.6:novita'],
  ['kimik3', 'moonshot', 'kimi-k3'],
  ['glm', 'hf', 'zai-org/GLM-5.2:zai-org'],
  ['glm-5.2', 'zai', 'glm-5.2'],
  ['deepseek', 'deepseek', 'deepseek-v4-flash'],
  ['gemini25', 'google', 'gemini-2.5-flash'],
  ['grok', 'xai', 'grok-4.6'],
  ['qwen3-32b', 'groq', 'qwen/qwen3-32b'],
  ['qwen-turbo', 'aliyun', 'qwen-turbo'],
  ['codex', 'responses', 'gpt-5.3-codex'],
  ['sol', 'codexresponses', 'gpt-5.6-sol'],
  ['gpt-4o', 'openai', 'gpt-4o'],
  ['gpt-5-mini', 'responses', 'gpt-5-mini'],
  ['GPT-5', 'responses', 'GPT-5'],
  ['openai/gpt-oss-120b', 'openai', 'gpt-oss-120b'],
  ['openai.gpt-4.1', 'openai', 'gpt-4.1'],
  ['openrouter/anthropic/claude', 'openrouter', 'anthropic/claude'],
  ['o3-pro', undefined, 'o3-pro'],
  ['llama3:8b', undefined, 'llama3:8b'],
])('%s is %s’s %s', (text, provider, name) => {
  expect(nameModel(text)).toMatchObject({ ok: true, value: { provider, name } });
});

test('prices are looked up by the name that is meant', () => {
  expect(['sonnet', 'gpt-5-mini?reasoning=low', 'x', 'generic.gpt-4o'].map(canonicalModel)).toEqual([
    'anthropic.claude-sonnet-5',
    'openai.gpt-5-mini',
    'x',
    'generic.gpt-4o',
  ]);
});
