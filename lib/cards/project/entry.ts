import type { Issue } from '@/lib/base/issue';
import type { Card } from '@/lib/cards/card';
import { isToolCardFolder, parentOf } from '@/lib/cards/file-role';
import type { ParsedFolder } from '@/lib/cards/parsed-folder';
import { makeIssue } from '@/lib/cards/read/file-report';
import { membersOf } from '@/lib/cards/read/members';

/** The agent with which a run begins when the request names none. */
export type Entry =
  /** The agent is named in callboard.yaml. It may not exist. */
  | { readonly is: 'named'; readonly name: string }
  | { readonly is: 'card'; readonly card: Card }
  /** The first of several candidates is used. `others` are the rest, in file order. */
  | { readonly is: 'first'; readonly card: Card; readonly others: readonly Card[] }
  /** This unreadable card may be the entry. */
  | { readonly is: 'unread'; readonly file: string }
  | { readonly is: 'none' };

/**
 * Finds the entry agent. In this order: `entry` of callboard.yaml, the default card, the only agent that no other one uses,
 * the first of those in file order, as fast-agent does (default_agent.py). With an unreadable card only the first two are
 * certain, because that card may be the default, or use the agent that seems unused.
 */
export function findEntry({ settings, cards, unread }: ParsedFolder): Entry {
  if (settings.entry !== undefined) return { is: 'named', name: settings.entry };
  const marked = cards.find(({ isDefault }) => isDefault);
  for (const [file, card] of unread) {
    if (marked === undefined || (card.isDefault && file < marked.file)) return { is: 'unread', file };
  }
  if (marked) return { is: 'card', card: marked };
  const [card, ...others] = candidates(cards);
  if (card === undefined) return { is: 'none' };
  return others.length === 0 ? { is: 'card', card } : { is: 'first', card, others };
}

/** Returns a warning when nothing in the folder decides with which of several agents a run begins. */
export function entryGuessed(parsed: ParsedFolder): Issue | undefined {
  const entry = findEntry(parsed);
  if (entry.is !== 'first') return undefined;
  const others = entry.others.map(({ name }) => `'${name}'`).join(', ');
  const text = `No card is the default, so a run begins at '${entry.card.name}', the first by file name; it could be ${others} as well. Mark a card 'default: true', or set 'entry' in callboard.yaml.`;
  return makeIssue('entry-guessed', { file: entry.card.file, line: 1, column: 1, agent: entry.card.name }, text);
}

/** Returns agents that no other agent uses if there are any, otherwise all. Agents in tool card folders come last. */
function candidates(cards: readonly Card[]): readonly Card[] {
  const used = new Set(cards.flatMap(membersOf));
  const speakers = cards.filter(({ toolOnly }) => !toolOnly);
  const roots = speakers.filter(({ name }) => !used.has(name));
  const main = roots.filter(({ file }) => !isToolCardFolder(parentOf(file)));
  return [main, roots, speakers, cards].find((some) => some.length > 0) ?? [];
}
