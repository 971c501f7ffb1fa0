import type { ImportedKind } from '@/lib/interop/log/imported-step';
import type { ReceivedSpan } from '@/lib/interop/otlp/received-span';
import { stopReasonOf } from '@/lib/interop/spans/reading/read-messages';
import { asText, parsed, type SpanReader } from '@/lib/interop/spans/reading/span-reader';
import type { StepFields } from '@/lib/interop/spans/reading/step-fields';
import { usageOfSpan } from '@/lib/interop/spans/reading/usage-of-span';
import { type Convention, kindIn } from './convention';

/** `span.type` of Claude Code, without `claude_code.` in front. */
const kinds: Readonly<Record<string, ImportedKind>> = {
  interaction: 'agent',
  llm_request: 'model',
  tool: 'tool',
  'tool.blocked_on_user': 'wait',
  'tool.execution': 'step',
  hook: 'hook',
};

const isOurs = ({ scope, name }: ReceivedSpan) => /claude_code/.test(scope) || name.startsWith('claude_code.');
const typeOf = (span: ReceivedSpan, reader: SpanReader) =>
  reader.text('span.type') ?? span.name.replace(/^claude_code\./, '');

/** Claude Code and the Claude Agent SDK. Tokens have plain names, and a failed span says `success: false`. */
export const claudeCode: Convention = {
  source: { key: 'claude-code', isFrom: isOurs },
  kind: (span, reader) => (isOurs(span) ? (kindIn(kinds, typeOf(span, reader)) ?? 'step') : undefined),
  names: {
    model: ['model'],
    callId: ['tool_use_id'],
    toolName: ['tool_name'],
    arguments: ['tool_input'],
    input: ['user_prompt'],
    inputTokens: ['input_tokens'],
    outputTokens: ['output_tokens'],
    cachedTokens: ['cache_read_tokens'],
    writtenTokens: ['cache_creation_tokens'],
    costUsd: ['cost_usd'],
    firstTokenMs: ['ttft_ms'],
  },
  isNoise: (span, reader) => isOurs(span) && typeOf(span, reader) === 'tool.execution',
  read: ({ span, reader, kind }) => (isOurs(span) ? facts(reader, kind) : undefined),
  failure: (span, reader) => {
    if (!isOurs(span) || reader.text('success') !== 'false') return undefined;
    const message = reader.text('error') ?? 'It reports no success.';
    const code = reader.text('error_type', 'status_code');
    return { code: code ?? 'failed', message };
  },
};

function facts(reader: SpanReader, kind: ImportedKind): StepFields {
  // An agent that a Task made has no span of its own. Its requests and calls name it.
  const subagent = reader.text('agent_id');
  const made = subagent === undefined ? {} : { subagent };
  switch (kind) {
    case 'agent':
      return { ...made, name: 'Claude Code', usage: usageOfSpan(reader, true) };
    case 'model':
      return { ...made, ...answer(reader), usage: usageOfSpan(reader, true) };
    case 'hook':
      return { ...made, name: reader.text('hook_name') ?? 'hook', phase: reader.text('hook_event') ?? 'hook' };
    case 'wait':
      return { ...made, ...decision(reader) };
    case 'step':
      return { ...made, ...toolOutput(reader) };
    case 'tool':
    case 'setup':
    case 'unknown':
      return { ...made, ...toolOutput(reader) };
  }
}

function answer(reader: SpanReader): StepFields {
  const text = reader.text('response.model_output');
  const reason = reader.text('stop_reason');
  if (text === undefined) return {};
  const content = [{ type: 'text' as const, text }];
  return { message: { role: 'assistant', content, toolCalls: [], stopReason: stopReasonOf(reason, false) } };
}

function decision(reader: SpanReader): StepFields {
  const said = reader.text('decision');
  const by = reader.text('source');
  return {
    output: said === undefined || said === 'accept' ? 'approve' : 'deny',
    ...(by !== undefined && { input: by }),
  };
}

/** An event has what the tool printed. */
function toolOutput(reader: SpanReader): StepFields {
  const output = reader.eventValue('output', 'content');
  return output === undefined ? {} : { output: asText(parsed(output)) };
}
