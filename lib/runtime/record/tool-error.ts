import type { ToolErrorCode, ToolResult } from './messages';

/** A failure that the model reads and may act on. */
export function errorResult(errorCode: ToolErrorCode, message: string): ToolResult {
  return { content: [{ type: 'text', text: message }], isError: true, errorCode };
}

export const cancelledResult: ToolResult = errorResult('AGENT_CANCELLED', 'Error: The call was cancelled.');

/** The message of a value that was thrown. Ports should not throw, but one that does must not stop the run. */
export function thrownMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
