import { ContentBlockSchema, type ContentBlock as McpBlock } from '@modelcontextprotocol/sdk/types.js';
import { exactJson } from '@/lib/base/exact-json';
import { hideValues } from '@/lib/base/hide-values';
import { hiderOf } from '@/lib/base/hider';
import { isRecord, type Json, type JsonObject } from '@/lib/base/json';
import type { ToolDescriptor } from '@/lib/runtime/ports';
import type { ContentBlock, ToolErrorCode, ToolResult } from '@/lib/runtime/record/messages';
import type { ListedPrompt } from './list-items';

/** The error of a result that cannot be read. The message names the member. */
export class OddResult extends Error {}

/**
 * Converts an MCP result. Does not limit its size; the runtime does. Each block is read for itself, because a tool that has done
 * its work must not seem to have failed. Throws `OddResult` if there is no list of blocks.
 */
export function toolResult(result: unknown): ToolResult {
  if (!isRecord(result)) throw new OddResult('the answer as a whole');
  const { content: given, isError, structuredContent, resultType } = result;
  // A result of another kind must not be read as one that is there (MCP 2026-07-28, basic).
  if (typeof resultType === 'string' && resultType !== 'complete') {
    throw new OddResult(`a result of type '${resultType.slice(0, 100)}' cannot be read here`);
  }
  const raws: unknown = given ?? [];
  if (!Array.isArray(raws)) throw new OddResult("'content' is missing or of another type");
  const content = raws.map(readBlock);
  const structured = isJsonObject(structuredContent) ? structuredContent : undefined;
  // Models read `content`, so structured content of any kind (MCP 2026-07-28), or a result of MCP 2024-10-07, is copied there.
  const copied = structuredContent ?? result.toolResult ?? undefined;
  if (content.length === 0 && copied !== undefined) content.push({ type: 'text', text: exactJson(copied) });
  if (content.length === 0 && isError === true)
    content.push({ type: 'text', text: 'The tool failed and did not say why.' });
  return {
    content,
    isError: isError === true,
    ...(isError === true && { errorCode: 'TOOL_FAILED' as const }),
    ...(structured !== undefined && { structuredContent: structured }),
  };
}

/** Reads a block. In place of one that is not known here there is a note with its type. */
export function readBlock(raw: unknown): ContentBlock {
  const read = ContentBlockSchema.safeParse(raw);
  if (read.success) return toBlock(read.data);
  if (isRecord(raw)) {
    const { annotations: _, _meta: __, ...plain } = raw;
    if (isRecord(plain.resource)) plain.resource = withoutNulls(plain.resource);
    const again = ContentBlockSchema.safeParse(withoutNulls(plain));
    if (again.success) return toBlock(again.data);
  }
  const type = isRecord(raw) && typeof raw.type === 'string' ? raw.type.slice(0, 100) : undefined;
  const what = type === undefined ? 'a block without a type' : `a block of type '${type}' that cannot be read here`;
  return { type: 'text', text: `[left out: ${what}]` };
}

function withoutNulls(value: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).filter(([, entry]) => entry !== null));
}

/** Hides every secret in the result, because results are recorded, shown and sent to models. */
export function sealResult(result: ToolResult, secrets: readonly string[]): ToolResult {
  const { structuredContent } = result;
  return {
    ...result,
    content: hideValues(result.content, secrets),
    ...(structuredContent !== undefined && { structuredContent: hideValues(structuredContent, secrets) }),
  };
}

/** Hides every secret in what a server says of a tool, because models read it. The names stay, because calls need them. */
export function sealTool(tool: ToolDescriptor, secrets: readonly string[]): ToolDescriptor {
  if (secrets.length === 0) return tool;
  const hider = hiderOf(secrets);
  const seal = (text: string) => hider.hide(text);
  return { ...tool, description: seal(tool.description), inputSchema: sealObject(tool.inputSchema, seal) };
}

/** Hides every secret in what a server says of a prompt, because models read it. */
export function sealPrompt(prompt: ListedPrompt, secrets: readonly string[]): ListedPrompt {
  const hider = hiderOf(secrets);
  const sealed = <T extends { readonly description?: string }>(one: T): T =>
    one.description === undefined ? one : { ...one, description: hider.hide(one.description) };
  return { ...sealed(prompt), arguments: prompt.arguments.map(sealed) };
}

function sealObject(value: JsonObject, seal: (text: string) => string): JsonObject {
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, sealJson(entry, seal)]));
}

function sealJson(value: Json, seal: (text: string) => string): Json {
  if (typeof value === 'string') return seal(value);
  if (Array.isArray(value)) return value.map((entry: Json) => sealJson(entry, seal));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, sealJson(entry, seal)]));
}

export function errorResult(errorCode: ToolErrorCode, message: string): ToolResult {
  return { content: [{ type: 'text', text: message }], isError: true, errorCode };
}

function toBlock(block: McpBlock): ContentBlock {
  switch (block.type) {
    case 'text':
      return { type: 'text', text: block.text };
    case 'image':
    case 'audio':
      return { type: block.type, data: block.data, mimeType: block.mimeType };
    case 'resource_link':
      return {
        type: 'resource_link',
        uri: block.uri,
        name: block.name,
        ...(block.mimeType !== undefined && { mimeType: block.mimeType }),
      };
    case 'resource': {
      const { resource } = block;
      return {
        type: 'resource',
        uri: resource.uri,
        ...(resource.mimeType !== undefined && { mimeType: resource.mimeType }),
        ...('text' in resource ? { text: resource.text } : { blob: resource.blob }),
      };
    }
  }
}

/** The SDK parsed the value from JSON, although its type is wider. */
function isJsonObject(value: unknown): value is JsonObject {
  return isRecord(value);
}
