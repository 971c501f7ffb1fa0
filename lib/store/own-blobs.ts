import { AppError } from '@/lib/base/app-error';
import { type BlobHash, brandAs, type ProjectId } from '@/lib/base/ids';
import type { Store } from './database';
import { mainDraft } from './draft-lock';
import { hashBlobLater } from './hash';
import { noProject } from './not-found';
import { type Db, lockBlobs, putEntries, readEntries, sizeOfEntries } from './trees';
import { writing } from './writing';

/*
 * The bytes that a project may name by their hash: those of its files now, of its runs and revisions, and those that were
 * removed or uploaded within `keptDays`. `KeptTree` keeps the last two.
 */

/** Files that were removed can be restored by their hash for this time, and uploaded bytes wait this long for a save. */
const keptDays = 30;

/** Keeps the files of a listing for `keptDays`. */
export async function keepTree(db: Db, projectId: ProjectId, treeHash: string): Promise<void> {
  await db.$executeRaw`
    INSERT INTO "KeptTree" ("projectId", "treeHash", "keptUntil")
    VALUES (${projectId}, ${treeHash}, now() + make_interval(days => ${keptDays}))
    ON CONFLICT ("projectId", "treeHash") DO UPDATE SET "keptUntil" = EXCLUDED."keptUntil"`;
}

/**
 * Returns the hash if a tree of this project contains it. This check keeps people from reading files of other projects by
 * guessing hashes.
 */
export async function ownBlob(db: Db, projectId: ProjectId, path: string, hash: string): Promise<BlobHash> {
  if ((await isOwn(db, projectId, hash)) && (await lockBlobs(db, [hash])).has(hash)) return brandAs<BlobHash>(hash);
  throw new AppError(
    'bad_request',
    `The bytes of "${path}" are no longer kept: it was removed more than ${keptDays} days ago. Remove it here, save, and add the file again.`,
  );
}

async function isOwn(db: Db, projectId: ProjectId, hash: string): Promise<boolean> {
  const found = await db.$queryRaw<unknown[]>`
    SELECT 1 FROM "Tree" t, jsonb_array_elements(t.entries) entry
    WHERE entry->>1 = ${hash} AND t.hash IN (
      SELECT "treeHash" FROM "Draft" WHERE "projectId" = ${projectId}
      UNION SELECT "treeHash" FROM "KeptTree" WHERE "projectId" = ${projectId}
      UNION SELECT "treeHash" FROM "Revision" WHERE "projectId" = ${projectId}
      UNION SELECT "treeHash" FROM "StoredRun" WHERE "projectId" = ${projectId})
    LIMIT 1`;
  return found.length > 0;
}

/**
 * Stores bytes that a later save will name by the returned hash. Throws AppError `not_found`, and `too_large` when the project
 * would have more than `totalBytes` with them, or more than `waitingBytes` would wait for a save.
 */
export async function keepUpload(
  store: Store,
  projectId: ProjectId,
  bytes: Uint8Array,
  limits: { readonly totalBytes: number; readonly waitingBytes: number },
): Promise<BlobHash> {
  const hash = await hashBlobLater(bytes);
  await store.prisma.$transaction(async (db) => {
    // The lock keeps the project until the upload refers to it.
    await db.$queryRaw`SELECT 1 FROM "Project" WHERE id = ${projectId} FOR KEY SHARE`;
    const draft = await db.draft.findUnique({ where: { projectId_name: { projectId, name: mainDraft } } });
    if (draft === null) throw noProject();
    const total = (await sizeOfEntries(db, await readEntries(db, draft.treeHash))) + bytes.length;
    if (total > limits.totalBytes) throw tooMuch(limits.totalBytes);
    if ((await waitingBytes(db, projectId)) + bytes.length > limits.waitingBytes)
      throw tooMuchWaits(limits.waitingBytes);
    // The path of an upload is decided by the save.
    const treeHash = await putEntries(db, [[hash, hash]], new Map([[hash, bytes]]));
    await keepTree(db, projectId, treeHash);
  }, writing);
  return hash;
}

/** Returns the size of the uploads of a project that no draft has. An upload is a listing of one file whose path is its hash. */
async function waitingBytes(db: Db, projectId: ProjectId): Promise<number> {
  const [row] = await db.$queryRaw<{ bytes: number }[]>`
    WITH saved AS (
      SELECT DISTINCT entry->>1 AS hash FROM "Draft" d JOIN "Tree" t ON t.hash = d."treeHash",
        jsonb_array_elements(t.entries) entry
      WHERE d."projectId" = ${projectId}
    )
    SELECT COALESCE(sum(octet_length(b.bytes)), 0)::float8 AS bytes
    FROM "KeptTree" k JOIN "Tree" t ON t.hash = k."treeHash" JOIN "Blob" b ON b.hash = t.entries->0->>1
    WHERE k."projectId" = ${projectId} AND jsonb_array_length(t.entries) = 1 AND t.entries->0->>0 = b.hash
      AND b.hash NOT IN (SELECT hash FROM saved)`;
  return row?.bytes ?? 0;
}

/** Reads bytes that the project has or had. Throws AppError `not_found`. */
export async function readOwnBlob(store: Store, projectId: ProjectId, hash: string): Promise<Uint8Array> {
  const { prisma } = store;
  const blob = (await isOwn(prisma, projectId, hash)) ? await prisma.blob.findUnique({ where: { hash } }) : null;
  if (blob === null) {
    throw new AppError('not_found', `The project has no file with these bytes, and had none within ${keptDays} days.`);
  }
  return blob.bytes;
}

function tooMuch(totalBytes: number): AppError {
  const most = `${Math.ceil(totalBytes / 1024 / 1024)} MB`;
  return new AppError(
    'too_large',
    `The files of a project have at most ${most} together. Remove some, then try again.`,
  );
}

function tooMuchWaits(waitingBytes: number): AppError {
  const most = `${Math.ceil(waitingBytes / 1024 / 1024)} MB`;
  return new AppError(
    'too_large',
    `Uploads of this project that no save has named have ${most} already. Save them; others are removed ${keptDays} days after their upload.`,
  );
}
