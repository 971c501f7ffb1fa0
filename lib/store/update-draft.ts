import type { Actor } from '@/lib/base/actor';
import type { ProjectId, TreeHash } from '@/lib/base/ids';
import type { Store } from './database';
import { lockDraft, lockProject } from './draft-lock';
import { noteSaver } from './draft-savers';
import type { LiveRevision } from './live-line';
import { keepTree } from './own-blobs';
import { type DraftLimits, type FileChange, type FileModes, putChangedTree } from './projects';
import { currentOf, liveLabel } from './releases';
import { moved } from './revisions';
import { readEntries, type TreeEntries } from './trees';
import { writing } from './writing';

/** The changes that bring what is live into a draft. */
interface LiveUpdate {
  readonly draft: string;
  /** The version of the draft that was compared. */
  readonly version: number;
  readonly live: LiveRevision;
  /** What the draft and the live revision began from. `undefined` for nothing. */
  readonly base: TreeHash | undefined;
  readonly changes: readonly FileChange[];
  readonly limits: DraftLimits;
}

/**
 * Saves what a draft got from live, notes that the draft has that revision, and returns the version. A draft that had all of it keeps its
 * version. Returns `moved` if the draft was saved or live moved since they were compared. Throws AppError like `saveDraft`.
 */
export async function saveLiveUpdate(
  store: Store,
  projectId: ProjectId,
  update: LiveUpdate,
  actor: Actor,
): Promise<number | typeof moved> {
  return await store.prisma.$transaction(async (db) => {
    const draft = await lockDraft(db, projectId, update.draft);
    await lockProject(db, projectId);
    const now = await currentOf(db, projectId, liveLabel);
    if (draft.version !== update.version || now?.revision !== update.live.number) return moved;
    const base = update.base === undefined ? [] : await readEntries(db, update.base);
    const mine = await readEntries(db, draft.treeHash);
    const modes = mergedModes(base, mine, await readEntries(db, update.live.treeHash));
    const treeHash = await putChangedTree(db, projectId, draft.treeHash, { ...update, modes });
    const isSame = treeHash === draft.treeHash;
    const version = isSame ? draft.version : draft.version + 1;
    const updatedAt = new Date();
    const where = { projectId_name: { projectId, name: draft.name } };
    const data = { mergedId: update.live.id, ...(!isSame && { treeHash, version, updatedAt }) };
    await db.draft.update({ where, data });
    if (isSame) return version;
    // An open editor may undo what the update removed.
    await keepTree(db, projectId, draft.treeHash);
    await db.project.update({ where: { id: projectId }, data: { updatedAt } });
    await noteSaver(db, projectId, { draft: draft.name, version }, actor.by);
    return version;
  }, writing);
}

/** Each file may be executed as the side says that changed it. */
function mergedModes(base: TreeEntries, mine: TreeEntries, theirs: TreeEntries): FileModes {
  const [was, my, their] = [modesOf(base), modesOf(mine), modesOf(theirs)];
  const isTheirs = (path: string) =>
    !my.has(path) || (was.has(path) && their.has(path) && my.get(path) === was.get(path));
  return new Map([...their, ...my].map(([path]) => [path, (isTheirs(path) ? their : my).get(path)]));
}

function modesOf(entries: TreeEntries): FileModes {
  return new Map(entries.map(([path, , mode]) => [path, mode]));
}
