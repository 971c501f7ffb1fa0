import type { ChildRoute } from '@/lib/runtime/delegation/child-route';
import { createdRoute, workerCallName, workerCallTool, workerRoute } from '@/lib/runtime/delegation/workers';
import type { Surface, ToolRoute } from '@/lib/runtime/surface/route';
import { activationTool, activationToolName, isInactive, toolGroupsOf } from '@/lib/runtime/surface/tool-groups';
import type { Instance } from './instance';

/**
 * Returns the tools that one instance is offered now. These are its agent's tools without those of inactive groups, and the
 * agents it created. The descriptions of built-in tools list the current choices.
 */
export function instanceSurface(instance: Instance, whole: Surface): Surface {
  const { run, plan, activeGroups } = instance;
  const { settings } = run.parsed;
  instance.wholeSurface = whole;
  const groups = toolGroupsOf(settings, plan.card.name)?.groups;
  const created = plan.policy.mayCreate ? run.createdAgents.of(plan.card.name) : [];
  if (!groups && created.length === 0) return whole;

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
  const tools = [...routes.values()].map(({ tool }) => tool);
  return { tools, names: tools.map(({ name }) => name), routes, inactive, warnings: [] };

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
