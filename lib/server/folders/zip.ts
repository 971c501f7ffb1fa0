import { crc32, inflateRawSync } from 'node:zlib';
import { Zip, ZipDeflate } from 'fflate';
import { AppError } from '@/lib/base/app-error';
import { encodeFile } from '@/lib/cards/files';
import type { Folder } from '@/lib/cards/folder';
import { folderLimits, tooLargeFile, tooLargeFolder } from './folder-limits';
import { folderFromFiles } from './import-folder';
import { listZip, type ZipEntry, zipData } from './zip-listing';

/** Matches files that tools create. They are left out on import. */
const clutter = /(^|\/)(__MACOSX\/|\.DS_Store$|Thumbs\.db$|\.git\/|node_modules\/|__pycache__\/|\.venv\/)/;

/**
 * Reads a zip as a folder, byte for byte. Sizes are checked before anything is inflated, and inflating stops at the
 * declared size, so a small file cannot become a large one. Throws AppError `bad_request` (damaged, encrypted, bad paths,
 * symbolic links, duplicates) and `too_large`.
 */
export function readZip(bytes: Uint8Array): Folder {
  const entries = listZip(bytes).filter((entry) => !entry.path.endsWith('/') && !clutter.test(entry.path));
  if (entries.length > folderLimits.files) {
    throw new AppError(
      'too_large',
      `The zip has ${entries.length} files; at most ${folderLimits.files} can be imported.`,
    );
  }
  let total = 0;
  for (const entry of entries) {
    if (entry.isLink) {
      throw new AppError('bad_request', `"${entry.path}" is a symbolic link. Put the file itself in the zip.`);
    }
    if (entry.size > folderLimits.fileBytes) throw tooLargeFile(entry.path);
    total += entry.size;
  }
  if (total > folderLimits.totalBytes) throw tooLargeFolder();
  return folderFromFiles(entries.map((entry) => [entry.path, inflate(bytes, entry)]));
}

/** Writes a folder as a zip. Equal folders give equal bytes, independent of the order of files and of the clock. */
export function writeZip(folder: Folder): Uint8Array {
  const parts: Uint8Array[] = [];
  // Files are added one by one, because the library's function for all files takes an object, in which `__proto__` is no
  // ordinary key.
  const zip = new Zip((error, part) => {
    if (error) throw error;
    parts.push(part);
  });
  for (const path of [...folder.keys()].sort()) {
    const file = folder.get(path);
    if (file === undefined) continue;
    const entry = new ZipDeflate(path, { level: 6 });
    entry.mtime = new Date(1980, 0, 1);
    zip.add(entry);
    entry.push(encodeFile(file), true);
  }
  zip.end();
  return new Uint8Array(Buffer.concat(parts));
}

function inflate(zip: Uint8Array, entry: ZipEntry): Uint8Array {
  const data = zipData(zip, entry);
  const bytes = entry.method === 'stored' ? new Uint8Array(data) : inflateDeclared(data, entry);
  if (bytes.length !== entry.size || crc32(bytes) !== entry.crc) throw damaged(entry.path);
  return bytes;
}

function inflateDeclared(data: Uint8Array, entry: ZipEntry): Uint8Array {
  try {
    return new Uint8Array(inflateRawSync(data, { maxOutputLength: Math.max(entry.size, 1) }));
  } catch {
    throw damaged(entry.path);
  }
}

function damaged(path: string): AppError {
  return new AppError('bad_request', `"${path}" is damaged in the zip. Make the zip again.`);
}
