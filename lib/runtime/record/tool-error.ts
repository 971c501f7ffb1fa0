import type { RunError } from './events';
import type { ToolErrorCode, ToolResult } from './messages';

/** Makes the result of a failed call. The model reads it and may act on it. */
export function errorResult(errorCode: ToolErrorCode, message: string): ToolResult {
  return { content: [{ type: 'text', text: message }], isError: true, errorCode };
}

/**
 * What a person or a setting has decided keeps its code through all levels, so that none of them tries the work again. Returns
 * `undefined` for any other error.
 */
export function decidedCode(error: RunError | undefined): 'APPROVAL_DENIED' | 'APPROVAL_BLOCKED' | undefined {
  if (error?.code === 'approval_denied') return 'APPROVAL_DENIED';
  return error?.code === 'approval_blocked' ? 'APPROVAL_BLOCKED' : undefined;
}

export const cancelledResult: ToolResult = errorResult('AGENT_CANCELLED', 'Error: The call was cancelled.');

/** Returns the message of a value that was thrown. Ports should not throw, but one that does must not stop the run. */
export function thrownMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
