import { expect, test } from 'vitest';
import type { Json } from '@/lib/base/json';
import { stepOfSpan } from './step-of-span';

/** A span by the documented attributes of a convention. */
const step = (name: string, attributes: Readonly<Record<string, Json>>, scope = '') =>
  stepOfSpan({
    ...{ traceId: 'a'.repeat(32), spanId: '1', name, start: 1e12, end: 1e12 + 5, attributes, events: [] },
    ...{ failed: false, scope, resource: {} },
  });

const call = { id: 'c1', name: 'search', argumentsText: '{"q":"x"}' };
const answer = {
  ...{ role: 'assistant', content: [{ type: 'text', text: 'Hello' }], toolCalls: [call], stopReason: 'tool_use' },
};

test.each<[string, Readonly<Record<string, Json>>]>([
  [
    'the first GenAI generation and OpenLLMetry',
    {
      ...{ 'llm.request.type': 'chat', 'gen_ai.system': 'openai', 'gen_ai.request.model': 'gpt-5' },
      ...{ 'gen_ai.usage.prompt_tokens': 9, 'gen_ai.usage.completion_tokens': 3, 'gen_ai.prompt.0.role': 'user' },
      ...{
        'gen_ai.prompt.0.content': 'Hi',
        'gen_ai.completion.0.role': 'assistant',
        'gen_ai.completion.0.content': 'Hello',
      },
      ...{ 'gen_ai.completion.0.tool_calls.0.id': 'c1', 'gen_ai.completion.0.tool_calls.0.name': 'search' },
      ...{
        'gen_ai.completion.0.tool_calls.0.arguments': '{"q":"x"}',
        'gen_ai.completion.0.finish_reason': 'tool_calls',
      },
    },
  ],
  [
    'the newest GenAI generation',
    {
      ...{ 'gen_ai.operation.name': 'chat', 'gen_ai.provider.name': 'openai', 'gen_ai.request.model': 'gpt-5' },
      ...{
        'gen_ai.usage.input_tokens': 9,
        'gen_ai.usage.output_tokens': 3,
        'gen_ai.response.finish_reasons': ['tool_call'],
      },
      'gen_ai.input.messages': '[{"role":"user","parts":[{"type":"text","content":"Hi"}]}]',
      'gen_ai.output.messages':
        '[{"role":"assistant","parts":[{"type":"text","content":"Hello"},{"type":"tool_call","id":"c1","name":"search","arguments":{"q":"x"}}]}]',
    },
  ],
  [
    'OpenInference',
    {
      ...{ 'openinference.span.kind': 'LLM', 'llm.system': 'openai', 'llm.model_name': 'gpt-5' },
      ...{ 'llm.token_count.prompt': 9, 'llm.token_count.completion': 3 },
      ...{ 'llm.input_messages.0.message.role': 'user', 'llm.input_messages.0.message.content': 'Hi' },
      ...{ 'llm.output_messages.0.message.role': 'assistant', 'llm.output_messages.0.message.content': 'Hello' },
      'llm.output_messages.0.message.tool_calls.0.tool_call.id': 'c1',
      'llm.output_messages.0.message.tool_calls.0.tool_call.function.name': 'search',
      'llm.output_messages.0.message.tool_calls.0.tool_call.function.arguments': '{"q":"x"}',
    },
  ],
])('a model call by %s', (_, attributes) => {
  const read = step('chat', attributes);
  expect(read).toMatchObject({ kind: 'model', model: 'gpt-5', provider: 'openai', message: answer, messageCount: 1 });
  expect(read.usage).toMatchObject({ inputTokens: 9, outputTokens: 3, modelCalls: 1 });
  expect(read.input).toBe('Hi');
});

test.each<[string, string, Readonly<Record<string, Json>>, object]>([
  [
    'GenAI',
    'execute_tool search',
    {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'search',
      'gen_ai.tool.call.arguments': '{"q":"x"}',
      'gen_ai.tool.call.result': 'found',
    },
    { source: 'function' },
  ],
  [
    'MCP',
    'tools/call search',
    {
      'mcp.method.name': 'tools/call',
      'gen_ai.tool.name': 'search',
      'gen_ai.tool.call.arguments': '{"q":"x"}',
      'gen_ai.tool.call.result': 'found',
    },
    { source: 'mcp' },
  ],
  [
    'OpenInference',
    'search',
    { 'openinference.span.kind': 'TOOL', 'tool.name': 'search', 'input.value': '{"q":"x"}', 'output.value': 'found' },
    {},
  ],
  [
    'OpenLLMetry',
    'search.tool',
    {
      'traceloop.span.kind': 'tool',
      'traceloop.entity.name': 'search',
      'traceloop.entity.input': '{"q":"x"}',
      'traceloop.entity.output': 'found',
    },
    {},
  ],
  [
    'Mastra',
    "tool: 'search'",
    { 'mastra.span.type': 'tool_call', 'gen_ai.tool.name': 'search', input: '{"q":"x"}', output: 'found' },
    {},
  ],
])('a tool call by %s', (_, name, attributes, more) => {
  const result = { content: [{ type: 'text', text: 'found' }], isError: false };
  expect(step(name, attributes)).toMatchObject({
    kind: 'tool',
    name: 'search',
    arguments: { q: 'x' },
    result,
    ...more,
  });
});

