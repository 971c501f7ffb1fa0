import type { BlobHash, ProjectId, TreeHash } from '@/lib/base/ids';
import type { Folder } from '@/lib/cards/folder';
import type { Store } from '@/lib/store/database';
import { lineOrigin, liveLine, type MissedRevision } from '@/lib/store/live-line';
import { readEntries, readFiles } from '@/lib/store/trees';
import { webReader } from './reading/web-reader';

/** What a publication would take back. */
export interface LiveReverts {
  /** What went live or was rolled back meanwhile. */
  readonly missed: readonly MissedRevision[];
  /** The files that lose something of it, sorted. */
  readonly files: readonly string[];
}

/**
 * Returns how live moved, if that would be undone by a publication of a tree that continues `from`, the ids of revisions, the newest first.
 * Returns `undefined` if the line has what is live, or undoes nothing.
 */
export async function liveReverts(
  store: Store,
  project: ProjectId,
  tree: { readonly treeHash: TreeHash; readonly from: readonly (string | null)[] },
): Promise<LiveReverts | undefined> {
  const line = await liveLine(store.prisma, project, tree.from);
  const { live, missed } = line;
  if (live === undefined || missed.length === 0 || live.treeHash === tree.treeHash) return undefined;
  const base = (await lineOrigin(store.prisma, project, tree.from, line))?.treeHash;
  const files = await lostFiles(store, { base, mine: tree.treeHash, live: live.treeHash });
  return files.length === 0 ? undefined : { missed, files };
}

interface Trees {
  readonly base: TreeHash | undefined;
  readonly mine: TreeHash;
  readonly live: TreeHash;
}

/** Returns the files with a change from `base` to `live` that `mine` does not have. Of files that did not change nothing is read. */
async function lostFiles(store: Store, { base, mine, live }: Trees): Promise<readonly string[]> {
  const [from, my, now] = await Promise.all([
    base === undefined ? new Map<string, BlobHash>() : blobsOf(store, base),
    blobsOf(store, mine),
    blobsOf(store, live),
  ]);
  const moved = [...new Set([...from.keys(), ...now.keys()])].filter((path) => from.get(path) !== now.get(path));
  const open = moved.filter((path) => my.get(path) !== now.get(path));
  if (open.length === 0) return [];
  const sides = [from, my, now].map((side) => open.flatMap((path) => side.get(path) ?? []));
  const files = await readFiles(store.prisma, sides.flat());
  const folderOf = (side: ReadonlyMap<string, BlobHash>): Folder =>
    new Map(
      open.flatMap((path) => {
        const blob = side.get(path);
        const file = blob && files.get(blob);
        return file === undefined ? [] : [[path, file] as const];
      }),
    );
  const lost = await webReader().lost({ folder: folderOf(my), base: folderOf(from), theirs: folderOf(now) });
  // What cannot be compared in time may be lost.
  return lost.ok ? lost.value : open.sort();
}

async function blobsOf(store: Store, tree: TreeHash): Promise<ReadonlyMap<string, BlobHash>> {
  return new Map((await readEntries(store.prisma, tree)).map(([path, blob]) => [path, blob]));
}

/** Says what would be undone, whose it is, and what to do. */
export function revertSentence({ missed, files }: LiveReverts): string {
  const newer = missed.filter(({ wasRolledBack }) => !wasRolledBack);
  const undone = missed.filter(({ wasRolledBack }) => wasRolledBack);
  const parts = [
    ...(newer.length > 0 ? [`take back what went live meanwhile: ${named(newer)}`] : []),
    ...(undone.length > 0 ? [`bring back what was rolled back: ${named(undone)}`] : []),
  ];
  const shown = files.slice(0, 5).join(', ');
  const rest = files.length > 5 ? ` and ${files.length - 5} more files` : '';
  const next =
    newer.length > 0
      ? 'Update the draft from live first, or say why it is to be taken back.'
      : 'Say why it is to come back, or update the draft from live, which removes it.';
  return `It would ${parts.join(', and ')}, in ${shown}${rest}. ${next}`;
}

function named(revisions: readonly MissedRevision[]): string {
  const last = revisions.slice(-3).map(({ number, author }) => `revision ${number} by ${author}`);
  const more = revisions.length - last.length;
  return more > 0 ? `${last.join(', ')} and ${more} before them` : last.join(', ');
}
