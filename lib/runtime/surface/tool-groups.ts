import { fitsGlob } from '@/lib/base/glob';
import type { AgentCard } from '@/lib/cards/card';
import type { Settings } from '@/lib/cards/settings';
import type { ToolGroups } from '@/lib/cards/worker-settings';
import type { ToolDescriptor } from '@/lib/runtime/ports';
import type { ToolRoute } from './route';

type GroupSettings = Pick<Settings, 'tool_groups'>;

export const activationToolName = 'activate_tool_groups';

export function toolGroupsOf(settings: GroupSettings, agent: string): ToolGroups | undefined {
  return Object.hasOwn(settings.tool_groups, agent) ? settings.tool_groups[agent] : undefined;
}

export function groupsActiveAtFirst(settings: GroupSettings, card: AgentCard): readonly string[] {
  const groups = toolGroupsOf(settings, card.name)?.groups ?? {};
  return Object.entries(groups).flatMap(([name, { active }]) => (active ? [name] : []));
}

/** True if the tool is in groups and none of them is active. */
export function isInactive(groups: ToolGroups['groups'], active: ReadonlySet<string>, route: ToolRoute): boolean {
  const own = Object.entries(groups).flatMap(([name, group]) => (belongsTo(group, route) ? [name] : []));
  return own.length > 0 && !own.some((name) => active.has(name));
}

/** The tools by which an agent gets at its other tools are in no group, whatever a pattern matches: a group could hide them for ever. */
export function belongsTo(group: ToolGroups['groups'][string], { tool, ...route }: ToolRoute): boolean {
  if (route.kind === 'port' && (route.control === 'activate' || route.control === 'find')) return false;
  if (route.kind === 'child' && group.agents.includes(route.child.name)) return true;
  return group.tools.some((pattern) => fitsGlob(pattern, tool.name));
}

/** Describes the tool that activates groups. Its description lists the active and the inactive ones. */
export function activationTool(groups: ToolGroups['groups'], active: ReadonlySet<string>): ToolDescriptor {
  const line = (name: string, description: string | undefined) => (description ? `${name} (${description})` : name);
  const list = (isActive: boolean) =>
    Object.entries(groups)
      .filter(([name]) => active.has(name) === isActive)
      .map(([name, { description }]) => line(name, description))
      .join('; ') || 'none';
  return {
    name: activationToolName,
    description: `Make groups of tools available from your next step on. Active: ${list(true)}. Inactive: ${list(false)}.`,
    inputSchema: {
      type: 'object',
      properties: {
        to_activate: {
          type: 'array',
          items: { type: 'string', enum: Object.keys(groups) },
          description: 'Names of groups',
        },
      },
      required: ['to_activate'],
    },
    source: 'runtime',
  };
}