test.each<[string, string, Readonly<Record<string, Json>>]>([
  ['GenAI', 'invoke_agent lead', { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': 'lead' }],
  ['GenAI without its name', 'invoke_agent lead', { 'gen_ai.operation.name': 'invoke_agent' }],
  ['OpenInference', 'lead', { 'openinference.span.kind': 'AGENT' }],
  ['OpenLLMetry', 'lead.workflow', { 'traceloop.span.kind': 'workflow', 'traceloop.entity.name': 'lead' }],
  ['fast-agent', "Agent: 'lead[2]' generate", {}],
  ['fast-agent workflows', "Chain: 'lead' generate", {}],
])('an agent by %s', (_, name, attributes) => {
  expect(step(name, attributes)).toMatchObject({ kind: 'agent', name: 'lead' });
});

test('other spans: HTTP is a step, and a span without a convention is unknown', () => {
  expect(step('GET', { 'http.request.method': 'GET' }).kind).toBe('step');
  expect(step('my own', { a: 1 })).toMatchObject({ kind: 'unknown', rest: { a: 1 } });
});

const langChain = 'openinference.instrumentation.langchain';
const openAiAgents = '@arizeai/openinference-instrumentation-openai-agents';
const inPython = 'openinference.instrumentation.openai_agents';
const chain = { 'openinference.span.kind': 'CHAIN', 'llm.system': 'openai' };
const inPrompt = { 'langsmith.span.kind': 'chain', 'langsmith.metadata.langgraph_node': 'prompt' };
test.each<[string, boolean, string, Readonly<Record<string, Json>>, string]>([
  ['the prompt of a prebuilt agent', true, 'prompt', { metadata: '{"langgraph_node": "agent"}' }, langChain],
  ['a node of the name prompt', false, 'prompt', { metadata: '{"langgraph_node": "prompt"}' }, langChain],
  ['a node of the name prompt, by LangSmith', false, 'prompt', inPrompt, 'langsmith'],
  ['plumbing in a node of the name prompt', true, 'RunnableSequence', inPrompt, 'langsmith'],
  ['a run of the OpenAI Agents SDK that the program names', true, 'Support', chain, openAiAgents],
  ['a span of a program with data', false, 'Check stock', { ...chain, 'output.value': '{"left":3}' }, openAiAgents],
  ['an agent', false, 'Support', { ...chain, 'openinference.span.kind': 'AGENT' }, openAiAgents],
  ['a span of a program in Python', false, 'Check stock', chain, inPython],
  ['the root of a trace in Python', true, 'Support', { 'openinference.span.kind': 'AGENT' }, inPython],
  ['an agent in Python', false, 'Triage', { ...chain, 'openinference.span.kind': 'AGENT' }, inPython],
])('%s is the framework’s own work: %s', (_, isNoise, name, attributes, scope) => {
  expect(step(name, attributes, scope).isNoise === true).toBe(isNoise);
});

test('what a step of Mastra has beside text and calls stays visible', () => {
  const toolCalls = [{ toolCallId: 'c1', toolName: 'search', args: { q: 'x' } }];
  const restOf = (more: object) => {
    const output = JSON.stringify({ text: 'Hello', toolCalls, ...more });
    const read = step('step', { 'mastra.span.type': 'model_step', 'mastra.model_step.output': output });
    expect(read.message).toMatchObject(answer);
    return Object.keys(read.rest).filter((key) => key.endsWith('.output'));
  };
  expect(restOf({})).toEqual([]);
  expect(restOf({ files: ['a.png'] })).toEqual(['mastra.model_step.output']);
});

test('secrets among the parameters of a request are redacted', () => {
  const messages = '[{"role":"user","parts":[{"type":"text","content":"Hi"}]}]';
  const chat = step('chat', {
    ...{ 'openinference.span.kind': 'LLM', 'llm.model_name': 'm', 'gen_ai.input.messages': messages },
    'llm.invocation_parameters': '{"api_key":"sk-1","temperature":0,"extra":{"headers":{"Authorization":"Bearer 1"}}}',
  });
  const params = { api_key: '[redacted]', temperature: 0, extra: { headers: { Authorization: '[redacted]' } } };
  expect(chat.request?.params).toEqual(params);
  const config = { system_instruction: 'Be kind', http_options: { headers: { 'x-goog-api-key': 'k' } } };
  const adk = step('call_llm', {
    'gen_ai.operation.name': 'generate_content',
    'gcp.vertex.agent.llm_request': JSON.stringify({ contents: [{ role: 'user', parts: [{ text: 'Hi' }] }], config }),
  });
  expect(adk.request?.params).toEqual({ http_options: { headers: { 'x-goog-api-key': '[redacted]' } } });
});

test('tokens of Claude Code that come from a cache are part of the input, however many there are', () => {
  const inputOf = (read: number, written: number) =>
    step('claude_code.llm_request', {
      ...{ 'span.type': 'llm_request', model: 'claude-opus-4-5', input_tokens: 5_000, output_tokens: 10 },
      ...{ cache_read_tokens: read, cache_creation_tokens: written },
    }).usage?.inputTokens;
  expect([inputOf(0, 0), inputOf(3_000, 500), inputOf(5_001, 0)]).toEqual([5_000, 8_500, 10_001]);
});
