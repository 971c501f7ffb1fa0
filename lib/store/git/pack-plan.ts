import type { BlobHash, ProjectId } from '@/lib/base/ids';
import type { GitHash, GitObject } from '@/lib/interop/git/git-object';
import { ancestorsOf } from '@/lib/interop/git/negotiate';
import type { Db } from '@/lib/store/trees';
import { readGitTrees } from './git-files';
import { type History, readCommitBodies } from './history';

/** What a pack has: commits and trees as their bytes, and files by their hashes, because they may be large. */
export interface PackPlan {
  readonly count: number;
  readonly commits: ReadonlyMap<GitHash, Uint8Array>;
  readonly trees: ReadonlyMap<GitHash, Uint8Array>;
  readonly blobs: ReadonlyMap<GitHash, BlobHash>;
}

/** Plans a pack of everything that `wants` reach and `haves` do not. */
export async function planPack(
  db: Db,
  projectId: ProjectId,
  { commits }: Pick<History, 'commits'>,
  { wants, haves }: { readonly wants: readonly GitHash[]; readonly haves: readonly GitHash[] },
): Promise<PackPlan> {
  const has = ancestorsOf(haves, commits);
  const sent = [...ancestorsOf(wants, commits)].filter((hash) => !has.has(hash));
  const edge = new Set([...haves, ...sent.flatMap((hash) => commits.get(hash)?.parents ?? [])]);
  const treesOf = (hashes: Iterable<GitHash>) => [...hashes].flatMap((hash) => commits.get(hash)?.treeHash ?? []);
  const known = treesOf([...edge].filter((hash) => has.has(hash)));
  const wanted = treesOf(sent);
  const trees = await readGitTrees(db, [...known, ...wanted]);
  const planned = { trees: new Map<GitHash, Uint8Array>(), blobs: new Map<GitHash, BlobHash>() };
  for (const hash of wanted) {
    for (const [tree, body] of trees.get(hash)?.bodies ?? []) planned.trees.set(tree, body);
    for (const [blob, stored] of trees.get(hash)?.blobs ?? []) planned.blobs.set(blob, stored);
  }
  for (const hash of known) {
    for (const tree of trees.get(hash)?.bodies.keys() ?? []) planned.trees.delete(tree);
    for (const blob of trees.get(hash)?.blobs.keys() ?? []) planned.blobs.delete(blob);
  }
  const bodies = await readCommitBodies(db, projectId, sent);
  return { count: bodies.size + planned.trees.size + planned.blobs.size, commits: bodies, ...planned };
}

/** Files are read in statements of at most so many, and of so many bytes together, unless a single one is larger. */
const batchFiles = 200;
const batchBytes = 16_000_000;

/** Returns the objects of a plan. `read` reads files (`readBlobs`); it is called again and again while the pack is sent. */
export async function* packObjects(
  plan: PackPlan,
  read: (hashes: readonly BlobHash[]) => Promise<ReadonlyMap<string, Uint8Array>>,
): AsyncGenerator<GitObject> {
  for (const body of plan.commits.values()) yield { kind: 'commit', body };
  for (const body of plan.trees.values()) yield { kind: 'tree', body };
  const blobs = [...plan.blobs.values()];
  for (let at = 0; at < blobs.length; ) {
    const found = await read(blobs.slice(at, at + batchFiles));
    if (found.size === 0) throw new Error(`Bug: blob ${blobs[at]} is missing`);
    for (const body of found.values()) yield { kind: 'blob', body };
    at += found.size;
  }
}

/** Reads the first of the given files, in their order: as many as one statement reads. */
export async function readBlobs(db: Db, hashes: readonly BlobHash[]): Promise<ReadonlyMap<string, Uint8Array>> {
  const rows = await db.$queryRaw<{ hash: string; bytes: Uint8Array }[]>`
    SELECT hash, bytes FROM (
      SELECT b.hash, b.bytes, w.place, sum(octet_length(b.bytes)) OVER (ORDER BY w.place) AS together
      FROM unnest(${hashes}::text[]) WITH ORDINALITY AS w (hash, place) JOIN "Blob" b ON b.hash = w.hash
    ) sized WHERE together <= ${batchBytes} OR place = 1 ORDER BY place`;
  return new Map(rows.map(({ hash, bytes }) => [hash, bytes]));
}
