import type { Json, JsonObject } from '@/lib/base/json';
import { isMapping } from '@/lib/cards/yaml/pyyaml';
import { describeValue, toJson } from './describe-value';
import { listed, type Mapping } from './fields';

/** Reads `request_params`. Keys become snake_case, and numbers in quotes become numbers. */

/** What a value must be. A list of words means one of them. */
export type ParameterRule = 'integer' | 'number' | 'boolean' | 'strings' | 'mapping' | 'any' | readonly string[];

/** Every request parameter, by its name in snake_case. */
export const parameterRules: Readonly<Record<string, ParameterRule>> = {
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
  template_vars: 'mapping',
  mcp_metadata: 'mapping',
  metadata: 'mapping',
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
    const name = parameterName(key);
    const rule = parameterRules[name];
    if (rule === undefined) {
      const text = `'${key}' is not a request parameter and is ignored. Remove it or correct its spelling.`;
      from.report.reportKey('request-param-unknown', [...from.path, key], text);
      continue;
    }
    if (value === null) continue;
    const read = readParam(rule, value);
    const fault = typeof read === 'number' ? rangeFault(name, read) : undefined;
    if (fault !== undefined) {
      const text = `'request_params.${key}' must be ${fault}, not ${describeValue(value)}, and is ignored. Correct it.`;
      from.report.report('request-param-range', [...from.path, key], text);
    } else if (read !== undefined) result[name] = read;
    else {
      const text = `'request_params.${key}' must be ${nameOf(rule)}, not ${describeValue(value)}.`;
      from.report.report('request-params', [...from.path, key], text);
    }
  }
  return result;
}

/** Returns the name of a parameter in snake_case. Cards may write it in camelCase, as `maxTokens`. */
export function parameterName(key: string): string {
  return key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function readParam(rule: ParameterRule, value: unknown): Json | undefined {
  if (rule === 'any') return toJson(value);
  if (rule === 'mapping') return isMapping(value) ? toJson(value) : undefined;
  if (rule === 'boolean') return typeof value === 'boolean' ? value : undefined;
  if (rule === 'integer' || rule === 'number') {
    const isWritten = typeof value === 'bigint' || (typeof value === 'string' && value.trim() !== '');
    const number = isWritten ? Number(value) : value;
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

function nameOf(rule: ParameterRule): string {
  if (typeof rule !== 'string') return listed(rule);
  return ruleNames[rule];
}

const ruleNames = {
  integer: 'an integer',
  number: 'a number',
  boolean: 'true or false',
  strings: 'a list of strings',
  mapping: 'a mapping',
  any: '',
} as const;

/** Values outside these ranges pass fast-agent's loader, but prevent model calls, or the server of the model rejects them. */
const ranges: Readonly<Record<string, readonly [min: number, max: number, wanted: string]>> = {
  max_iterations: [1, Infinity, 'at least 1'],
  max_tokens: [1, Infinity, 'at least 1'],
  temperature: [0, Infinity, 'at least 0'],
  top_p: [0, 1, 'from 0 to 1'],
  min_p: [0, 1, 'from 0 to 1'],
};

function rangeFault(name: string, value: number): string | undefined {
  const range = Object.hasOwn(ranges, name) ? ranges[name] : undefined;
  if (range === undefined) return undefined;
  const [min, max, wanted] = range;
  return value >= min && value <= max ? undefined : wanted;
}
