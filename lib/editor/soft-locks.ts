import type { PresentWindow } from '@/lib/base/presence';

/** What is edited of what: a field of a form (`agent:lead#Instruction`), or the text of a file (`file:lead.md`). */
export function fieldKey(of: string, field: string): string {
  return `${of}#${field}`;
}

export function fileKey(file: string): string {
  return `file:${file}`;
}

/** Returns the words for what a key names: the label of a field, or a file. */
export function keyWords(key: string): string {
  if (key.startsWith('file:')) return key.slice('file:'.length);
  return key.slice(key.lastIndexOf('#') + 1);
}

/**
 * Returns who has a field: whoever took it last, otherwise whoever entered it first. Two windows that enter at the same
 * moment see the same one, because the server gives the times.
 */
export function holderOf(windows: readonly PresentWindow[], key: string): PresentWindow | undefined {
  const [first] = windows
    .filter(({ editing }) => editing === key)
    .toSorted((a, b) => {
      if (a.taken !== b.taken) return a.taken ? -1 : 1;
      const order = a.taken ? b.since - a.since : a.since - b.since;
      return order === 0 ? a.id.localeCompare(b.id) : order;
    });
  return first;
}
