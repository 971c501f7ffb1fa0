import { setImmediate } from 'node:timers/promises';
import { AppError } from '@/lib/base/app-error';
import type { BlobHash, ProjectId } from '@/lib/base/ids';
import { type GitHash, type GitObject, readCommit } from '@/lib/interop/git/git-object';
import { ancestorsOf } from '@/lib/interop/git/negotiate';
import { folderLimits, packLimits, tooLargeFolder } from '@/lib/server/folders/folder-limits';
import type { Store } from '@/lib/store/database';
import { type GitTree, readGitTrees, storeGitHashes } from '@/lib/store/git/git-files';
import { hashObject } from '@/lib/store/git/hash-object';
import { type History, putCommit } from '@/lib/store/git/history';
import { type Db, putEntries, sizeOfEntries } from '@/lib/store/trees';
import { writing } from '@/lib/store/writing';
import { incomplete, type KnownObjects, type PushedTree, pushedTrees } from './pushed-trees';

interface PushedCommit {
  readonly hash: GitHash;
  readonly body: Uint8Array;
  readonly tree: PushedTree;
}

/**
 * Stores the commits that a push brings for `tip`, with their files. They belong to the history then, but no branch names them yet. All of
 * them are checked, because people who clone get all of them. Throws AppError `bad_request` and `too_large`.
 */
export async function storePushed(
  store: Store,
  project: ProjectId,
  { history, pack, tip }: { history: History; pack: ReadonlyMap<GitHash, GitObject>; tip: GitHash },
): Promise<void> {
  const fresh = newCommits(history, pack, tip);
  if (fresh.length === 0) return;
  const reader = pushedTrees(pack, knownObjects(store, history, fresh));
  for (const { hash, body } of fresh) {
    const { tree: root } = readCommit(body);
    const commit = { hash, body, tree: await reader.read(root) };
    await store.prisma.$transaction((db) => storeCommit(db, project, root, commit), writing);
    await setImmediate();
  }
}

/** Returns the commits that the project does not have yet, parents before their children. */
function newCommits(
  { commits }: History,
  pack: ReadonlyMap<GitHash, GitObject>,
  tip: GitHash,
): readonly { readonly hash: GitHash; readonly body: Uint8Array; readonly parents: readonly GitHash[] }[] {
  const fresh = new Map<GitHash, { hash: GitHash; body: Uint8Array; parents: readonly GitHash[] }>();
  const queue = [tip];
  for (const hash of queue) {
    if (commits.has(hash) || fresh.has(hash)) continue;
    const object = pack.get(hash);
    if (object?.kind === 'tag') throw new AppError('bad_request', 'A branch names commits, not tags. Push a branch.');
    if (object?.kind !== 'commit') throw incomplete();
    const { parents } = readCommit(object.body);
    fresh.set(hash, { hash, body: object.body, parents });
    if (fresh.size > packLimits.commits) {
      throw new AppError(
        'too_large',
        `The push has more than ${packLimits.commits} new commits. Push the first ones, then the others.`,
      );
    }
    queue.push(...parents);
  }
  return parentsFirst(fresh);
}

function parentsFirst<T extends { readonly hash: GitHash; readonly parents: readonly GitHash[] }>(
  fresh: ReadonlyMap<GitHash, T>,
): readonly T[] {
  const sorted = new Set<GitHash>();
  const open = [...fresh.values()];
  while (open.length > 0) {
    const commit = open.at(-1);
    if (commit === undefined) break;
    const before = commit.parents.flatMap((parent) => fresh.get(parent) ?? []).filter(({ hash }) => !sorted.has(hash));
    if (before.length > 0) {
      open.push(...before);
      continue;
    }
    open.pop();
    sorted.add(commit.hash);
  }
  return [...sorted].flatMap((hash) => fresh.get(hash) ?? []);
}

async function storeCommit(db: Db, project: ProjectId, root: GitHash, commit: PushedCommit): Promise<void> {
  const { entries, brought } = commit.tree;
  const treeHash = await putEntries(db, entries, brought);
  if ((await sizeOfEntries(db, entries)) > folderLimits.totalBytes) throw tooLargeFolder();
  await storeGitHashes(
    db,
    [...brought].map(([blob, bytes]) => [blob, hashObject('blob', bytes)] as const),
  );
  const made = (await readGitTrees(db, [treeHash])).get(treeHash);
  // What is served again must be what was pushed.
  if (made?.root !== root) throw incomplete();
  await putCommit(db, project, { ...commit, treeHash, revisionId: undefined });
}

/**
 * Finds objects that a push leaves out because the project has them. The trees of the commits that it continues are looked at first, then
 * all others. Nothing of other projects is found, whatever hash a stranger names.
 */
function knownObjects(
  store: Store,
  { commits }: History,
  fresh: readonly { readonly parents: readonly GitHash[] }[],
): KnownObjects {
  const near = ancestorsOf(
    fresh.flatMap(({ parents }) => parents),
    commits,
  );
  const order = [...new Set([...near, ...commits.keys()])].flatMap((hash) => commits.get(hash)?.treeHash ?? []);
  const waiting = [...new Set(order)];
  const trees = new Map<GitHash, Uint8Array>();
  const blobs = new Map<GitHash, BlobHash>();
  const more = async (): Promise<boolean> => {
    const next = waiting.splice(0, 20);
    for (const tree of (await readGitTrees(store.prisma, next)).values()) learn(tree);
    return next.length > 0;
  };
  const learn = (tree: GitTree) => {
    for (const [hash, body] of tree.bodies) trees.set(hash, body);
    for (const [hash, blob] of tree.blobs) blobs.set(hash, blob);
  };
  return {
    async tree(hash) {
      while (!trees.has(hash) && (await more()));
      return trees.get(hash);
    },
    async blob(hash) {
      while (!blobs.has(hash) && (await more()));
      return blobs.get(hash);
    },
  };
}
