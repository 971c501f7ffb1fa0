import type { Card } from '@/lib/cards/card';
import { dialects } from '@/lib/cards/dialects/list';
import type { Folder } from '@/lib/cards/folder';
import { membersOf } from '@/lib/cards/read/members';
import { workerPolicy } from '@/lib/cards/worker-policy';
import { readFolder } from './read-folder';

/**
 * Reduces a project to the cards for which `isInside` is true and the agents that they or `entry` use. fast-agent loads one
 * folder of cards and ignores others beside it. Files that are not cards all stay.
 */
export function partOfProject(folder: Folder, isInside: (file: string) => boolean): Folder {
  const parsed = readFolder(folder);
  const inside = parsed.cards.filter(({ file }) => isInside(file));
  const byName = new Map<string, Card>();
  for (const card of [...inside, ...parsed.cards]) if (!byName.has(card.name)) byName.set(card.name, card);
  const entry = byName.get(parsed.settings.entry ?? '');
  const kept = new Set<Card>(entry === undefined ? inside : [...inside, entry]);
  for (const card of kept) {
    const { callable, tools, onlyAsTools } =
      card.type === 'agent' ? workerPolicy(card, byName.keys(), parsed.settings) : noWorkers;
    for (const name of [...membersOf(card), ...callable, ...tools, ...onlyAsTools]) {
      const used = byName.get(name);
      if (used !== undefined) kept.add(used);
    }
  }
  const files = new Set([...kept].map(({ file }) => file));
  // The agent that a dialect makes up is there in each part, and its rules with it.
  const main = dialects.find(({ id }) => id === parsed.dialect)?.mainFile;
  const isKept = (path: string) =>
    parsed.roles.get(path) !== 'card' || isInside(path) || files.has(path) || path === main;
  return new Map([...folder].filter(([path]) => isKept(path)));
}

const noWorkers = { callable: [], tools: [], onlyAsTools: [] };
