import { StreamableHTTPError } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js';
import { isRecord } from '@/lib/base/json';
import type { ToolResult } from '@/lib/runtime/record/messages';
import { httpFaultOf } from './http-words';
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

/** What failed: a request named `tool`, to a server. */
interface Asked {
  readonly tool: string;
  readonly server: string;
  readonly timeoutMs: number;
  /** True if the request has no effect that a second one would repeat. */
  readonly isRepeatable: boolean;
  redact(text: string): string;
}

/** Returns the error result of a request that failed although the connection is still there. */
export function failureOf(error: unknown, { tool, server, timeoutMs, isRepeatable, redact }: Asked): ToolResult {
  if (isTimeout(error))
    return errorResult('TOOL_TIMEOUT', `Tool '${tool}' gave no result within ${timeoutMs / 1000} s.`);
  const failed = (message: string) => errorResult('TOOL_FAILED', redact(message));
  const place = oddPlace(error);
  if (place !== undefined) {
    return failed(
      `Tool '${tool}' answered in a form that MCP does not have: ${place}. Have it corrected at server '${server}'.`,
    );
  }
  const fault = httpFaultOf(error);
  // What the server answers itself is told as it is. Our words for an odd answer begin with 'it'.
  const said = messageOf(error);
  if (fault === undefined) return failed(said.startsWith('it ') ? `Server '${server}' gave no result: ${said}.` : said);
  const isRefused = fault.status !== undefined && fault.status < 500;
  const next = fault.next ?? (isRefused || isRepeatable ? undefined : 'The call may or may not have taken effect.');
  return failed(`Server '${server}' gave no result: ${fault.words}.${next === undefined ? '' : ` ${next}`}`);
}

export function cancelledResult(): ToolResult {
  return errorResult('TOOL_FAILED', 'The call was cancelled.');
}
