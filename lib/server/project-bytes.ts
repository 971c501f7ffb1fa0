import type { Actor } from '@/lib/base/actor';
import { AppError } from '@/lib/base/app-error';
import type { BlobHash, ProjectId } from '@/lib/base/ids';
import { keepUpload, readOwnBlob } from '@/lib/store/own-blobs';
import { folderLimits } from './folders/folder-limits';
import { imageTypeOf } from './image-type';
import { withRoom } from './run-limits';
import { withStore } from './services';

/** The bytes of files that are not text. Editors and saves name them by their hash. */

/**
 * Stores bytes for a later save, which gives them a path, and returns their hash. They wait for it for 30 days. Throws AppError
 * `not_found`, and `bad_request` or `too_large` for bytes that no file of the project can have.
 */
export async function uploadBytes(
  actor: Actor,
  id: ProjectId,
  bytes: Uint8Array,
): Promise<{ readonly hash: BlobHash; readonly size: number }> {
  if (bytes.length === 0) throw new AppError('bad_request', 'The body is empty. Send the bytes of the file.');
  const hash = await withRoom(
    actor,
    'project.edit',
    id,
    async ({ store }) => await keepUpload(store, id, bytes, folderLimits),
  );
  return { hash, size: bytes.length };
}

/**
 * Reads bytes that the project has, or had within 30 days. `type` is that of a raster image, otherwise
 * `application/octet-stream`. Throws AppError `not_found`.
 */
export async function downloadBytes(
  actor: Actor,
  id: ProjectId,
  hash: string,
): Promise<{ readonly bytes: Uint8Array; readonly type: string }> {
  const bytes = await withStore(actor, 'project.read', { project: id }, (store) => readOwnBlob(store, id, hash));
  return { bytes, type: imageTypeOf(bytes) ?? 'application/octet-stream' };
}
