import type { Json } from '@/lib/base/json';
import { err, ok, type Result } from '@/lib/base/result';
import type { ToolGroups } from '@/lib/cards/worker-settings';
import type { ToolRoute } from '@/lib/runtime/surface/route';
import { activationToolName, belongsTo, isInactive, toolGroupsOf } from '@/lib/runtime/surface/tool-groups';
import type { Instance } from './instance';

/** Returns the groups of a tool if none of them is active in the instance, otherwise an empty list. */
export function inactiveGroups({ run, plan, activeGroups }: Instance, route: ToolRoute): readonly string[] {
  const groups = toolGroupsOf(run.parsed.settings, plan.card.name)?.groups;
  if (!groups || !isInactive(groups, activeGroups, route)) return [];
  return Object.entries(groups).flatMap(([name, group]) => (belongsTo(group, route) ? [name] : []));
}

/** Tells the model why a tool of an inactive group cannot be called, and what to do. `name` is a tool or a worker. */
export function inactiveMessage({ run, plan }: Instance, name: string, groups: readonly string[]): string {
  const isOne = groups.length === 1;
  const list = groups.map((group) => `'${group}'`).join(', ');
  const where = `it is in the inactive tool group${isOne ? '' : 's'} ${list}`;
  const mayActivate = toolGroupsOf(run.parsed.settings, plan.card.name)?.activation ?? false;
  return mayActivate
    ? `'${name}' is not available: ${where}. Call '${activationToolName}' with ${isOne ? 'it' : 'one of them'} first.`
    : `'${name}' is not available: ${where}, which cannot be activated here.`;
}

/** Activates groups. If one of the names is unknown, nothing changes. */
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
  // Only workers that are called with `worker_call` need to be named here.
  const workers = plan.policy.callable.filter((name) => group.agents.includes(name) && !offered.has(name));
  return [...routes.map(([name]) => name), ...workers.map((name) => `worker '${name}'`)];
}
