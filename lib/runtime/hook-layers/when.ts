import { fitsGlob } from '@/lib/base/glob';
import type { HookWhen } from '@/lib/cards/hook-settings';
import type { CallIdentity } from './hook-layer';

/**
 * True if a hook with this `when` wraps the call. Without `when` it wraps every call. A pattern may match any name of a
 * tool.
 */
export function fitsWhen(when: HookWhen | undefined, identity: CallIdentity, names: readonly string[]): boolean {
  if (!when) return true;
  const { tool, source, server } = when;
  if (tool !== undefined && ![identity.toolName, ...names].some((name) => anyFits(tool, name))) return false;
  if (source !== undefined && !listOf<string>(source).includes(identity.toolSource)) return false;
  return server === undefined || (identity.serverName !== null && anyFits(server, identity.serverName));
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
