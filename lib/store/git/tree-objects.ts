import { type GitHash, type GitMode, isGitFolder, type TreeItem, treeBody } from '@/lib/interop/git/git-object';
import { hashObject } from './hash-object';

/** A file as git sees it. */
export interface GitFile {
  readonly hash: GitHash;
  readonly isExecutable: boolean;
}

export interface GitTrees {
  readonly root: GitHash;
  /** The bodies of the root and of each folder. */
  readonly bodies: ReadonlyMap<GitHash, Uint8Array>;
}

interface Branch {
  readonly files: Map<string, GitFile>;
  readonly folders: Map<string, Branch>;
}

/**
 * Makes the trees of a folder: one for each folder in it, with the hashes of what it holds. A path below a folder `.git` is left out,
 * because no git client would write it.
 */
export function gitTrees(files: Iterable<readonly [path: string, file: GitFile]>): GitTrees {
  const top = branch();
  for (const [path, file] of files) {
    const parts = path.split('/');
    if (parts.some(isGitFolder)) continue;
    const name = parts.pop() ?? path;
    let at = top;
    for (const part of parts) {
      const below = at.folders.get(part) ?? branch();
      at.folders.set(part, below);
      at = below;
    }
    at.files.set(name, file);
  }
  const bodies = new Map<GitHash, Uint8Array>();
  return { root: hashBranch(top, bodies), bodies };
}

/** A path has at most 256 folders (lib/cards/files.ts), so the recursion ends. */
function hashBranch({ files, folders }: Branch, bodies: Map<GitHash, Uint8Array>): GitHash {
  const items: TreeItem[] = [];
  for (const [name, { hash, isExecutable }] of files) {
    const mode: GitMode = isExecutable ? '100755' : '100644';
    items.push({ mode, name, hash });
  }
  for (const [name, below] of folders) items.push({ mode: '40000', name, hash: hashBranch(below, bodies) });
  const body = treeBody(items);
  const hash = hashObject('tree', body);
  bodies.set(hash, body);
  return hash;
}

function branch(): Branch {
  return { files: new Map(), folders: new Map() };
}
