import { type JSONRPCMessage, JSONRPCMessageSchema } from '@modelcontextprotocol/sdk/types.js';
import { isRecord } from '@/lib/base/json';

/**
 * Reads a message of a server; `undefined` if it is none. An answer that is not as JSON-RPC has it becomes an error answer,
 * because the request would wait for its whole time limit otherwise.
 */
export function readMessage(value: unknown): JSONRPCMessage | undefined {
  const read = JSONRPCMessageSchema.safeParse(value);
  if (read.success) return read.data;
  if (!isRecord(value) || 'method' in value) return undefined;
  const { id, result, error, ...rest } = value;
  // JSON-RPC 2.0, section 5: the id is null if it could not be read. MCP has no id then.
  if (id === null && error !== undefined && result === undefined) return readMessage({ ...rest, error });
  if (typeof id !== 'number' && typeof id !== 'string') return undefined;
  if (isRecord(result)) {
    const { _meta: _, ...plain } = result;
    return { jsonrpc: '2.0', id, result: plain };
  }
  if (isRecord(error)) {
    const message = typeof error.message === 'string' ? error.message : 'it gave an error without a message';
    return { jsonrpc: '2.0', id, error: { code: typeof error.code === 'number' ? error.code : -32603, message } };
  }
  const hasAnswer = 'result' in value || 'error' in value;
  if (!hasAnswer && value.jsonrpc !== '2.0') return undefined;
  const what = hasAnswer
    ? `with ${JSON.stringify(result ?? error ?? null).slice(0, 100)}, which is no result`
    : 'without a result';
  const message = `it answered ${what}`;
  return { jsonrpc: '2.0', id, error: { code: -32603, message } };
}
