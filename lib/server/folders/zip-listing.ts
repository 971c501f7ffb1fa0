import { AppError } from '@/lib/base/app-error';

/** A file of a zip as the central directory describes it. The sizes are not trusted until the data has been read. */
export interface ZipEntry {
  readonly path: string;
  readonly method: 'stored' | 'deflated';
  readonly crc: number;
  /** The size in the zip, in bytes. `size` is the size once inflated. */
  readonly packedSize: number;
  readonly size: number;
  readonly isLink: boolean;
  /** The offset of its local header. */
  readonly offset: number;
}

const endSignature = 0x06054b50;
const entrySignature = 0x02014b50;
const localSignature = 0x04034b50;
const longestComment = 65_535;

/** Reads the central directory. Throws AppError `bad_request` for bytes that are no zip, or a zip that is not supported. */
export function listZip(bytes: Uint8Array): readonly ZipEntry[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    return readDirectory(bytes, view);
  } catch (error) {
    if (error instanceof RangeError) throw noZip();
    throw error;
  }
}

/** Returns the packed bytes of an entry. */
export function zipData(bytes: Uint8Array, entry: ZipEntry): Uint8Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (entry.offset + 30 > bytes.length || view.getUint32(entry.offset, true) !== localSignature) throw noZip();
  const start = entry.offset + 30 + view.getUint16(entry.offset + 26, true) + view.getUint16(entry.offset + 28, true);
  if (start + entry.packedSize > bytes.length) throw noZip();
  return bytes.subarray(start, start + entry.packedSize);
}

function readDirectory(bytes: Uint8Array, view: DataView): readonly ZipEntry[] {
  const end = findEnd(view);
  const count = view.getUint16(end + 10, true);
  let at = view.getUint32(end + 16, true);
  if (count === 0xffff || at === 0xffffffff) {
    throw new AppError(
      'too_large',
      'The zip is of the 64-bit kind, for archives far larger than a project. Zip the folder alone.',
    );
  }
  const entries: ZipEntry[] = [];
  for (let index = 0; index < count; index += 1) {
    if (view.getUint32(at, true) !== entrySignature) throw noZip();
    entries.push(readEntry(bytes, view, at));
    at += 46 + view.getUint16(at + 28, true) + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  return entries;
}

function readEntry(bytes: Uint8Array, view: DataView, at: number): ZipEntry {
  const flags = view.getUint16(at + 8, true);
  const method = view.getUint16(at + 10, true);
  const nameBytes = bytes.subarray(at + 46, at + 46 + view.getUint16(at + 28, true));
  const path = decodeName(nameBytes, (flags & 0x800) !== 0);
  if ((flags & 0x1) !== 0)
    throw new AppError('bad_request', `"${path}" is encrypted. Make the zip without a password.`);
  if (method !== 0 && method !== 8) {
    throw new AppError(
      'bad_request',
      `"${path}" uses a compression that Callboard does not support. Use an ordinary zip.`,
    );
  }
  const madeOnUnix = view.getUint8(at + 5) === 3;
  const unixMode = view.getUint32(at + 38, true) >>> 16;
  return {
    path,
    method: method === 0 ? 'stored' : 'deflated',
    crc: view.getUint32(at + 16, true),
    packedSize: view.getUint32(at + 20, true),
    size: view.getUint32(at + 24, true),
    isLink: madeOnUnix && (unixMode & 0o170000) === 0o120000,
    offset: view.getUint32(at + 42, true),
  };
}

/**
 * Decodes a name. Names with the flag are UTF-8, and most others too. Names that are not valid UTF-8 are read as Latin-1.
 */
function decodeName(bytes: Uint8Array, isUtf8: boolean): string {
  try {
    return new TextDecoder('utf-8', { fatal: !isUtf8 }).decode(bytes);
  } catch {
    return new TextDecoder('latin1').decode(bytes);
  }
}

function findEnd(view: DataView): number {
  const lowest = Math.max(0, view.byteLength - 22 - longestComment);
  for (let at = view.byteLength - 22; at >= lowest; at -= 1) {
    if (view.getUint32(at, true) === endSignature) return at;
  }
  throw noZip();
}

function noZip(): AppError {
  return new AppError('bad_request', 'This is not a zip file, or it is damaged. Make it again.');
}
