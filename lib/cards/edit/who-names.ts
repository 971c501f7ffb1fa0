import type { Folder } from '@/lib/cards/folder';
import { readFolder } from '@/lib/cards/project/read-folder';
import { FolderDraft } from './draft';
import { agentFields } from './rename-agent';
import { renameFiles } from './rename-file';

/**
 * Returns the files that name one of `paths`, or an agent whose card it is, sorted: what a deletion would leave with a
 * reference to nothing.
 */
export function whoNames(folder: Folder, paths: readonly string[]): readonly string[] {
  const gone = new Set(paths);
  const found = new Set<string>();
  // A file whose text would change if the files moved names one of them.
  const moved = renameFiles(folder, new Map(paths.map((path) => [path, `${freeFolder(folder)}/${path}`])));
  if (moved.ok) for (const path of moved.value.keys()) if (folder.has(path)) found.add(path);
  const parsed = readFolder(folder);
  const names = new Set(parsed.cards.flatMap((card) => (gone.has(card.file) ? [card.name] : [])));
  const draft = new FolderDraft(folder);
  for (const card of parsed.cards) {
    const named = agentFields.flatMap((field) => draft.read(card.file, [field]) ?? []);
    if (named.some((name) => typeof name === 'string' && names.has(name))) found.add(card.file);
  }
  return [...found].filter((path) => !gone.has(path)).sort();
}

function freeFolder(folder: Folder): string {
  for (let n = 0; ; n++) {
    const name = `elsewhere${n}`;
    if (![...folder.keys()].some((path) => path.startsWith(`${name}/`))) return name;
  }
}
