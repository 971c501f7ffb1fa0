import type { CallToolResult, ContentBlock as McpBlock } from '@modelcontextprotocol/sdk/types.js';
import type { Json } from '@/lib/base/json';
import type { ContentBlock, ToolErrorCode, ToolResult } from '@/lib/runtime/messages';

/** An MCP result in our terms. Of whatever size: cutting is the runtime's. */
export function toolResult(result: CallToolResult): ToolResult {
  return {
    content: result.content.map(toBlock),
    isError: result.isError === true,
    ...(result.isError === true && { errorCode: 'TOOL_FAILED' as const }),
    ...(isJson(result.structuredContent) && { structuredContent: result.structuredContent }),
  };
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

/** It was parsed from JSON text; the SDK's type only forgot that. */
function isJson(value: unknown): value is Json {
  return value !== undefined;
}
