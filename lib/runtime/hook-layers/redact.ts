import { RE2JS } from 're2js';
import { isRecord, type Json, type JsonObject, parseJson } from '@/lib/base/json';
import type { DeclarativeOf } from '@/lib/cards/hook-settings';
import type { ContentBlock, ToolResult } from '@/lib/runtime/record/messages';

/** Replaces secrets in values. A second pass changes nothing more. */
export interface Redactor {
  text(text: string): string;
  json(value: Json): Json;
}

/**
 * Makes a redactor. Patterns are matched by RE2 in linear time, so none can hang the worker. Throws for a pattern that RE2
 * cannot read: the checker finds most of those earlier, and the agent must not run without its guard. Keys are compared
 * without case and hide the whole value, also in text that is JSON.
 */
export function createRedactor({ patterns, keys, replacement }: DeclarativeOf<'redact'>): Redactor {
  const compiled = patterns.map((pattern) => RE2JS.compile(pattern));
  const hidden = new Set(keys.map((key) => key.toLowerCase()));

  function text(whole: string): string {
    const inner = hidden.size > 0 ? redactJsonText(whole) : whole;
    return compiled.reduce((cut, pattern) => pattern.matcher(cut).replaceAll(() => replacement), inner);
  }

  function json(value: Json): Json {
    if (typeof value === 'string') return text(value);
    if (isList(value)) return value.map(json);
    if (!isJsonObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [key, hidden.has(key.toLowerCase()) ? replacement : json(item)]),
    );
  }

  function redactJsonText(whole: string): string {
    const first = whole.trimStart().charAt(0);
    if (first !== '{' && first !== '[') return whole;
    const value = parseJson(whole);
    if (value === undefined) return whole;
    const clean = keysOnly(value);
    return JSON.stringify(clean) === JSON.stringify(value) ? whole : JSON.stringify(clean);
  }

  function keysOnly(value: Json): Json {
    if (isList(value)) return value.map(keysOnly);
    if (!isJsonObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [key, hidden.has(key.toLowerCase()) ? replacement : keysOnly(item)]),
    );
  }

  return { text, json };
}

export function redactArguments(redactor: Redactor, args: JsonObject): JsonObject {
  const clean = redactor.json(args);
  return isJsonObject(clean) ? clean : args;
}

/** Redacts text, addresses and structured content of a result, but not pictures and files. */
export function redactResult(redactor: Redactor, result: ToolResult): ToolResult {
  const { structuredContent } = result;
  return {
    ...result,
    content: result.content.map((block) => redactBlock(redactor, block)),
    ...(structuredContent === undefined ? {} : { structuredContent: redactor.json(structuredContent) }),
  };
}

function redactBlock(redactor: Redactor, block: ContentBlock): ContentBlock {
  switch (block.type) {
    case 'text':
      return { ...block, text: redactor.text(block.text) };
    case 'resource':
      return {
        ...block,
        uri: redactor.text(block.uri),
        ...(block.text === undefined ? {} : { text: redactor.text(block.text) }),
      };
    case 'resource_link':
      return { ...block, uri: redactor.text(block.uri) };
    case 'image':
    case 'audio':
      return block;
  }
}

function isJsonObject(value: Json | undefined): value is JsonObject {
  return isRecord(value);
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}
