import type { ProjectId, TreeHash } from '@/lib/base/ids';
import type { FolderFile } from '@/lib/cards/folder';
import { sameFile } from '@/lib/cards/same-file';
import { mergeLines } from '@/lib/editor/merge-lines';
import type { Store } from '@/lib/store/database';
import { liveLine } from '@/lib/store/live-line';
import { readEntries, readTree } from '@/lib/store/trees';

/** What a publication would take back. */
export interface LiveReverts {
  /** The revision that was live last and that the files have. `undefined` for none. */
  readonly from: number | undefined;
  /** What went live since, oldest first. */
  readonly missed: readonly { readonly number: number; readonly author: string }[];
  /** The files that lose something of it, sorted. */
  readonly files: readonly string[];
}

/**
 * Returns what went live and would be lost if a tree went live that continues `from`, the ids of revisions. Returns `undefined` if the line
 * has what is live, or loses nothing of it.
 */
export async function liveReverts(
  store: Store,
  project: ProjectId,
  tree: { readonly treeHash: TreeHash; readonly from: readonly (string | null)[] },
): Promise<LiveReverts | undefined> {
  const { live, takenIn, missed } = await liveLine(store.prisma, project, tree.from);
  if (live === undefined || missed.length === 0 || live.treeHash === tree.treeHash) return undefined;
  const files = await lostFiles(store, { base: takenIn?.treeHash, mine: tree.treeHash, live: live.treeHash });
  return files.length === 0 ? undefined : { from: takenIn?.number, missed, files };
}

interface Trees {
  readonly base: TreeHash | undefined;
  readonly mine: TreeHash;
  readonly live: TreeHash;
}

/** Returns the files with a change from `base` to `live` that `mine` does not have. */
async function lostFiles(store: Store, { base, mine, live }: Trees): Promise<readonly string[]> {
  const [from, my, now] = await Promise.all(
    [base, mine, live].map(async (hash) =>
      hash === undefined
        ? new Map<string, string>()
        : new Map((await readEntries(store.prisma, hash)).map(([path, blob]) => [path, blob])),
    ),
  );
  if (from === undefined || my === undefined || now === undefined) return [];
  const moved = [...new Set([...from.keys(), ...now.keys()])].filter((path) => from.get(path) !== now.get(path));
  const open = moved.filter((path) => my.get(path) !== now.get(path));
  if (open.length === 0) return [];
  const [was, mineFolder, theirs] = await Promise.all(
    [base, mine, live].map(async (hash) => (hash === undefined ? new Map() : await readTree(store.prisma, hash))),
  );
  return open.filter((path) => loses(was?.get(path), mineFolder?.get(path), theirs?.get(path))).sort();
}

/** True if `mine` lacks something of the change from `base` to `live`. */
function loses(base: FolderFile | undefined, mine: FolderFile | undefined, live: FolderFile | undefined): boolean {
  if (sameFile(base, mine) || live?.kind !== 'text' || mine?.kind !== 'text') return true;
  const was = base?.kind === 'text' ? base.text : '';
  return mergeLines(was, mine.text, live.text).some(({ kind, base: old, mine: my, theirs }) => {
    if (kind === 'theirs') return true;
    if (kind !== 'clash') return false;
    const [before, now] = [new Set(old), new Set(my)];
    return theirs.some((line) => line.trim() !== '' && !before.has(line) && !now.has(line));
  });
}

/** Says what would be lost, whose it is, and what to do. */
export function revertSentence({ missed, files }: LiveReverts): string {
  const named = missed.slice(-3).map(({ number, author }) => `revision ${number} by ${author}`);
  const more = missed.length - named.length;
  const whose = more > 0 ? `${named.join(', ')} and ${more} before them` : named.join(', ');
  const shown = files.slice(0, 5).join(', ');
  const rest = files.length > 5 ? ` and ${files.length - 5} more files` : '';
  return `It would take back what went live meanwhile: ${whose}, in ${shown}${rest}. Update the draft from live first, or say why it is to be taken back.`;
}
