import { fitsGlob } from '@/lib/base/glob';
import type { HookWhen } from '@/lib/cards/hook-settings';
import type { HookContext } from '@/lib/runtime/ports';

/** Whether a hook with this `when` is round a call. No `when`, no condition; either name of a tool will do. */
export function fitsWhen(when: HookWhen | undefined, context: HookContext, offeredAs: string): boolean {
  if (!when) return true;
  const { tool, source, server } = when;
  if (tool !== undefined && !anyFits(tool, context.toolName) && !anyFits(tool, offeredAs)) return false;
  if (source !== undefined && !listOf<string>(source).includes(context.toolSource)) return false;
  return server === undefined || (context.serverName !== null && anyFits(server, context.serverName));
}

function anyFits(globs: string | readonly string[], name: string): boolean {
  return listOf(globs).some((glob) => fitsGlob(glob, name));
}

function listOf<T>(value: T | readonly T[]): readonly T[] {
  return isList(value) ? value : [value];
}

function isList<T>(value: T | readonly T[]): value is readonly T[] {
  return Array.isArray(value);
}
