import { own } from '@/lib/base/own';
import type { AgentCard } from '@/lib/cards/card';
import type { Settings } from '@/lib/cards/settings';
import type { WorkerFace } from './graph';

/**
 * Workers are agents that another agent may call by name, without being its children. Its lists of them are in `callboard.yaml`
 * (docs/workers.md):
 *
 *     toolsets:
 *       lead:
 *         delegation: { allow_workers: [writer, critic] }     worker_call may call them
 *         worker_tools: { workers: [critic] }                 each is a tool too
 *
 * On the canvas each name is a wire of kind `may_call`. `*` is a mark on the node, because it would be a wire to every agent.
 */
export interface WorkerLists {
  /** The listed names, each once, in the order of the lists. A child is left out: it has its wire. */
  readonly workers: readonly { readonly name: string; readonly marks: readonly string[] }[];
  /** The children that the list of `worker_call` names. */
  readonly children: ReadonlySet<string>;
  /** What the lists allow beyond the names in them. `undefined` if they allow no more. */
  readonly face: WorkerFace | undefined;
}

const noLists: WorkerLists = { workers: [], children: new Set(), face: undefined };

export function workerLists(card: AgentCard, { toolsets }: Pick<Settings, 'toolsets'>): WorkerLists {
  const toolset = own(toolsets, card.name);
  if (toolset === undefined) return noLists;
  const { allow_workers: allowed = [], expose_as_tools: expose = false, create } = toolset.delegation ?? {};
  const tools = new Set(toolset.worker_tools?.workers);
  const called = new Set(allowed.filter((name) => name !== '*'));
  const isTool = (name: string) => tools.has(name) || (expose !== false && called.has(name));
  const isCalled = (name: string) => called.has(name) && expose !== 'only';
  const face = { everyone: allowed.includes('*'), creates: create === 'allowed' };
  const isChild = (name: string) => card.agents.includes(name);
  const names = [...new Set([...called, ...tools])].filter((name) => name !== '*' && !isChild(name));
  return {
    workers: names.map((name) => ({
      name,
      marks: isTool(name) ? [isCalled(name) ? 'also a tool' : 'as a tool'] : [],
    })),
    children: new Set([...called].filter((name) => isChild(name) && isCalled(name))),
    face: face.everyone || face.creates ? face : undefined,
  };
}
