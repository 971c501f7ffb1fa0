import type { YamlEdit } from '@/lib/cards/yaml/yaml-edit';
import type { Path } from '@/lib/cards/yaml/yaml-source';
import type { FolderDraft } from './draft';

/** A new list that is longer than this on one line has its items on lines of their own. */
const lineWidth = 88;

/** A list of texts in a card (`card`) or in another YAML file (`yaml`). */
export interface ListPlace {
  readonly file: string;
  readonly path: Path;
  readonly as: 'card' | 'yaml';
}

/**
 * Makes the list at a place equal to `next`. Items that stay keep their text, with comments and quotes. A short new list is
 * written on one line: `[get_time]`.
 */
export function writeList(draft: FolderDraft, place: ListPlace, next: readonly string[]): void {
  const { file, path } = place;
  const edit = (one: YamlEdit) => (place.as === 'card' ? draft.card(file, one) : draft.yaml(file, one));
  const written = draft.read(file, path);
  if (!Array.isArray(written)) {
    const isShort = next.join(', ').length < lineWidth;
    edit({ op: 'set', path, value: isShort ? [] : [...next] });
    if (isShort) next.forEach((value, index) => void edit({ op: 'insert', path, index, value }));
    return;
  }
  const kept = keptItems(written, next);
  for (let index = written.length - 1; index >= 0; index--) {
    if (!kept.has(index)) edit({ op: 'remove', path: [...path, index] });
  }
  const stay = [...kept.values()];
  next.forEach((value, index) => {
    if (!stay.includes(index)) edit({ op: 'insert', path, index, value });
  });
}

/** Returns the index of each written item that stays, with its index in `next`. Both are in order. */
function keptItems(written: readonly unknown[], next: readonly string[]): ReadonlyMap<number, number> {
  const kept = new Map<number, number>();
  let from = 0;
  for (const [index, item] of written.entries()) {
    const at = next.indexOf(String(item), from);
    if (at === -1) continue;
    kept.set(index, at);
    from = at + 1;
  }
  return kept;
}
