import { z } from 'zod';
import { type BlobHash, brandAs, type TreeHash } from '@/lib/base/ids';
import { decodeFile, encodeFile } from '@/lib/cards/files';
import type { Folder, LoadedFile } from '@/lib/cards/folder';
import type { Store } from './database';
import { Prisma } from './generated/client';
import { executable, hashBlobLater, hashTree, type TreeEntry } from './hash';

/** Prisma's client or one of its transactions. */
export type Db = Prisma.TransactionClient;

/** The files of a tree, sorted by path. */
export type TreeEntries = readonly TreeEntry[];

const blobHash = z.string().transform((hash) => brandAs<BlobHash>(hash));
const storedEntries = z.array(z.tuple([z.string(), blobHash, z.literal(executable).optional()]));

/** Stores a folder. Call it inside a transaction, so that the tree and the row that refers to it are committed together. */
export async function putTree(db: Db, folder: Folder): Promise<TreeHash> {
  const blobs = new Map<BlobHash, Uint8Array>();
  const entries: [path: string, blob: BlobHash][] = [];
  for (const [path, file] of folder) {
    const bytes = encodeFile(file);
    const hash = await hashBlobLater(bytes);
    blobs.set(hash, bytes);
    entries.push([path, hash]);
  }
  return await putEntries(db, sortEntries(entries), blobs);
}

/**
 * Stores a listing. `blobs` must contain all blobs that may be new. The tree and its blobs are locked until the transaction
 * ends, so that the garbage collection (./collect-trees) skips them.
 */
export async function putEntries(
  db: Db,
  entries: TreeEntries,
  blobs: ReadonlyMap<BlobHash, Uint8Array>,
): Promise<TreeHash> {
  const known = await lockBlobs(db, [...blobs.keys()]);
  // The order is always the same, because otherwise two transactions that write the same blobs could deadlock.
  const missing = [...blobs].filter(([hash]) => !known.has(hash)).sort(([a], [b]) => (a < b ? -1 : 1));
  for (const batch of batches(missing)) {
    const rows = batch.map(([hash, bytes]) => Prisma.sql`(${hash}, ${Buffer.from(bytes)})`);
    // The update changes nothing, but it locks a blob that another transaction wrote meanwhile.
    await db.$executeRaw`
      INSERT INTO "Blob" (hash, bytes) VALUES ${Prisma.join(rows)}
      ON CONFLICT (hash) DO UPDATE SET bytes = "Blob".bytes WHERE false`;
  }
  const hash = hashTree(entries);
  const stored = JSON.stringify(entries.map((entry) => entry.filter((part) => part !== undefined)));
  await db.$executeRaw`
    INSERT INTO "Tree" (hash, entries) VALUES (${hash}, ${stored}::jsonb)
    ON CONFLICT (hash) DO UPDATE SET "unusedSince" = NULL WHERE "Tree"."unusedSince" IS NOT NULL`;
  return hash;
}

/** Returns those of the blobs that are stored, locked against removal until the transaction ends. */
export async function lockBlobs(db: Db, hashes: readonly string[]): Promise<ReadonlySet<string>> {
  if (hashes.length === 0) return new Set();
  const rows = await db.$queryRaw<{ readonly hash: string }[]>`
    SELECT hash FROM "Blob" WHERE hash = ANY(${hashes}) FOR KEY SHARE`;
  return new Set(rows.map(({ hash }) => hash));
}

/** Returns the bytes of all files of a listing. Equal files count each; blobs that are not stored count 0. */
export async function sizeOfEntries(db: Db, entries: TreeEntries): Promise<number> {
  const times = new Map<string, number>();
  for (const [, blob] of entries) times.set(blob, (times.get(blob) ?? 0) + 1);
  const rows = await db.$queryRaw<{ readonly hash: string; readonly bytes: number }[]>`
    SELECT hash, octet_length(bytes) AS bytes FROM "Blob" WHERE hash = ANY(${[...times.keys()]})`;
  return rows.reduce((sum, { hash, bytes }) => sum + bytes * (times.get(hash) ?? 0), 0);
}

/** Reads a listing. Throws when there is no such tree, which is a bug, because a tree with references is never removed. */
export async function readEntries(db: Db, hash: string): Promise<TreeEntries> {
  const tree = await db.tree.findUniqueOrThrow({ where: { hash } });
  return storedEntries.parse(tree.entries);
}

/** Reads several listings. Trees that are not there are left out. */
export async function readTreeListings(db: Db, hashes: readonly string[]): Promise<ReadonlyMap<TreeHash, TreeEntries>> {
  const trees = await db.tree.findMany({ where: { hash: { in: [...hashes] } }, select: { hash: true, entries: true } });
  return new Map(trees.map(({ hash, entries }) => [brandAs<TreeHash>(hash), storedEntries.parse(entries)]));
}

export async function readTree(db: Db, hash: string): Promise<Folder> {
  return new Map((await readListing(db, hash)).map(({ path, file }) => [path, file] as const));
}

/** Reads the files of a tree, each with the hash of its bytes. */
export async function readListing(
  db: Db,
  hash: string,
): Promise<readonly { readonly path: string; readonly blob: BlobHash; readonly file: LoadedFile }[]> {
  const entries = await readEntries(db, hash);
  const files = await readFiles(
    db,
    entries.map(([, blob]) => blob),
  );
  return entries.map(([path, blob]) => {
    const file = files.get(blob);
    if (file === undefined) throw new Error(`Bug: blob ${blob} of tree ${hash} is missing`);
    return { path, blob, file };
  });
}

/** Reads files by the hashes of their bytes. Those that are not stored are left out. */
export async function readFiles(db: Db, hashes: readonly BlobHash[]): Promise<ReadonlyMap<BlobHash, LoadedFile>> {
  const wanted = [...new Set(hashes)];
  const files = new Map<BlobHash, LoadedFile>();
  for (let start = 0; start < wanted.length; start += 2_000) {
    const rows = await db.blob.findMany({ where: { hash: { in: wanted.slice(start, start + 2_000) } } });
    for (const row of rows) files.set(brandAs<BlobHash>(row.hash), decodeFile(row.bytes));
  }
  return files;
}

/** Returns those of the given trees that a stored run was started with. The run may be in any state. */
export async function findTreesOfRuns(store: Store, hashes: readonly TreeHash[]): Promise<ReadonlySet<TreeHash>> {
  const { rows } = await store.pool.query<{ hash: string }>(
    'SELECT hash FROM unnest($1::text[]) hash WHERE EXISTS (SELECT 1 FROM "Run" WHERE "treeHash" = hash)',
    [hashes],
  );
  return new Set(rows.map(({ hash }) => brandAs<TreeHash>(hash)));
}

/** Sorts by UTF-16 code units, which gives the same order on every machine. */
export function sortEntries(entries: TreeEntries): TreeEntries {
  return [...entries].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
}

/** Splits blobs into statements of at most 500 blobs and about 8 MB. */
function batches(blobs: readonly (readonly [BlobHash, Uint8Array])[]): (readonly [BlobHash, Uint8Array])[][] {
  const result: (readonly [BlobHash, Uint8Array])[][] = [];
  let current: (readonly [BlobHash, Uint8Array])[] = [];
  let size = 0;
  for (const blob of blobs) {
    if (current.length === 500 || (current.length > 0 && size + blob[1].length > 8_000_000)) {
      result.push(current);
      current = [];
      size = 0;
    }
    current.push(blob);
    size += blob[1].length;
  }
  if (current.length > 0) result.push(current);
  return result;
}
