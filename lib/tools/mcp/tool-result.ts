import type { CallToolResult, ContentBlock as McpBlock } from '@modelcontextprotocol/sdk/types.js';
import { exactJson } from '@/lib/base/exact-json';
import { hideValues } from '@/lib/base/hide-values';
import { hiderOf } from '@/lib/base/hider';
import type { Json, JsonObject } from '@/lib/base/json';
import type { ToolDescriptor } from '@/lib/runtime/ports';
import type { ContentBlock, ToolErrorCode, ToolResult } from '@/lib/runtime/record/messages';
import type { ListedPrompt } from './list-items';

/** Converts an MCP result. Does not limit its size; the runtime does. */
export function toolResult(result: CallToolResult): ToolResult {
  const content = result.content.map(toBlock);
  // Models read `content`, so structured content without `content` is copied there.
  if (content.length === 0 && isJson(result.structuredContent)) {
    content.push({ type: 'text', text: exactJson(result.structuredContent) });
  }
  return {
    content,
    isError: result.isError === true,
    ...(result.isError === true && { errorCode: 'TOOL_FAILED' as const }),
    ...(isJson(result.structuredContent) && { structuredContent: result.structuredContent }),
  };
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

export function toBlock(block: McpBlock): ContentBlock {
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
function isJson(value: unknown): value is Json {
  return value !== undefined;
}
