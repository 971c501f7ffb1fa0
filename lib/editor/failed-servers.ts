import type { Issue } from '@/lib/base/issue';
import type { Card } from '@/lib/cards/card';
import type { Folder } from '@/lib/cards/folder';
import { locateField } from '@/lib/cards/read/locate';
import type { FailedStart } from '@/lib/trace/trace';

/** Returns where a card names the server. */
function pathOf(card: Card, server: string): readonly (string | number)[] {
  const servers = 'servers' in card ? card.servers : [];
  return servers.includes(server) ? ['servers', servers.indexOf(server)] : ['mcp_connect', server];
}

/**
 * Returns the failures as problems of the cards whose agents use the servers, at the name of the server. Agents that are no longer in the folder are
 * left out.
 */
export function startProblems(
  failed: readonly FailedStart[],
  cards: readonly Card[],
  folder: Folder,
): readonly Issue[] {
  return failed.flatMap(({ agentName, server, message }): Issue[] => {
    const card = cards.find(({ name }) => name === agentName);
    if (card === undefined) return [];
    const at = locateField(folder, card.file, pathOf(card, server));
    const place = { file: card.file, line: at?.line ?? 1, column: at?.column ?? 1, agent: agentName };
    const last = `In the last run: ${message}`;
    return [{ code: 'server-unavailable', severity: 'error', stage: 'callboard', message: last, ...place }];
  });
}
