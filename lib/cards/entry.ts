import type { Card } from './card';
import type { ParsedFolder } from './parsed-folder';
import { membersOf } from './read/members';

/** Where a run begins when nobody names an agent. */
export type Entry =
  /** By callboard.yaml; there may be no such agent. */
  | { readonly is: 'named'; readonly name: string }
  | { readonly is: 'card'; readonly card: Card }
  /** This card cannot be read, and it may be the one. */
  | { readonly is: 'unread'; readonly file: string }
  /** Agents no other one uses; none or several. */
  | { readonly is: 'open'; readonly roots: readonly Card[] };

/**
 * `entry` of callboard.yaml, else the default card, else the only agent no other one uses. While a card cannot be read, only
 * the first two are certain: it may be the default, or use the one that looks alone.
 */
export function findEntry({ settings, cards, roles }: ParsedFolder): Entry {
  if (settings.entry !== undefined) return { is: 'named', name: settings.entry };
  const marked = cards.find(({ isDefault }) => isDefault);
  if (marked) return { is: 'card', card: marked };
  const read = new Set(cards.map(({ file }) => file));
  for (const [file, role] of roles) if (role === 'card' && !read.has(file)) return { is: 'unread', file };
  const used = new Set(cards.flatMap(membersOf));
  const roots = cards.filter((card) => !used.has(card.name) && !card.toolOnly);
  const [only] = roots;
  return only && roots.length === 1 ? { is: 'card', card: only } : { is: 'open', roots };
}
