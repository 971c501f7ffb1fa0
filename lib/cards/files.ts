import type { Issue } from '@/lib/base/issue';
import type { Folder, FolderFile, LoadedFile } from './folder';

const maxPathLength = 512;
/** Bytes of one file or folder name, as file systems have it. */
const maxNameBytes = 255;

/**
 * Bytes → what the folder keeps. Valid UTF-8 without NUL is text (a BOM stays as its character); all else stays bytes.
 * `encodeFile(decodeFile(bytes))` is `bytes` for every input.
 */
export function decodeFile(bytes: Uint8Array): LoadedFile {
  if (bytes.includes(0)) return { kind: 'binary', bytes };
  try {
    return { kind: 'text', text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch {
    return { kind: 'binary', bytes };
  }
}

/** Throws for a file whose bytes are elsewhere: such a folder is only looked at. */
export function encodeFile(file: FolderFile): Uint8Array {
  if (file.kind === 'stored') throw new Error(`Bug: the bytes of ${file.hash} are not here`);
  return file.kind === 'binary' ? file.bytes : new TextEncoder().encode(file.text);
}

/** In bytes. */
export function fileSize(file: FolderFile): number {
  return file.kind === 'stored' ? file.size : encodeFile(file).length;
}

/** Says why a path cannot be part of a folder; undefined when it can. */
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

/** A path that is a file and, for another file, a folder; no disk can hold both. */
export function findPathClash(paths: Iterable<string>): string | undefined {
  const files = new Set(paths);
  for (const path of files) {
    for (let end = path.indexOf('/'); end !== -1; end = path.indexOf('/', end + 1)) {
      if (files.has(path.slice(0, end))) return path.slice(0, end);
    }
  }
  return undefined;
}

/** A folder of text files. Paths are taken as given: check them first where they come from outside. */
export function folderOf(record: Readonly<Record<string, string>>): Folder {
  return new Map(Object.entries(record).map(([path, text]) => [path, { kind: 'text', text } as const]));
}
