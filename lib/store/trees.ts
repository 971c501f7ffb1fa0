import { z } from 'zod';
import { type BlobHash, brandAs, type TreeHash } from '@/lib/base/ids';
import { decodeFile, encodeFile } from '@/lib/cards/files';
import type { Folder, LoadedFile } from '@/lib/cards/folder';
import type { Store } from './database';
import type { Prisma } from './generated/client';
import { hashBlob, hashTree } from './hash';

/** What the functions here need of Prisma: the client itself or one of its transactions. */
export type Db = Prisma.TransactionClient;

/** path → blob, sorted by path. */
export type TreeEntries = readonly (readonly [path: string, blob: BlobHash])[];

const storedEntries = z.array(z.tuple([z.string(), z.string().transform((hash) => brandAs<BlobHash>(hash))]));

/** Writers of trees hold this shared, the collector alone: else a blob could go between being found and being named. */
const collectorLock = 7_203_015;

/** Stores what is not there yet. Call it inside a transaction, so that the tree and what refers to it arrive together. */
export async function putTree(db: Db, folder: Folder): Promise<TreeHash> {
  const blobs = new Map<BlobHash, Uint8Array>();
  const entries = sortEntries(
    [...folder].map(([path, file]) => {
      const bytes = encodeFile(file);
      const hash = hashBlob(bytes);
      blobs.set(hash, bytes);
      return [path, hash] as const;
    }),
  );
  return await putEntries(db, entries, blobs);
}

/** Stores a listing; `blobs` holds at least those of its blobs that may be new. */
export async function putEntries(
  db: Db,
  entries: TreeEntries,
  blobs: ReadonlyMap<BlobHash, Uint8Array>,
): Promise<TreeHash> {
  await db.$executeRaw`SELECT pg_advisory_xact_lock_shared(${collectorLock})`;
  const known = await db.blob.findMany({ where: { hash: { in: [...blobs.keys()] } }, select: { hash: true } });
  const knownHashes = new Set(known.map((row) => row.hash));
  for (const batch of batches([...blobs].filter(([hash]) => !knownHashes.has(hash)))) {
    const data = batch.map(([hash, bytes]) => ({ hash, bytes: new Uint8Array(bytes) }));
    await db.blob.createMany({ data, skipDuplicates: true });
  }
  const hash = hashTree(entries);
  const stored = entries.map(([path, blob]) => [path, blob]);
  await db.tree.createMany({ data: [{ hash, entries: stored }], skipDuplicates: true });
  return hash;
}

/** Throws when there is no such tree: what refers to one keeps it from being collected. */
export async function readEntries(db: Db, hash: string): Promise<TreeEntries> {
  const tree = await db.tree.findUniqueOrThrow({ where: { hash } });
  return storedEntries.parse(tree.entries);
}

export async function readTree(db: Db, hash: string): Promise<Folder> {
  return new Map((await readListing(db, hash)).map(({ path, file }) => [path, file] as const));
}

/** The files of a tree, each with the hash of its bytes. */
export async function readListing(
  db: Db,
  hash: string,
): Promise<readonly { readonly path: string; readonly blob: BlobHash; readonly file: LoadedFile }[]> {
  const entries = await readEntries(db, hash);
  const wanted = [...new Set(entries.map(([, blob]) => blob))];
  const files = new Map<string, LoadedFile>();
  for (let start = 0; start < wanted.length; start += 2_000) {
    const rows = await db.blob.findMany({ where: { hash: { in: wanted.slice(start, start + 2_000) } } });
    for (const row of rows) files.set(row.hash, decodeFile(row.bytes));
  }
  return entries.map(([path, blob]) => {
    const file = files.get(blob);
    if (file === undefined) throw new Error(`Bug: blob ${blob} of tree ${hash} is missing`);
    return { path, blob, file };
  });
}

/** Those of the given trees that runs were started with, whatever became of the runs. */
export async function findTreesOfRuns(store: Store, hashes: readonly TreeHash[]): Promise<ReadonlySet<TreeHash>> {
  const where = { treeHash: { in: [...hashes] } };
  const rows = await store.prisma.run.findMany({ where, select: { treeHash: true }, distinct: ['treeHash'] });
  return new Set(rows.map((row) => brandAs<TreeHash>(row.treeHash)));
}

/** By UTF-16 code units, the same on every machine. */
export function sortEntries(entries: TreeEntries): TreeEntries {
  return [...entries].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
}

/**
 * Removes trees that no draft, revision, run or recent removal names, and blobs that no tree names. Does nothing while somebody writes one:
 * there is always a next time.
 */
export async function collectTrees(store: Store): Promise<void> {
  await store.prisma.$transaction(
    async (db) => {
      const [lock] = await db.$queryRaw<{ got: boolean }[]>`SELECT pg_try_advisory_xact_lock(${collectorLock}) AS got`;
      if (lock?.got !== true) return;
      await db.$executeRaw`DELETE FROM "KeptTree" WHERE "keptUntil" < now()`;
      await db.$executeRaw`
        DELETE FROM "Tree" t
        WHERE NOT EXISTS (SELECT 1 FROM "Draft" d WHERE d."treeHash" = t.hash)
          AND NOT EXISTS (SELECT 1 FROM "Revision" r WHERE r."treeHash" = t.hash)
          AND NOT EXISTS (SELECT 1 FROM "Run" r WHERE r."treeHash" = t.hash)
          AND NOT EXISTS (SELECT 1 FROM "KeptTree" k WHERE k."treeHash" = t.hash)`;
      await db.$executeRaw`
        DELETE FROM "Blob"
        WHERE hash NOT IN (SELECT entry->>1 FROM "Tree" t, jsonb_array_elements(t.entries) entry)`;
    },
    { timeout: 60_000 },
  );
}

/** At most 500 blobs and about 8 MB in one statement. */
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
