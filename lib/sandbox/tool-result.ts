import { exactJson } from '@/lib/base/exact-json';
import { isRecord, type Json, type JsonObject } from '@/lib/base/json';
import type { ContentBlock, ToolErrorCode, ToolResult } from '@/lib/runtime/record/messages';
import type { SandboxFailure } from './host/protocol';

/**
 * Converts a returned value to a result. A string, number or boolean becomes text; null becomes empty content; an MCP result
 * or a content block stays as it is; any other list or object becomes JSON text, and an object structured content too.
 */
export function toToolResult(value: Json, original?: ToolResult): ToolResult {
  if (value === null) return { content: [], isError: false };
  if (typeof value !== 'object') return text(String(value));
  const result = readResult(value, original);
  if (result !== undefined) return result;
  const block = readBlock(value);
  if (block !== undefined) return { content: [block], isError: false };
  if (Array.isArray(value) && value.length > 0) {
    const blocks = value.map(readBlock);
    if (blocks.every((one) => one !== undefined)) return { content: blocks, isError: false };
  }
  const asText = text(exactJson(value));
  return Array.isArray(value) ? asText : { ...asText, structuredContent: value };
}

/**
 * Reads `{content: […], isError?, errorCode?, structuredContent?}` with valid blocks. Returns `undefined` for any other
 * value. An error without a code gets the code of `original`, the result it was made from.
 */
export function readResult(value: Json, original?: ToolResult): ToolResult | undefined {
  if (!isJsonObject(value) || !Array.isArray(value.content)) return undefined;
  const content = value.content.map(readBlock);
  if (!content.every((block) => block !== undefined)) return undefined;
  const isError = value.isError === true;
  return {
    content,
    isError,
    ...(isError && { errorCode: readErrorCode(value.errorCode) ?? original?.errorCode ?? 'TOOL_FAILED' }),
    ...(value.structuredContent !== undefined &&
      value.structuredContent !== null && { structuredContent: value.structuredContent }),
  };
}

/** Makes a result for the model from the failed call of a function tool. */
export function failureResult(spec: string, failure: SandboxFailure): ToolResult {
  return { ...text(`Error: ${failureMessage(spec, failure)}`), isError: true, errorCode: failureCode(failure) };
}

/** Writes the failure as one sentence with the place in the project's file. */
export function failureMessage(spec: string, failure: SandboxFailure): string {
  const [frame] = failure.frames ?? [];
  const place = frame === undefined ? '' : ` (${frame.file}:${frame.line})`;
  return `${spec}: ${failure.message}${place}`;
}

function failureCode(failure: SandboxFailure): ToolErrorCode {
  switch (failure.code) {
    case 'arguments':
      return 'INPUT_VALIDATION';
    case 'timeout':
      return 'TOOL_TIMEOUT';
    case 'stopped':
      return 'AGENT_CANCELLED';
    default:
      return 'TOOL_FAILED';
  }
}

function text(value: string): ToolResult {
  return { content: [{ type: 'text', text: value }], isError: false };
}

function readBlock(value: Json): ContentBlock | undefined {
  if (!isJsonObject(value)) return undefined;
  const { type, text, data, mimeType, uri, name } = value;
  const mime = typeof mimeType === 'string' ? { mimeType } : {};
  switch (type) {
    case 'text':
      return typeof text === 'string' ? { type, text } : undefined;
    case 'image':
    case 'audio':
      return typeof data === 'string' && typeof mimeType === 'string' ? { type, data, mimeType } : undefined;
    case 'resource_link':
      if (uri === undefined) return undefined;
      return { type, uri: String(uri), ...(typeof name === 'string' && { name }), ...mime };
    case 'resource': {
      // In MCP the fields of a resource are nested; in our block they are not.
      const inner = isJsonObject(value.resource ?? null) ? objectOf(value.resource) : value;
      if (inner.uri === undefined) return undefined;
      return {
        type,
        uri: String(inner.uri),
        ...(typeof inner.mimeType === 'string' && { mimeType: inner.mimeType }),
        ...(typeof inner.text === 'string' && { text: inner.text }),
        ...(typeof inner.blob === 'string' && { blob: inner.blob }),
      };
    }
    default:
      return undefined;
  }
}

/** Reads the error codes that code may return. The runtime sets the others. */
function readErrorCode(value: Json | undefined): ToolErrorCode | undefined {
  switch (value) {
    case 'NOT_ALLOWED':
    case 'INPUT_VALIDATION':
    case 'OUTPUT_VALIDATION':
    case 'TOOL_FAILED':
      return value;
    default:
      return undefined;
  }
}

function objectOf(value: Json | undefined): JsonObject {
  return value !== undefined && isJsonObject(value) ? value : {};
}

function isJsonObject(value: Json): value is JsonObject {
  return isRecord(value);
}
