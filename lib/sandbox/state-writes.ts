import { isRecord, type Json } from '@/lib/base/json';
import type { StateAccess } from '@/lib/runtime/ports';
import type { ToolResult } from '@/lib/runtime/record/messages';

/** Where in an MCP result's `_meta` a function tool says what it writes to its caller's state. */
export const stateMeta = 'callboard/state';

/** Writes what a function tool returned for the state. A key that is not allowed makes the call an error, and nothing counts. */
export function writeState(returned: Json, state: StateAccess): ToolResult | undefined {
  const meta = isRecord(returned) ? returned._meta : undefined;
  const writes = isRecord(meta) ? meta[stateMeta] : undefined;
  if (!isRecord(writes)) return undefined;
  const problems = Object.entries(writes).flatMap(([key, value]) => state.write(key, asJson(value)) ?? []);
  if (problems.length === 0) return undefined;
  return {
    content: [{ type: 'text', text: `Error: ${problems.join(' ')}` }],
    isError: true,
    errorCode: 'STATE_WRITE_DENIED',
  };
}

/** It came out of JSON. */
function asJson(value: unknown): Json {
  return JSON.parse(JSON.stringify(value ?? null));
}
