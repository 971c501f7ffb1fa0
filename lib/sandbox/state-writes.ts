import { isRecord, type Json } from '@/lib/base/json';
import type { StateAccess } from '@/lib/runtime/ports';
import type { ToolResult } from '@/lib/runtime/record/messages';

/** The key in `_meta` of an MCP result under which a function tool returns values for its caller's state. */
export const stateMeta = 'callboard/state';

/** Writes the state values that a function tool returned. If one key is not allowed, none is written and the call fails. */
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

/** The value was parsed from JSON. */
function asJson(value: unknown): Json {
  return (value ?? null) as Json;
}
