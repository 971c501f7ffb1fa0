/** A row of the list of files: a folder, or a file in an open folder. */
export interface FileTreeRow {
  readonly kind: 'folder' | 'file';
  readonly path: string;
  /** The last part of the path. */
  readonly name: string;
  /** The number of folders around it. */
  readonly depth: number;
  /** The number of files below a folder. */
  readonly count: number;
}

/**
 * Returns the rows of a tree of files: folders before files, each by name. Folders exist because files are in them; `empty`
 * names others, which were made and have no file yet. What is in a closed folder is left out.
 */
export function fileTree(
  paths: Iterable<string>,
  empty: Iterable<string> = [],
  closed: ReadonlySet<string> = new Set(),
): readonly FileTreeRow[] {
  const root: Branch = { folders: new Map(), files: [], count: 0 };
  for (const folder of empty) branchAt(root, folder.split('/'), 0);
  for (const path of paths) {
    const parts = path.split('/');
    branchAt(root, parts.slice(0, -1), 1).files.push(parts.at(-1) ?? path);
  }
  const rows: FileTreeRow[] = [];
  addRows(rows, root, '', 0, closed);
  return rows;
}

/** Returns the path of a file or folder in another folder. The folder `''` is the top. */
export function pathIn(folder: string, path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return folder === '' ? name : `${folder}/${name}`;
}

/** Returns the new path of each file of a folder that gets another path. */
export function folderMoves(paths: Iterable<string>, from: string, to: string): ReadonlyMap<string, string> {
  const below = [...paths].filter((path) => path.startsWith(`${from}/`));
  return new Map(below.map((path) => [path, to + path.slice(from.length)]));
}

interface Branch {
  readonly folders: Map<string, Branch>;
  readonly files: string[];
  count: number;
}

function branchAt(root: Branch, parts: readonly string[], added: number): Branch {
  let branch = root;
  branch.count += added;
  for (const part of parts) {
    const next = branch.folders.get(part) ?? { folders: new Map(), files: [], count: 0 };
    branch.folders.set(part, next);
    next.count += added;
    branch = next;
  }
  return branch;
}

function addRows(
  rows: FileTreeRow[],
  branch: Branch,
  around: string,
  depth: number,
  closed: ReadonlySet<string>,
): void {
  for (const [name, below] of [...branch.folders].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const path = around + name;
    rows.push({ kind: 'folder', path, name, depth, count: below.count });
    if (!closed.has(path)) addRows(rows, below, `${path}/`, depth + 1, closed);
  }
  for (const name of branch.files.sort()) rows.push({ kind: 'file', path: around + name, name, depth, count: 0 });
}
