import { McpError } from '@modelcontextprotocol/sdk/types.js';

/** Marks the error of a request whose answer cannot come any more. A server cannot send this object. */
export const lostData = { isLost: true };

/** True for the error of a request whose answer is lost, while the connection is as good as before. */
export function isLostAnswer(error: unknown): boolean {
  return error instanceof McpError && error.data === lostData;
}
