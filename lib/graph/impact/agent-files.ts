import { agentView } from '@/lib/cards/agent-view';
import type { Card } from '@/lib/cards/card';
import { importedFiles } from '@/lib/cards/code/imported-files';
import { skillsOf } from '@/lib/cards/read/skills';
import { includedFiles } from '@/lib/graph/changes/included-files';
import { filesBelow, launchedFiles, messagePath } from '@/lib/graph/changes/launched-files';
import type { ReadProject } from '@/lib/graph/changes/project-side';
import { hookChain } from '@/lib/graph/hook-chain';

/**
 * Returns the agents that need each file: their cards, the code of their hooks and tools with what it imports, texts of their
 * instructions, their skills, and the programs of their servers.
 */
export function agentsByFile(project: ReadProject): ReadonlyMap<string, ReadonlySet<string>> {
  const { folder, parsed } = project;
  const found = new Map<string, Set<string>>();
  const note = (path: string, agent: string) => found.set(path, (found.get(path) ?? new Set()).add(agent));
  const launched = launchedFiles(folder, parsed);
  for (const card of parsed.cards) {
    const view = agentView(card);
    const code = [
      ...hookChain(card, parsed).flatMap(({ kind, file }) => (kind === 'code' ? [file] : [])),
      ...view.functionTools.map(({ file }) => file),
    ];
    const servers = serversOf(card);
    const paths = [
      card.file,
      ...code.flatMap((file) => importedFiles(folder, file)),
      ...includedFiles(view, folder),
      ...view.messages.map((path) => messagePath(folder, card.file, path)),
      ...skillsOf(view, folder).skills.flatMap(({ directory }) => filesBelow(folder, directory)),
      ...launched.flatMap(([path, server]) => (servers.has(server) ? [path] : [])),
    ];
    for (const path of paths) note(path, card.name);
  }
  return found;
}

/** Returns the agents that use a server. */
export function agentsOfServer({ parsed }: ReadProject, server: string): readonly string[] {
  return parsed.cards.flatMap((card) => (serversOf(card).has(server) ? [card.name] : []));
}

/** Returns the servers that a card names or connects itself. */
export function serversOf(card: Card): ReadonlySet<string> {
  const declared = 'servers' in card ? card.servers : [];
  const connected = card.type === 'agent' ? card.mcpConnect.flatMap(({ name }) => name ?? []) : [];
  return new Set([...declared, ...connected]);
}
