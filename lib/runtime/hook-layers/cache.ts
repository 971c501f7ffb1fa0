import { canonicalJson } from '@/lib/base/canonical-json';
import type { DeclarativeOf } from '@/lib/cards/hook-settings';
import type { ToolResult } from '@/lib/runtime/record/messages';
import { memoryOf } from '@/lib/runtime/record/result-size';
import type { HookLayer } from './hook-layer';

interface Entry {
  readonly result: Promise<ToolResult>;
  isDone: boolean;
  /** When it was asked for. */
  readonly at: number;
  /** In memory, its key included; of a call under way the key alone. */
  bytes: number;
}

/** That the results of one hook take in memory. */
const mostBytes = 16 * 1024 * 1024;

/**
 * `cache`: equal calls (tool and arguments, whatever the order of members) share one result. Calls of an MCP tool
 * that come while the first is under way wait for it; an error is never kept, and the oldest results go beyond 16 MiB. It lives in the worker for the run: a resumed run begins empty.
 */
export function resultCache({ ttl_ms, max_entries }: DeclarativeOf<'cache'>): HookLayer['around'] {
  const entries = new Map<string, Entry>();
  let bytes = 0;

  function drop(key: string): void {
    bytes -= entries.get(key)?.bytes ?? 0;
    entries.delete(key);
  }

  function keep(key: string, entry: Entry): void {
    drop(key);
    entries.set(key, entry);
    bytes += entry.bytes;
    for (const oldest of entries.keys()) {
      if (entries.size <= max_entries && bytes <= mostBytes) return;
      drop(oldest);
    }
  }

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
      if (entries.get(key) === known) drop(key);
    }
    const entry: Entry = { result: next(args), isDone: false, at: clock.now(), bytes: 2 * key.length };
    keep(key, entry);
    const result = await entry.result;
    entry.isDone = true;
    if (entries.get(key) !== entry) return { ok: true, result };
    drop(key);
    const size = entry.bytes + memoryOf(result);
    if (!result.isError && size <= mostBytes) keep(key, { ...entry, bytes: size });
    return { ok: true, result };
  };
}
