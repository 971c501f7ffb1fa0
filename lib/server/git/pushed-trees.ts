import { AppError } from '@/lib/base/app-error';
import type { BlobHash } from '@/lib/base/ids';
import { type GitHash, type GitObject, readTreeBody } from '@/lib/interop/git/git-object';
import { checkFilePath, folderLimits, tooLargeFolder } from '@/lib/server/folders/folder-limits';
import { executable, hashBlobLater, type TreeEntry } from '@/lib/store/hash';

/** What the project has already, for what a push leaves out. */
export interface KnownObjects {
  tree(hash: GitHash): Promise<Uint8Array | undefined>;
  blob(hash: GitHash): Promise<BlobHash | undefined>;
}

/** The files of a pushed commit, sorted by path. */
export interface PushedTree {
  readonly entries: readonly TreeEntry[];
  /** The bytes of those that the push brought. */
  readonly brought: ReadonlyMap<BlobHash, Uint8Array>;
}

export interface TreeReader {
  read(root: GitHash): Promise<PushedTree>;
}

/**
 * Reads the trees of pushed commits as folders of a project, by the rules of an imported zip. Throws AppError `bad_request` and
 * `too_large`. Reading stops at the most files, so a tree that names itself many times over ends there.
 */
export function pushedTrees(pack: ReadonlyMap<GitHash, GitObject>, known: KnownObjects): TreeReader {
  const stored = new Map<GitHash, BlobHash>();

  async function files(hash: GitHash, folder: string, found: Found): Promise<void> {
    const body = bodyOf(pack, hash, 'tree') ?? (await known.tree(hash));
    if (body === undefined) throw incomplete();
    const items = readTreeBody(body, folder);
    if (items.length === 0 && folder !== '') {
      throw new AppError('bad_request', `The folder "${folder}" is empty, and a project keeps files only. Remove it.`);
    }
    for (const { mode, name, hash: below } of items) {
      const path = `${folder}${name}`;
      checkFilePath(path);
      if (mode === '40000') {
        await files(below, `${path}/`, found);
        continue;
      }
      if (found.entries.length >= folderLimits.files) throw tooManyFiles();
      const blob = await blobOf(below, found);
      found.entries.push(mode === executable ? [path, blob, executable] : [path, blob]);
    }
  }

  async function blobOf(hash: GitHash, found: Found): Promise<BlobHash> {
    const bytes = bodyOf(pack, hash, 'blob');
    const before = stored.get(hash);
    const blob = before ?? (bytes === undefined ? await known.blob(hash) : await hashBlobLater(bytes));
    if (blob === undefined) throw incomplete();
    stored.set(hash, blob);
    if (bytes !== undefined) {
      found.brought.set(blob, bytes);
      found.size += bytes.length;
      if (found.size > folderLimits.totalBytes) throw tooLargeFolder();
    }
    return blob;
  }

  return {
    async read(root) {
      const found: Found = { entries: [], brought: new Map(), size: 0 };
      await files(root, '', found);
      checkSpelling(found.entries);
      const entries = found.entries.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
      return { entries, brought: found.brought };
    },
  };
}

interface Found {
  readonly entries: TreeEntry[];
  readonly brought: Map<BlobHash, Uint8Array>;
  /** The bytes of the files that the push brought. */
  size: number;
}

/** Refuses paths that some file systems take for the same one. */
function checkSpelling(entries: readonly TreeEntry[]): void {
  const seen = new Map<string, string>();
  for (const [path] of entries) {
    const parts = path.split('/');
    for (let end = 1; end <= parts.length; end += 1) {
      const at = parts.slice(0, end).join('/');
      const key = at.normalize('NFC').toLowerCase();
      const before = seen.get(key);
      if (before !== undefined && before !== at) {
        throw new AppError(
          'bad_request',
          `"${before}" and "${at}" differ only in capital letters or accents, and are one on many machines. Rename one.`,
        );
      }
      seen.set(key, at);
    }
  }
}

function bodyOf(pack: ReadonlyMap<GitHash, GitObject>, hash: GitHash, kind: GitObject['kind']): Uint8Array | undefined {
  const object = pack.get(hash);
  return object?.kind === kind ? object.body : undefined;
}

function tooManyFiles(): AppError {
  return new AppError(
    'too_large',
    `A commit has more than ${folderLimits.files} files. Leave out what is not part of it.`,
  );
}

export function incomplete(): AppError {
  return new AppError('bad_request', 'The push lacks objects that its commits name. Fetch, then push again.');
}
