import type { Issue } from '@/lib/base/issue';
import type { KnownServers } from '@/lib/base/known-servers';
import type { FilterKind } from '@/lib/cards/edit/server-filter';
import type { Folder } from '@/lib/cards/folder';
import type { ParsedFolder } from '@/lib/cards/parsed-folder';
import { locateField } from '@/lib/cards/read/locate';
import { type Drift, driftOf, driftWords, filterKinds } from './server-listing';

/** A filter of a card that was written against another list than the server has now. */
export interface FilterDrift {
  readonly server: string;
  readonly agent: string;
  readonly file: string;
  readonly kind: FilterKind;
  readonly drift: Drift;
}

const none: readonly FilterDrift[] = [];

/** Returns what changed on the servers since the filters of the cards were written. Servers that were never tested are left out. */
export function filterDrifts({ cards }: Pick<ParsedFolder, 'cards'>, known: KnownServers): readonly FilterDrift[] {
  if (Object.keys(known).length === 0) return none;
  const found: FilterDrift[] = [];
  for (const card of cards) {
    if (card.type !== 'agent' && card.type !== 'router') continue;
    const servers = new Set([
      ...card.servers,
      ...(card.type === 'agent' ? card.mcpConnect.map(({ name }) => name) : []),
    ]);
    for (const kind of filterKinds) {
      for (const [server, patterns] of Object.entries(card[kind])) {
        const entry = servers.has(server) && Object.hasOwn(known, server) ? known[server] : undefined;
        if (entry === undefined) continue;
        const picked = Object.hasOwn(entry.picked, card.name) ? entry.picked[card.name] : undefined;
        const drift = driftOf(patterns, entry.prints[kind], picked?.[kind]);
        if (drift !== undefined) found.push({ server, agent: card.name, file: card.file, kind, drift });
      }
    }
  }
  return found;
}

/** Returns the drifts as problems of the cards, at their filters. What is gone is a warning, anything else a note. */
export function driftProblems(drifts: readonly FilterDrift[], folder: Folder): readonly Issue[] {
  return drifts.map(({ server, agent, file, kind, drift }) => {
    const at = locateField(folder, file, [kind, server]);
    return {
      code: 'server-changed',
      severity: drift.gone.length > 0 ? 'warning' : 'info',
      stage: 'callboard',
      file,
      line: at?.line ?? 1,
      column: at?.column ?? 1,
      agent,
      message: `The ${kind} of server '${server}' changed since they were picked for '${agent}' (${driftWords(drift)}). Select the wire from ${agent} to ${server} and pick again.`,
    };
  });
}
