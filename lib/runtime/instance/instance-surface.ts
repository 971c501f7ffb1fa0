import type { ChildRoute } from '@/lib/runtime/delegation/child-route';
import { createdRoute, workerCallName, workerCallTool, workerRoute } from '@/lib/runtime/delegation/workers';
import type { ToolDescriptor } from '@/lib/runtime/ports';
import { findToolsName, findToolsTool, toolsNamedIn } from '@/lib/runtime/surface/find-tools';
import type { Surface, ToolRoute } from '@/lib/runtime/surface/route';
import { activationTool, activationToolName, isInactive, toolGroupsOf } from '@/lib/runtime/surface/tool-groups';
import type { Instance } from './instance';

/**
 * Returns the tools that one instance is offered now. These are its agent's tools, the tools that its conversation found or called, and
 * the agents it created. Left out are tools of inactive groups, and tools that are not found yet. The descriptions of built-in tools
 * list the current choices.
 */
export function instanceSurface(instance: Instance, whole: Surface): Surface {
  const { run, plan, activeGroups } = instance;
  const { settings } = run.parsed;
  instance.wholeSurface = whole;
  const groups = toolGroupsOf(settings, plan.card.name)?.groups;
  const created = plan.policy.mayCreate ? run.createdAgents.of(plan.card.name) : [];
  if (!groups && created.length === 0 && !whole.searchable) return whole;

  const routes = new Map<string, ToolRoute>();
  const inactive = new Map<string, ToolRoute>();
  for (const [name, route] of whole.routes) {
    if (groups && isInactive(groups, activeGroups, route)) inactive.set(name, route);
    else routes.set(name, renewed(name, route));
  }
  for (const agent of created) {
    const route = createdRoute(plan.card, agent, settings);
    const { name } = route.tool;
    if (groups && isInactive(groups, activeGroups, route)) inactive.set(name, route);
    else if (!routes.has(name) && !inactive.has(name)) routes.set(name, route);
  }
  const searchable = inactive.size === 0 ? whole.searchable : whole.searchable?.filter(({ name }) => routes.has(name));
  const find = routes.get(findToolsName);
  if (groups && searchable && find) routes.set(findToolsName, { ...find, ...findToolNow(searchable, instance) });
  const all = [...routes.values()].map(({ tool }) => tool);
  const tools = sameList(searchable ? withFound(all, searchable, instance) : all, instance.surface?.tools);
  const names = tools.map(({ name }) => name);
  return { tools, names, routes, inactive, ...(searchable && { searchable }), warnings: [] };

  function isCallable(worker: ChildRoute): boolean {
    return !groups || !isInactive(groups, activeGroups, worker);
  }

  function renewed(name: string, route: ToolRoute): ToolRoute {
    if (route.kind === 'workers' && name === workerCallName) {
      const workers = plan.policy.callable.flatMap((worker) => {
        const card = run.cards.get(worker);
        return card ? [workerRoute(plan.card, card, settings, run.cards)] : [];
      });
      const agents = created.map((agent) => createdRoute(plan.card, agent, settings));
      return { ...route, tool: workerCallTool([...workers, ...agents].filter(isCallable)) };
    }
    if (groups && route.kind === 'port' && name === activationToolName && route.control) {
      return { ...route, tool: activationTool(groups, activeGroups) };
    }
    return route;
  }
}

/** Returns `find_tools` as it is described now: the tool of before while nothing has changed. */
function findToolNow(searchable: readonly ToolDescriptor[], { surface }: Instance): { readonly tool: ToolDescriptor } {
  const tool = findToolsTool(searchable);
  const before = surface?.routes.get(findToolsName)?.tool;
  return { tool: before?.description === tool.description ? before : tool };
}

/** Returns the list of before if it has the same tools: what is made from a list, such as its JSON text, is kept with it. */
function sameList(
  tools: readonly ToolDescriptor[],
  before: readonly ToolDescriptor[] | undefined,
): readonly ToolDescriptor[] {
  const isSame = before?.length === tools.length && tools.every((tool, index) => tool === before[index]);
  return isSame ? before : tools;
}

/** Found tools come last, in the order in which they were found, so that the tools before them stay the same. */
function withFound(
  all: readonly ToolDescriptor[],
  searchable: readonly ToolDescriptor[],
  { messages }: Instance,
): readonly ToolDescriptor[] {
  const hidden = new Map(searchable.map((tool) => [tool.name, tool]));
  const found = toolsNamedIn(messages).flatMap((name) => hidden.get(name) ?? []);
  return [...all.filter(({ name }) => !hidden.has(name)), ...found];
}
