import { fitsGlob } from '@/lib/base/glob';
import { reachingOut } from '@/lib/cards/call-gate';
import type { PolicyCalls } from '@/lib/cards/policy/rule';
import type { ToolDescriptor } from '@/lib/runtime/ports';

/** What decides whether a rule is about a call. */
export interface PolicyCall {
  readonly tool: Pick<ToolDescriptor, 'name' | 'source' | 'remoteName' | 'readOnly'>;
  /** Further names of the tool, such as `agent__writer` for an agent that is called by `worker_call`. */
  readonly names?: readonly string[];
  /** The calling agent, and the agents that created it: a created agent is not freer than its creator. */
  readonly callers: readonly string[];
}

/** True if a rule is about the call. */
export function isAbout(
  { tools, sources, writes, agents }: PolicyCalls,
  { tool, names: more = [], callers }: PolicyCall,
): boolean {
  if (sources !== undefined && !sources.includes(tool.source)) return false;
  if (writes === true && !mayWrite(tool)) return false;
  // State, artifacts and the like stay in the run. A rule is about them only if it names them.
  const isInternal = tool.source === 'runtime' && !reachingOut.includes(tool.name);
  if (isInternal && sources?.includes('runtime') !== true && !tools.includes(tool.name)) return false;
  if (agents !== undefined && !agents.some((one) => callers.some((name) => fitsGlob(one, name)))) return false;
  const names = [tool.name, ...more, ...(tool.remoteName === undefined ? [] : [tool.remoteName])];
  return tools.some((one) => names.some((name) => fitsGlob(one, name)));
}

/**
 * True unless it is known that the tool changes nothing. What an MCP tool declares of itself is believed, as docs/policy.md says. An agent
 * writes through its own tools, whose calls are looked at themselves.
 */
function mayWrite({ name, source, readOnly }: PolicyCall['tool']): boolean {
  switch (source) {
    case 'mcp':
      return readOnly !== true;
    case 'function':
      return true;
    case 'agent':
      return false;
    case 'runtime':
      return reachingOut.includes(name);
  }
}
