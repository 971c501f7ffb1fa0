import { isInProgramHome } from '@/lib/cards/dialects/homes';
import { isLeftOut } from '@/lib/cards/left-out';

/** A file of a folder that is about to be imported. In the browser `F` is `File`. */
export interface SourceFile<F> {
  readonly path: string;
  readonly file: F;
}

export interface Source<F> {
  /** The folder's own name, if everything is in one folder. */
  readonly name: string | undefined;
  /** Files sorted by path. */
  readonly files: readonly SourceFile<F>[];
  /** Folders that are never part of a project, with the number of their files, so that the dialog can name them. */
  readonly leftOut: readonly string[];
}

/** The part of the browser's FileSystemEntry through which a dropped folder is read. */
export interface DroppedEntry<F> {
  readonly isDirectory: boolean;
  readonly name: string;
  file?(done: (file: F) => void, failed: (error: unknown) => void): void;
  createReader?(): {
    readEntries(done: (entries: readonly DroppedEntry<F>[]) => void, failed: (error: unknown) => void): void;
  };
}

/**
 * Reads all files of dropped entries. One dropped folder becomes the root and gives its name; several entries, and
 * the folder of a program in a project (`.fast-agent`, `.claude`), keep their names. Rejects when the browser cannot read one of them.
 */
export async function readDropped<F>(entries: readonly DroppedEntry<F>[]): Promise<Source<F>> {
  const files: SourceFile<F>[] = [];
  const leftOut = new Set<string>();
  const visit = async (entry: DroppedEntry<F>, path: string): Promise<void> => {
    if (isLeftOut(path, entry.isDirectory)) {
      leftOut.add(entry.isDirectory ? `${path}/` : path);
      return;
    }
    if (!entry.isDirectory) {
      files.push({ path, file: await openFile(entry) });
      return;
    }
    for (const child of await listFolder(entry)) await visit(child, path === '' ? child.name : `${path}/${child.name}`);
  };
  const [only] = entries;
  const root = entries.length === 1 && only?.isDirectory && !isInProgramHome(only.name) ? only : undefined;
  if (root) for (const child of await listFolder(root)) await visit(child, child.name);
  else for (const entry of entries) await visit(entry, entry.name);
  return { name: root?.name, files: sorted(files), leftOut: [...leftOut].sort() };
}

function openFile<F>(entry: DroppedEntry<F>): Promise<F> {
  return new Promise((resolve, reject) => entry.file?.(resolve, reject));
}

/** Lists a folder. A reader returns it in portions (100 in Chromium), and an empty one at the end. */
async function listFolder<F>(entry: DroppedEntry<F>): Promise<readonly DroppedEntry<F>[]> {
  const reader = entry.createReader?.();
  if (!reader) return [];
  const all: DroppedEntry<F>[] = [];
  for (;;) {
    const portion = await new Promise<readonly DroppedEntry<F>[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (portion.length === 0) return all;
    all.push(...portion);
  }
}

/** Returns the files of a picker. They have `webkitRelativePath` when a folder was picked, otherwise only a name. */
export function readPicked<F extends { readonly name: string; readonly webkitRelativePath: string }>(
  picked: readonly F[],
): Source<F> {
  const leftOut = new Set<string>();
  const files: SourceFile<F>[] = [];
  let name: string | undefined;
  for (const file of picked) {
    const [top, ...rest] = file.webkitRelativePath.split('/');
    const isKept = top !== undefined && rest.length > 0 && isInProgramHome(top);
    if (rest.length > 0 && !isKept) name = top;
    const parts = isKept ? [top, ...rest] : rest.length > 0 ? rest : [file.name];
    const out = parts.findIndex((_, at) => isLeftOut(parts.slice(0, at + 1).join('/'), at < parts.length - 1));
    if (out === -1) files.push({ path: parts.join('/'), file });
    else leftOut.add(`${parts.slice(0, out + 1).join('/')}${out < parts.length - 1 ? '/' : ''}`);
  }
  return { name, files: sorted(files), leftOut: [...leftOut].sort() };
}

function sorted<F>(files: readonly SourceFile<F>[]): readonly SourceFile<F>[] {
  return [...files].sort((a, b) => (a.path < b.path ? -1 : 1));
}
