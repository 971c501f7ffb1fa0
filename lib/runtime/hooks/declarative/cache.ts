import type { DeclarativeOf } from '@/lib/cards/hook-settings';
import { canonicalJson } from '@/lib/runtime/canonical-json';
import type { HookLayer } from '@/lib/runtime/hooks/hook-layer';
import type { ToolResult } from '@/lib/runtime/messages';

interface Entry {
  readonly result: Promise<ToolResult>;
  isDone: boolean;
  /** When it was asked for. */
  readonly at: number;
}

/**
 * `cache`: equal calls (tool and arguments, whatever the order of members) share one result. Calls of an MCP tool
 * that come while the first is under way wait for it; an error is never kept. It lives in the worker for the run: a resumed run begins empty.
 */
export function resultCache({ ttl_ms, max_entries }: DeclarativeOf<'cache'>): HookLayer['around'] {
  const entries = new Map<string, Entry>();

  return async ({ context, args, next, clock, noteWait }) => {
    const key = `${context.toolName}\n${canonicalJson(args)}`;
    for (let known = entries.get(key); known; known = entries.get(key)) {
      if (ttl_ms !== undefined && clock.now() - known.at >= ttl_ms) break;
      // Only a server's tool depends on no other call: the others may be waiting for this one, for its place in the batch.
      if (!known.isDone && context.toolSource !== 'mcp') break;
      // The call that it waits for may itself wait for a permit.
      if (!known.isDone) noteWait();
      const result = await known.result;
      if (!result.isError) return { ok: true, result, cached: true };
      // The first of those who waited asks again; the others wait for that one.
      if (entries.get(key) === known) entries.delete(key);
    }
    const entry: Entry = { result: next(args), isDone: false, at: clock.now() };
    entries.delete(key);
    entries.set(key, entry);
    const [oldest] = entries.keys();
    if (entries.size > max_entries && oldest !== undefined) entries.delete(oldest);
    const result = await entry.result;
    entry.isDone = true;
    if (result.isError && entries.get(key) === entry) entries.delete(key);
    return { ok: true, result };
  };
}
