import type { JsonObject } from '@/lib/base/json';
import type { Instance } from '@/lib/runtime/instance/instance';
import type { ToolDescriptor } from '@/lib/runtime/ports';
import type { ToolResult } from '@/lib/runtime/record/messages';
import { errorResult } from '@/lib/runtime/record/tool-error';
import { type Passed, shownOf } from './pass-gate';

/** The result of a call that the gate refused. */
export function refusedResult({ refusal, endsTurn }: Extract<Passed, { ok: false }>): ToolResult {
  const result = errorResult(refusal.code, `Error: ${refusal.message}`);
  return endsTurn ? withEndOfTurn(result) : result;
}

export function withEndOfTurn(result: ToolResult): ToolResult {
  return { ...result, meta: { ...result.meta, endsTurn: true } };
}

/** Tells the model what ran, if a person changed the arguments. Otherwise it would repeat its own call. */
export function withEdit(instance: Instance, tool: ToolDescriptor, args: JsonObject, result: ToolResult): ToolResult {
  const ran = JSON.stringify(shownOf(instance, tool, args));
  const text = `(A person changed the arguments of this call before it ran. It ran with: ${ran})`;
  return {
    ...result,
    // It comes first, because a result that is too long loses its end.
    content: [{ type: 'text', text }, ...result.content],
    meta: { ...result.meta, edited: true },
  };
}
