import * as z from 'zod/mini';
import type { Savers } from '@/lib/base/presence';
import type { Folder, StoredFile } from '@/lib/cards/folder';
import { getJson, postBytes } from './ask-shape';
import { projectAddress, queryOfDraft } from './project-address';
import { filesBody, folderOfBody } from './wire-files';

/**
 * Reads the saved files for an editor. Binary files stay on the server and are given by their hash. With `since` the answer names who
 * saved after that version.
 */
export async function readFiles(
  id: string,
  draft?: string,
  since?: number,
): Promise<{ readonly version: number; readonly folder: Folder; readonly by?: Savers | undefined }> {
  const more = { binary: 'hash', ...(since !== undefined && { since: String(since) }) };
  const body = await getJson(`${projectAddress(id)}/files${queryOfDraft(draft, more)}`, filesBody);
  return { version: body.version, folder: folderOfBody(body), by: body.savedBy };
}

const stored = z.object({ hash: z.string(), size: z.number() });

/** Stores the bytes of a file that is not text, for a save that follows. */
export async function uploadBytes(id: string, bytes: Uint8Array<ArrayBuffer>): Promise<StoredFile> {
  return { kind: 'stored', ...(await postBytes(`${projectAddress(id)}/bytes`, bytes, stored)) };
}
