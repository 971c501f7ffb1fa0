import { fitsGlob } from '@/lib/base/glob';
import type { Json } from '@/lib/base/json';
import { err, ok, type Result } from '@/lib/base/result';
import type { AgentCard } from '@/lib/cards/card';
import type { Settings } from '@/lib/cards/settings';
import type { ToolGroups } from '@/lib/cards/worker-settings';
import type { ToolDescriptor } from '@/lib/runtime/ports';
import type { Instance } from '@/lib/runtime/run-state';
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

/** R-80: a tool in no group is there; one in several is there when any of them is active. */
export function isInactive(groups: ToolGroups['groups'], active: ReadonlySet<string>, route: ToolRoute): boolean {
  const own = Object.entries(groups).flatMap(([name, group]) => (belongsTo(group, route) ? [name] : []));
  return own.length > 0 && !own.some((name) => active.has(name));
}

/** The groups that would make a tool available, when none of them is active in the instance. */
export function inactiveGroups({ run, plan, activeGroups }: Instance, route: ToolRoute): readonly string[] {
  const groups = toolGroupsOf(run.parsed.settings, plan.card.name)?.groups;
  if (!groups || !isInactive(groups, activeGroups, route)) return [];
  return Object.entries(groups).flatMap(([name, group]) => (belongsTo(group, route) ? [name] : []));
}

/** Why a tool of an inactive group cannot be called, and what the model may do about it. `name`: a tool, or a worker. */
export function inactiveMessage({ run, plan }: Instance, name: string, groups: readonly string[]): string {
  const isOne = groups.length === 1;
  const list = groups.map((group) => `'${group}'`).join(', ');
  const where = `it is in the inactive tool group${isOne ? '' : 's'} ${list}`;
  const mayActivate = toolGroupsOf(run.parsed.settings, plan.card.name)?.activation ?? false;
  return mayActivate
    ? `'${name}' is not available: ${where}. Call '${activationToolName}' with ${isOne ? 'it' : 'one of them'} first.`
    : `'${name}' is not available: ${where}, which cannot be activated here.`;
}

function belongsTo(group: ToolGroups['groups'][string], { tool, ...route }: ToolRoute): boolean {
  if (route.kind === 'child' && group.agents.includes(route.child.name)) return true;
  return group.tools.some((pattern) => fitsGlob(pattern, tool.name));
}

/** R-82. `active` and the rest are told in its description. */
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

/** Only ever activates; with an unknown name among them nothing changes. */
export function activate(
  instance: Instance,
  wanted: Json | undefined,
): Result<{ readonly groups: readonly string[]; readonly text: string }, string> {
  const { run, plan, activeGroups } = instance;
  const groups = toolGroupsOf(run.parsed.settings, plan.card.name)?.groups ?? {};
  if (!Array.isArray(wanted)) return err("'to_activate' must be a list of group names.");
  const names = wanted.map(String);
  const unknown = names.filter((name) => !Object.hasOwn(groups, name));
  if (unknown.length > 0) {
    return err(
      `There is no tool group ${unknown.map((name) => `'${name}'`).join(', ')}. Groups: ${Object.keys(groups).join(', ')}.`,
    );
  }
  for (const name of names) activeGroups.add(name);
  const lines = names.map((name) => `${name}: ${membersOf(instance, groups[name]).join(', ') || 'no tools'}`);
  return ok({ groups: names, text: lines.length > 0 ? `Active now:\n${lines.join('\n')}` : 'Nothing changed.' });
}

function membersOf({ wholeSurface, plan }: Instance, group: ToolGroups['groups'][string] | undefined): string[] {
  if (!group || !wholeSurface) return [];
  const routes = [...wholeSurface.routes].filter(([, route]) => belongsTo(group, route));
  const offered = new Set(routes.map(([, route]) => (route.kind === 'child' ? route.child.name : '')));
  // Workers without a tool of their own.
  const workers = plan.policy.callable.filter((name) => group.agents.includes(name) && !offered.has(name));
  return [...routes.map(([name]) => name), ...workers.map((name) => `worker '${name}'`)];
}
