import { fitsGlob } from '@/lib/base/glob';
import type { HookWhen } from './hook-settings';

/** What the `when` of a hook looks at. */
export interface CallIdentity {
  /** The server's name for source `mcp`, `agent` or `runtime` for those sources, and null for `function`. */
  readonly serverName: string | null;
  readonly toolName: string;
  readonly toolSource: ToolSource;
}

type ToolSource = 'mcp' | 'function' | 'agent' | 'runtime';

/** Returns how hooks know a call of a tool that models are offered by this name. */
export function identityOf(source: ToolSource, serverName: string | undefined, offeredAs: string): CallIdentity {
  return {
    serverName: serverOf(source, serverName),
    toolName: nameForHooks(source, offeredAs),
    toolSource: source,
  };
}

/** Models get the shell as `execute`, because names of tools must not contain a dot. Hooks know it by its dotted name. */
function nameForHooks(source: ToolSource, offeredAs: string): string {
  return source === 'runtime' && offeredAs === 'execute' ? 'shell.execute' : offeredAs;
}

function serverOf(source: ToolSource, serverName: string | undefined): string | null {
  switch (source) {
    case 'mcp':
      return serverName ?? null;
    case 'function':
      return null;
    case 'agent':
    case 'runtime':
      return source;
  }
}

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
