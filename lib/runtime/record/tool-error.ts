import type { ToolErrorCode, ToolResult } from './messages';

/** A failure the model reads and may act on. */
export function errorResult(errorCode: ToolErrorCode, message: string): ToolResult {
  return { content: [{ type: 'text', text: message }], isError: true, errorCode };
}

export const cancelledResult: ToolResult = errorResult('AGENT_CANCELLED', 'Error: The call was cancelled.');

/** What a port threw, in one sentence. Ports should not throw; one that does must not take the run down with it. */
export function thrownMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
