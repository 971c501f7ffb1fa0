import type { AgentCard, Card } from '@/lib/cards/card';
import type { Settings } from '@/lib/cards/settings';
import { type WorkerPolicy, workerPolicy } from '@/lib/cards/worker-policy';
import { mostOfferedAtOnce } from '@/lib/cards/worker-settings';
import type { DelegationSettings } from '@/lib/runtime/delegation/child-route';
import { childRoute } from '@/lib/runtime/delegation/child-route';
import { workerCallTool, workerCreateTool, workerRoute } from '@/lib/runtime/delegation/workers';
import type { LogBody, ToolDescriptor } from '@/lib/runtime/ports';
import { findToolsName, findToolsTool } from './find-tools';
import type { Surface, ToolRoute } from './route';
import { activationTool, groupsActiveAtFirst, isInactive, toolGroupsOf } from './tool-groups';

export interface SurfaceInput {
  readonly card: AgentCard;
  /** Every card by name. Children may be workflows, whose steps may be any card. */
  readonly cards: ReadonlyMap<string, Card>;
  readonly settings: DelegationSettings & Pick<Settings, 'toolsets' | 'tool_groups' | 'find_tools'>;
  /** The tools listed by each source, after the card's filters. */
  readonly listed: Readonly<Partial<Record<'mcp' | 'function' | 'runtime', readonly ToolDescriptor[]>>>;
}

/** Above this number a warning is logged, because a model chooses badly among many tools. */
const manyTools = 40;

const portOrder = ['mcp', 'function', 'runtime'] as const;

/**
 * Returns the tools of an agent in this order: MCP, function tools, built-in runtime tools, children. If two have one name,
 * the later one is left out with a warning. Tools that are to be found have routes, and are not among the tools at first. The
 * editor's preview uses the same function.
 */
export function buildSurface(input: SurfaceInput): Surface {
  const tools: ToolDescriptor[] = [];
  const routes = new Map<string, ToolRoute>();
  const warnings: LogBody[] = [];

  function offer(route: ToolRoute, what: string): void {
    const taken = routes.get(route.tool.name);
    if (taken) {
      warnings.push(
        leftOut('tool_name_clash', `${what} is left out: the name '${route.tool.name}' is taken by ${ownerOf(taken)}.`),
      );
      return;
    }
    routes.set(route.tool.name, route);
    tools.push(route.tool);
  }

  for (const port of portOrder) {
    for (const tool of input.listed[port] ?? [])
      offer({ kind: 'port', port, tool }, ownerOf({ kind: 'port', port, tool }));
  }
  const namesake = routes.get(findToolsName);
  const many = searchableOf(input, tools);
  const searchable = namesake === undefined ? many : undefined;
  if (namesake !== undefined && many !== undefined) {
    const message = `All tools of agent '${input.card.name}' are offered: the name '${findToolsName}' is taken by ${ownerOf(namesake)}.`;
    warnings.push(leftOut('tool_name_clash', message));
  }
  if (searchable) {
    const tool = findToolsTool(activeAtFirst(input, searchable, routes));
    offer({ kind: 'port', port: 'runtime', tool, control: 'find' }, findToolsName);
  }
  const policy = workerPolicy(input.card, input.cards.keys(), input.settings);
  for (const route of controlRoutes(input, policy)) offer(route, ownerOf(route));
  for (const name of policy.unknown) {
    const message = `Agent '${input.card.name}' may call worker '${name}', which does not exist or cannot run as a tool.`;
    warnings.push(leftOut('worker_unknown', message));
  }
  for (const name of input.card.agents) {
    const child = input.cards.get(name);
    if (!child) {
      const message = `Agent '${input.card.name}' cannot delegate to '${name}', which does not exist.`;
      warnings.push(leftOut('child_left_out', message));
      continue;
    }
    offer(childRoute(input.card, child, input.settings, input.cards), `Agent '${name}'`);
  }
  for (const name of policy.tools) {
    const worker = input.cards.get(name);
    if (worker) offer(workerRoute(input.card, worker, input.settings, input.cards), `Worker '${name}'`);
  }
  const hidden = new Set(searchable);
  const offered = searchable ? tools.filter((tool) => !hidden.has(tool)) : tools;
  if (offered.length > manyTools) {
    warnings.push({
      level: 'warning',
      code: 'many_tools',
      message: `Agent '${input.card.name}' is offered ${offered.length} tools, more than the ${manyTools} a model chooses well among. Filter its servers, let it find its tools ('find_tools' in callboard.yaml), or split its children among several agents.`,
    });
  }
  const names = offered.map((tool) => tool.name);
  return { tools: offered, names, routes, ...(searchable && { searchable }), warnings };
}

/** Returns the tools of servers and functions if there are so many that the agent finds them, otherwise `undefined`. */
function searchableOf(
  { card, settings }: SurfaceInput,
  tools: readonly ToolDescriptor[],
): readonly ToolDescriptor[] | undefined {
  const most = mostOfferedAtOnce(settings, card.name);
  if (most === undefined) return undefined;
  const found = tools.filter(({ source }) => source === 'mcp' || source === 'function');
  return found.length > most ? found : undefined;
}

/** Returns the tools that are not in an inactive group at the beginning. Only these can be found. */
function activeAtFirst(
  { card, settings }: SurfaceInput,
  tools: readonly ToolDescriptor[],
  routes: ReadonlyMap<string, ToolRoute>,
): readonly ToolDescriptor[] {
  const groups = toolGroupsOf(settings, card.name)?.groups;
  if (groups === undefined) return tools;
  const active = new Set(groupsActiveAtFirst(settings, card));
  return tools.filter(({ name }) => {
    const route = routes.get(name);
    return route === undefined || !isInactive(groups, active, route);
  });
}

function controlRoutes({ card, cards, settings }: SurfaceInput, policy: WorkerPolicy): ToolRoute[] {
  const routes: ToolRoute[] = [];
  const groups = toolGroupsOf(settings, card.name);
  if (groups?.activation) {
    const tool = activationTool(groups.groups, new Set(groupsActiveAtFirst(settings, card)));
    routes.push({ kind: 'port', port: 'runtime', tool, control: 'activate' });
  }
  if (policy.mayCreate) routes.push({ kind: 'port', port: 'runtime', tool: workerCreateTool, control: 'create' });
  if (policy.hasWorkerCall) {
    const workers = policy.callable.flatMap((name) => {
      const worker = cards.get(name);
      return worker === undefined ? [] : [workerRoute(card, worker, settings, cards)];
    });
    routes.push({ kind: 'workers', tool: workerCallTool(workers) });
  }
  return routes;
}

function ownerOf(route: ToolRoute): string {
  if (route.kind === 'child') return `agent '${route.child.name}'`;
  if (route.kind === 'workers') return `the built-in tool '${route.tool.name}'`;
  switch (route.port) {
    case 'mcp':
      return `the MCP tool '${route.tool.remoteName ?? route.tool.name}'${route.tool.serverName ? ` of server '${route.tool.serverName}'` : ''}`;
    case 'function':
      return `the function tool '${route.tool.name}'`;
    case 'runtime':
      return `the built-in tool '${route.tool.name}'`;
  }
}

function leftOut(code: string, message: string): LogBody {
  return { level: 'warning', code, message };
}
