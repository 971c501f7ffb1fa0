import { type BlobHash, brandAs, type TreeHash } from '@/lib/base/ids';
import type { GitHash } from '@/lib/interop/git/git-object';
import { type Db, readTreeListings } from '@/lib/store/trees';
import { hashObject } from './hash-object';
import { type GitFile, type GitTrees, gitTrees } from './tree-objects';

/** A stored tree as git sees it. */
export interface GitTree extends GitTrees {
  /** The files by their git hash. */
  readonly blobs: ReadonlyMap<GitHash, BlobHash>;
}

/** Files are read in statements of about this many bytes. */
const batchBytes = 8_000_000;

/** Returns stored trees as git sees them. Files whose git hash is not known yet are read once, and their hash is stored. */
export async function readGitTrees(db: Db, hashes: readonly string[]): Promise<ReadonlyMap<TreeHash, GitTree>> {
  const listings = await readTreeListings(db, [...new Set(hashes)]);
  const known = await gitHashes(
    db,
    [...listings.values()].flatMap((entries) => entries.map(([, blob]) => blob)),
  );
  const result = new Map<TreeHash, GitTree>();
  for (const [tree, entries] of listings) {
    const files: [string, GitFile][] = [];
    const blobs = new Map<GitHash, BlobHash>();
    for (const [path, blob, mode] of entries) {
      const hash = known.get(blob);
      if (hash === undefined) throw new Error(`Bug: blob ${blob} of tree ${tree} is missing`);
      files.push([path, { hash, isExecutable: mode !== undefined }]);
      blobs.set(hash, blob);
    }
    result.set(tree, { ...gitTrees(files), blobs });
  }
  return result;
}

async function gitHashes(db: Db, blobs: readonly BlobHash[]): Promise<ReadonlyMap<BlobHash, GitHash>> {
  const rows = await db.$queryRaw<{ hash: string; gitHash: string | null; bytes: number }[]>`
    SELECT hash, "gitHash", octet_length(bytes) AS bytes FROM "Blob" WHERE hash = ANY(${[...new Set(blobs)]})`;
  const found = new Map<BlobHash, GitHash>();
  let batch: string[] = [];
  let size = 0;
  for (const { hash, gitHash, bytes } of rows) {
    if (gitHash !== null) {
      found.set(brandAs<BlobHash>(hash), brandAs<GitHash>(gitHash));
      continue;
    }
    if (size + bytes > batchBytes && batch.length > 0) {
      await hashBatch(db, batch, found);
      batch = [];
      size = 0;
    }
    batch.push(hash);
    size += bytes;
  }
  if (batch.length > 0) await hashBatch(db, batch, found);
  return found;
}

async function hashBatch(db: Db, hashes: readonly string[], found: Map<BlobHash, GitHash>): Promise<void> {
  const rows = await db.$queryRaw<{ hash: string; bytes: Uint8Array }[]>`
    SELECT hash, bytes FROM "Blob" WHERE hash = ANY(${hashes})`;
  const made = rows.map(({ hash, bytes }) => [hash, hashObject('blob', bytes)] as const);
  for (const [hash, gitHash] of made) found.set(brandAs<BlobHash>(hash), gitHash);
  await storeGitHashes(db, made);
}

/** Stores what git calls files. Rows that another transaction holds are left for the next time. */
export async function storeGitHashes(db: Db, made: readonly (readonly [blob: string, hash: GitHash])[]): Promise<void> {
  await db.$executeRaw`
    UPDATE "Blob" b SET "gitHash" = made.git FROM (
      SELECT b.hash, m.git FROM "Blob" b
      JOIN unnest(${made.map(([blob]) => blob)}::text[], ${made.map(([, hash]) => hash)}::text[]) AS m (hash, git) ON m.hash = b.hash
      WHERE b."gitHash" IS NULL ORDER BY b.hash FOR NO KEY UPDATE OF b SKIP LOCKED
    ) made WHERE b.hash = made.hash`;
}
