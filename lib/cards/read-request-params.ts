import type { Json, JsonObject } from '@/lib/base/json';
import { describeValue, toJson } from './describe-value';
import { listed, type Mapping } from './fields';

/** `request_params` by fast-agent.md 1.9. Keys come out in snake_case; numbers written as strings become numbers. */

type Rule = 'integer' | 'number' | 'boolean' | 'strings' | 'any' | readonly string[];

const rules: Readonly<Record<string, Rule>> = {
  max_tokens: 'integer',
  temperature: 'number',
  top_p: 'number',
  top_k: 'integer',
  min_p: 'number',
  presence_penalty: 'number',
  frequency_penalty: 'number',
  repetition_penalty: 'number',
  stop_sequences: 'strings',
  max_iterations: 'integer',
  parallel_tool_calls: 'boolean',
  tool_result_mode: ['postprocess', 'passthrough', 'selectable'],
  streaming_timeout: 'number',
  service_tier: ['fast', 'flex'],
  structured_tool_policy: ['auto', 'always', 'defer', 'no_tools'],
  emit_loop_progress: 'boolean',
  template_vars: 'any',
  mcp_metadata: 'any',
  metadata: 'any',
  use_history: 'any',
  system_prompt: 'any',
  model: 'any',
  model_preferences: 'any',
  messages: 'any',
  include_context: 'any',
};

export function readRequestParams(from: Mapping): JsonObject {
  const result: Record<string, Json> = {};
  for (const [key, value] of Object.entries(from.value)) {
    const name = key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    const rule = rules[name];
    if (rule === undefined) {
      const text = `'${key}' is no request parameter and is ignored. Remove it or correct its spelling.`;
      from.report.reportKey('request-param-unknown', [...from.path, key], text);
      continue;
    }
    if (value === null) continue;
    const read = readParam(rule, value);
    if (read !== undefined) result[name] = read;
    else {
      const text = `'request_params.${key}' must be ${nameOf(rule)}, not ${describeValue(value)}.`;
      from.report.report('request-params', [...from.path, key], text);
    }
  }
  return result;
}

function readParam(rule: Rule, value: unknown): Json | undefined {
  if (rule === 'any') return toJson(value);
  if (rule === 'boolean') return typeof value === 'boolean' ? value : undefined;
  if (rule === 'integer' || rule === 'number') {
    const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
    const fits =
      typeof number === 'number' && Number.isFinite(number) && (rule === 'number' || Number.isInteger(number));
    return fits ? number : undefined;
  }
  if (rule === 'strings') {
    const isList = Array.isArray(value) && value.every((entry) => typeof entry === 'string');
    return isList ? toJson(value) : undefined;
  }
  return typeof value === 'string' && rule.includes(value) ? value : undefined;
}

function nameOf(rule: Rule): string {
  if (typeof rule !== 'string') return listed(rule);
  return { integer: 'an integer', number: 'a number', boolean: 'true or false', strings: 'a list of strings', any: '' }[
    rule
  ];
}
