import type { Issue } from '@/lib/base/issue';
import type { Result } from '@/lib/base/result';
import type { Folder } from '@/lib/cards/folder';
import { FolderDraft } from './draft';
import { writeList } from './list-edit';

/** The fields of a card that filter what a server offers, each with patterns by server name. */
export type FilterKind = 'tools' | 'resources' | 'prompts';

/**
 * Sets the patterns with which a card filters one server. `undefined` removes the filter, so that everything is offered; an
 * empty list offers nothing. Returns the new texts by path.
 */
export function setServerFilter(
  folder: Folder,
  card: string,
  kind: FilterKind,
  server: string,
  patterns: readonly string[] | undefined,
): Result<ReadonlyMap<string, string | null>, Issue> {
  const draft = new FolderDraft(folder);
  if (patterns === undefined) draft.prune(card, [kind, server]);
  else writeList(draft, { file: card, path: [kind, server], as: 'card' }, patterns);
  return draft.changes();
}
