import type { Issue } from '@/lib/base/issue';
import type { Folder, FolderFile, LoadedFile } from './folder';

const maxPathLength = 512;
/** Common file systems allow this many bytes for a file or folder name. */
const maxNameBytes = 255;

/**
 * Decodes the bytes of a file. Valid UTF-8 without NUL becomes text (a BOM stays as a character), anything else stays bytes.
 * `encodeFile(decodeFile(bytes))` equals `bytes` for every input.
 */
export function decodeFile(bytes: Uint8Array): LoadedFile {
  if (bytes.includes(0)) return { kind: 'binary', bytes };
  try {
    return { kind: 'text', text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch {
    return { kind: 'binary', bytes };
  }
}

/** Throws for a stored file, whose bytes are not in memory. */
export function encodeFile(file: FolderFile): Uint8Array {
  if (file.kind === 'stored') throw new Error(`Bug: the bytes of ${file.hash} are not here`);
  return file.kind === 'binary' ? file.bytes : new TextEncoder().encode(file.text);
}

/** Returns the size in bytes. */
export function fileSize(file: FolderFile): number {
  return file.kind === 'stored' ? file.size : encodeFile(file).length;
}

/** Says why a path is not allowed in a folder. Returns `undefined` when it is allowed. */
export function checkPath(path: string): Issue | undefined {
  const reason = pathFault(path);
  if (reason === undefined) return undefined;
  const shown = JSON.stringify(path.length > 80 ? `${path.slice(0, 80)}…` : path);
  return {
    code: 'bad-path',
    severity: 'error',
    stage: 'callboard',
    file: path,
    line: 1,
    column: 1,
    message: `The path ${shown} ${reason}. Give the file a plain relative path with forward slashes.`,
  };
}

function pathFault(path: string): string | undefined {
  if (path === '') return 'is empty';
  if (path.length > maxPathLength) return `is longer than ${maxPathLength} characters`;
  if (path.includes('\0')) return 'contains a NUL character';
  if (path.includes('\\')) return 'contains a backslash';
  if (path.startsWith('/') || /^[A-Za-z]:/.test(path)) return 'is absolute';
  const parts = path.split('/');
  if (parts.includes('..')) return 'leads out of the folder with ".."';
  if (parts.includes('') || parts.includes('.')) return 'has an empty or "." part';
  const names = new TextEncoder();
  if (parts.some((part) => names.encode(part).length > maxNameBytes)) {
    return `has a name longer than ${maxNameBytes} bytes`;
  }
  return undefined;
}

/** Finds a path that is both a file and the folder of another file, which no disk can hold. */
export function findPathClash(paths: Iterable<string>): string | undefined {
  const files = new Set(paths);
  for (const path of files) {
    for (let end = path.indexOf('/'); end !== -1; end = path.indexOf('/', end + 1)) {
      if (files.has(path.slice(0, end))) return path.slice(0, end);
    }
  }
  return undefined;
}

/** Makes a folder of text files. It does not check the paths, so check untrusted ones with `checkPath` first. */
export function folderOf(record: Readonly<Record<string, string>>): Folder {
  return new Map(Object.entries(record).map(([path, text]) => [path, { kind: 'text', text } as const]));
}
