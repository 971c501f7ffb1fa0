import { StreamableHTTPError } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js';
import { isRecord } from '@/lib/base/json';
import type { ToolResult } from '@/lib/runtime/record/messages';
import { isLostAnswer } from './lost-answer';
import type { Session } from './open-session';
import { isTimeout, messageOf, oddPlace } from './start-failure';
import { errorResult } from './tool-result';

/**
 * Says whether an error means that the connection was lost, and when: `before` the server got the request, or `during` the
 * request; or that only the `answer` was lost, so the connection can be used. Returns `undefined` if the error is an answer of
 * the server, or a time-out.
 */
export function lossOf(error: unknown, session: Session): 'before' | 'during' | 'answer' | undefined {
  if (isLostAnswer(error)) return 'answer';
  if (error instanceof McpError) {
    // This code alone proves nothing, because JSON-RPC reserves it for servers, which may answer with it too.
    const isClosed = error.code === ErrorCode.ConnectionClosed && /: Connection closed$/.test(error.message);
    return isClosed ? 'during' : undefined;
  }
  // A restarted server does not know the session.
  if (error instanceof StreamableHTTPError) return error.code === 404 ? 'before' : undefined;
  if (oddPlace(error) !== undefined) return undefined;
  const cause = error instanceof Error && isRecord(error.cause) ? error.cause.code : undefined;
  if (cause === 'ECONNREFUSED' || session.lost !== undefined) return 'before';
  return error instanceof TypeError || cause !== undefined
    ? 'during'
    : session.client.transport === undefined
      ? 'before'
      : undefined;
}

/** Returns the error result of a request that failed although the connection is still there. */
export function failureOf(
  error: unknown,
  name: string,
  timeoutMs: number,
  redact: (text: string) => string,
): ToolResult {
  if (isTimeout(error))
    return errorResult('TOOL_TIMEOUT', `Tool '${name}' gave no result within ${timeoutMs / 1000} s.`);
  const place = oddPlace(error);
  if (place !== undefined)
    return errorResult('TOOL_FAILED', redact(`Tool '${name}' answered in a form that MCP does not have: ${place}.`));
  return errorResult('TOOL_FAILED', redact(messageOf(error)));
}

export function cancelledResult(): ToolResult {
  return errorResult('TOOL_FAILED', 'The call was cancelled.');
}
