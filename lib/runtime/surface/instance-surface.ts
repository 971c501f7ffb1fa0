import { createdRoute, workerCallName, workerCallTool } from '@/lib/runtime/delegation/workers';
import type { Instance } from '@/lib/runtime/run-state';
import type { Surface, ToolRoute } from './surface';
import { activationTool, activationToolName, isInactive, toolGroupsOf } from './tool-groups';

/**
 * What one instance is offered now: its agent's surface without the tools of inactive groups, with the agents made in
 * this run, and with built-in tools that say what there is to choose from.
 */
export function instanceSurface(instance: Instance, whole: Surface): Surface {
  const { run, plan, activeGroups } = instance;
  const { settings } = run.parsed;
  instance.wholeSurface = whole;
  const groups = toolGroupsOf(settings, plan.card.name)?.groups;
  const created = plan.policy.mayCreate ? run.createdAgents.of(plan.card.name) : [];
  if (!groups && created.length === 0) return whole;

  const routes = new Map<string, ToolRoute>();
  const inactive = new Set<string>();
  for (const [name, route] of whole.routes) {
    if (groups && isInactive(groups, activeGroups, route)) inactive.add(name);
    else routes.set(name, renewed(name, route));
  }
  for (const agent of created) {
    const route = createdRoute(plan.card, agent, settings);
    if (!routes.has(route.tool.name) && !inactive.has(route.tool.name)) routes.set(route.tool.name, route);
  }
  const tools = [...routes.values()].map(({ tool }) => tool);
  return { tools, names: tools.map(({ name }) => name), routes, inactive, warnings: [] };

  function renewed(name: string, route: ToolRoute): ToolRoute {
    if (route.kind === 'workers' && name === workerCallName) {
      const names = created.map(({ card }) => card.name);
      return { ...route, tool: workerCallTool(plan.policy, names, route.takesFiles) };
    }
    if (groups && route.kind === 'port' && name === activationToolName && route.control) {
      return { ...route, tool: activationTool(groups, activeGroups) };
    }
    return route;
  }
}
