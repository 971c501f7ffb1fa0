import { canonicalJson } from '@/lib/base/canonical-json';
import type { DeclarativeOf } from '@/lib/cards/hook-settings';
import type { ToolResult } from '@/lib/runtime/record/messages';
import { memoryOf } from '@/lib/runtime/record/result-size';
import type { HookLayer } from './hook-layer';

interface Entry {
  readonly result: Promise<ToolResult>;
  isDone: boolean;
  /** The time of the call. */
  readonly at: number;
  /** Bytes in memory, its key included. For a running call only the key counts. */
  bytes: number;
}

/** The results of one hook may take this much memory, in bytes. */
const mostBytes = 16 * 1024 * 1024;

/**
 * `cache` lets equal calls (same tool, same arguments in any order) share one result. While a call of an MCP tool runs,
 * equal calls wait for it. Built-in tools, agents with a session and samples of a vote are never answered from it. Errors
 * are not kept, nor results of functions that wrote to the state. Above 16 MiB the oldest results are dropped. The cache is in the worker's memory, so a resumed run begins
 * with an empty one.
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

  return async ({ context, args, next, clock, noteWait, mayReuse, mayKeep }) => {
    if (!mayReuse) return { ok: true, result: await next(args) };
    const key = `${context.toolName}\n${canonicalJson(args)}`;
    for (let known = entries.get(key); known; known = entries.get(key)) {
      if (ttl_ms !== undefined && clock.now() - known.at >= ttl_ms) break;
      // Waiting is safe for MCP tools alone. Other tools may themselves wait for this call, which would be a deadlock.
      if (!known.isDone && context.toolSource !== 'mcp') break;
      // The permit is released, because the call that this one waits for may need it.
      if (!known.isDone) noteWait();
      const result = await known.result;
      if (!result.isError) return { ok: true, result, cached: true };
      // The call failed. The first waiting call runs now, and the others wait for that one.
      if (entries.get(key) === known) drop(key);
    }
    const entry: Entry = { result: next(args), isDone: false, at: clock.now(), bytes: 2 * key.length };
    keep(key, entry);
    const result = await entry.result;
    entry.isDone = true;
    if (entries.get(key) !== entry) return { ok: true, result };
    drop(key);
    const size = entry.bytes + memoryOf(result);
    if (!result.isError && mayKeep() && size <= mostBytes) keep(key, { ...entry, bytes: size });
    return { ok: true, result };
  };
}
