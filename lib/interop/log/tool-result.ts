import { isRecord, type Json } from '@/lib/base/json';
import { type ContentBlock, type ToolResult, textOf } from '@/lib/runtime/record/messages';
import type { ImportedOutcome } from './imported-step';

/** What is said of a call that failed without a word. */
export const callFailed = 'The call failed.';

/** The message of a failure that has none in the source. */
export const noMessage = 'The span reports an error without a message.';

/**
 * Makes a tool result of a value of any form. MCP content stays what it is; anything else becomes text. With `failure` the
 * result is an error, with this sentence after the value.
 */
export function toolResultOf(
  value: Json | undefined,
  failure: string | undefined,
  outcome: ImportedOutcome = 'failed',
): ToolResult {
  const content = contentOf(value);
  if (failure === undefined) return { content, isError: isRecord(value) && value.isError === true };
  const isSaid = failure === callFailed || textOf(content).includes(failure);
  const said: readonly ContentBlock[] =
    content.length > 0 && isSaid ? content : [...content, { type: 'text', text: failure }];
  return { content: said, isError: true, errorCode: outcome === 'timeout' ? 'TOOL_TIMEOUT' : 'TOOL_FAILED' };
}

function contentOf(value: Json | undefined): readonly ContentBlock[] {
  if (value === undefined || value === null) return [];
  const blocks = isRecord(value) && Array.isArray(value.content) ? value.content : value;
  if (Array.isArray(blocks) && blocks.length > 0 && blocks.every(isTextBlock)) return blocks;
  return [{ type: 'text', text: typeof value === 'string' ? value : JSON.stringify(value) }];
}

function isTextBlock(block: unknown): block is ContentBlock {
  return isRecord(block) && block.type === 'text' && typeof block.text === 'string' && Object.keys(block).length === 2;
}
