import { z } from 'zod';
import { recordOf } from '@/lib/base/record-of';
import type { Folder, FolderFile } from '@/lib/cards/folder';

/** A file as it is sent to the editor and back: its text, or the hash of bytes that stay on the server. */
export type WireFile =
  | { readonly path: string; readonly text: string }
  | { readonly path: string; readonly hash: string; readonly size: number };

export function wireFilesOf(folder: Folder): WireFile[] {
  return [...folder].map(([path, file]) => {
    if (file.kind === 'text') return { path, text: file.text };
    if (file.kind === 'stored') return { path, hash: file.hash, size: file.size };
    throw new Error(`Bug: the bytes of ${path} were about to be sent to an editor`);
  });
}

export function folderOfFiles(files: readonly WireFile[]): Folder {
  return new Map(files.map((file) => [file.path, fileOf(file)]));
}

function fileOf(file: WireFile): FolderFile {
  return 'text' in file ? { kind: 'text', text: file.text } : { kind: 'stored', hash: file.hash, size: file.size };
}

/** The answer to `GET …/files?binary=hash` (docs/http-api.md). */
export const filesBody = z.object({
  version: z.number(),
  savedBy: z.object({ names: z.array(z.string()), you: z.boolean() }).optional(),
  files: recordOf(z.union([z.string(), z.object({ hash: z.string(), size: z.number() })])),
});

export function folderOfBody({ files }: z.infer<typeof filesBody>): Folder {
  return folderOfFiles(
    Object.entries(files).map(([path, file]) => (typeof file === 'string' ? { path, text: file } : { path, ...file })),
  );
}
