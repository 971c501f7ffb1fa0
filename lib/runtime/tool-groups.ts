import type { AgentCard } from '@/lib/cards/card';
import type { Settings } from '@/lib/cards/settings';
import type { ToolGroups } from '@/lib/cards/worker-settings';

type GroupSettings = Pick<Settings, 'tool_groups'>;

export function toolGroupsOf(settings: GroupSettings, agent: string): ToolGroups | undefined {
  return Object.hasOwn(settings.tool_groups, agent) ? settings.tool_groups[agent] : undefined;
}

export function groupsActiveAtFirst(settings: GroupSettings, card: AgentCard): readonly string[] {
  const groups = toolGroupsOf(settings, card.name)?.groups ?? {};
  return Object.entries(groups).flatMap(([name, { active }]) => (active ? [name] : []));
}
