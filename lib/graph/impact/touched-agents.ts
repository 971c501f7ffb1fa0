import type { CapabilityChange } from '@/lib/graph/changes/capability-change';
import { compareProjects } from '@/lib/graph/changes/compare-projects';
import type { ReadProject } from '@/lib/graph/changes/project-side';
import type { SemanticDiff } from '@/lib/graph/changes/semantic-diff';
import { agentsByFile, agentsOfServer } from './agent-files';

/**
 * Returns the names of the agents that a change touches, sorted: those that need a file that differs, and those that a sentence or a
 * row of the comparison is about. What holds for every agent touches every agent. `changed` are the files that differ.
 */
export function touchedAgents(before: ReadProject, after: ReadProject, changed: readonly string[]): readonly string[] {
  const compared = compareProjects(before, after);
  const sides = [before, compared.before, after];
  const everybody = sides.flatMap(({ parsed }) => parsed.cards.map(({ name }) => name));
  const usersOf = (server: string) => sides.flatMap((side) => agentsOfServer(side, server));
  const touched = new Set<string>();
  for (const side of sides) {
    const users = agentsByFile(side);
    for (const path of changed) for (const agent of users.get(path) ?? []) touched.add(agent);
  }
  for (const change of compared.capabilities) {
    for (const agent of agentsOfSentence(change, everybody, usersOf)) touched.add(agent);
  }
  for (const agent of agentsOfRows(compared.semantic, everybody, usersOf)) touched.add(agent);
  const names = new Set(everybody);
  return [...touched].filter((agent) => names.has(agent)).sort();
}

type UsersOf = (server: string) => readonly string[];

/** A sentence about a file is left to the agents that need the file. */
function agentsOfSentence(
  { kind, subject: { agent, server, file, tool, field } }: CapabilityChange,
  everybody: readonly string[],
  usersOf: UsersOf,
): readonly string[] {
  if (agent !== undefined) return [agent];
  if (server !== undefined) return usersOf(server);
  if (kind === 'renamed' || (file !== undefined && kind !== 'hook')) return [];
  return tool !== undefined || field !== undefined || kind === 'hook' ? everybody : [];
}

function agentsOfRows(
  { agents, delegations, chains, servers, settings }: SemanticDiff,
  everybody: readonly string[],
  usersOf: UsersOf,
): readonly string[] {
  return [
    ...agents.flatMap(({ name, from }) => (from === undefined ? [name] : [name, from])),
    ...delegations.map(({ parent }) => parent),
    ...chains.flatMap(({ agent }) => (agent === undefined ? everybody : [agent])),
    ...servers.flatMap(({ name }) => usersOf(name)),
    ...settings.flatMap(({ field }) => field.split('.').filter((part) => everybody.includes(part))),
  ];
}
