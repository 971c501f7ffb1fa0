import type { Actor } from '@/lib/base/actor';
import { AppError } from '@/lib/base/app-error';
import type { ProjectId } from '@/lib/base/ids';
import type { GitHash } from '@/lib/interop/git/git-object';
import { ancestorsOf } from '@/lib/interop/git/negotiate';
import type { Store } from '@/lib/store/database';
import { lockDraft, lockProject } from '@/lib/store/draft-lock';
import { noteSaver } from '@/lib/store/draft-savers';
import { mostDrafts } from '@/lib/store/drafts';
import { keepTree } from '@/lib/store/own-blobs';
import { type Revision, revisionOfDraft, type Snapshot } from '@/lib/store/revisions';
import type { Db } from '@/lib/store/trees';
import { writing } from '@/lib/store/writing';
import { type History, lockHistory, putCommit, readCommitBodies } from './history';

/** A push moves a draft. */
export interface DraftPush {
  readonly draft: string;
  /** Where the client saw the branch. `undefined` for one that was not there. */
  readonly before: GitHash | undefined;
  readonly after: GitHash;
  /** The tree of `after`, and what a review of it covers. */
  readonly snapshot: Snapshot;
  readonly message: string;
}

/**
 * Moves a draft to a pushed commit, or makes the draft, and returns its revision. Nothing that only the draft has is lost: throws AppError
 * `conflict` if it has changes that no revision has, if it moved meanwhile, and if somebody else's revision would be left out.
 */
export async function moveDraft(store: Store, projectId: ProjectId, push: DraftPush, actor: Actor): Promise<Revision> {
  return await store.prisma.$transaction(async (db) => {
    const history = await lockHistory(db, projectId);
    const isThere = (await db.draft.count({ where: { projectId, name: push.draft } })) > 0;
    const base = baseOf(history, push.after);
    if (!isThere) await makeDraft(db, projectId, push, base);
    const draft = await lockDraft(db, projectId, push.draft);
    await lockProject(db, projectId);
    if (isThere) {
      checkPlace(history, push);
      await checkSaved(db, draft);
      await checkForward(db, history, push, actor);
    }
    // Who saved in the editor has no part in what is pushed.
    const moved = {
      ...draft,
      treeHash: push.snapshot.treeHash,
      baseId: base ?? null,
      savedVersion: draft.version,
    };
    const { revision, isNew } = await revisionOfDraft(db, projectId, { ...push, draft: moved }, actor);
    await keepTree(db, projectId, draft.treeHash);
    const where = { projectId_name: { projectId, name: push.draft } };
    const [version, updatedAt] = [draft.version + 1, new Date()];
    await db.draft.update({
      where,
      data: { treeHash: push.snapshot.treeHash, baseId: revision.id, version, savedVersion: version, updatedAt },
    });
    await db.project.update({ where: { id: projectId }, data: { updatedAt } });
    await noteSaver(db, projectId, { draft: push.draft, version }, actor.by);
    await nameCommit(db, projectId, push, { revision, isNew });
    return revision;
  }, writing);
}

/** Gives a new revision its commit. For one that was there, says that the draft is at another commit. */
async function nameCommit(
  db: Db,
  projectId: ProjectId,
  { draft, after, snapshot }: DraftPush,
  { revision, isNew }: { readonly revision: Revision; readonly isNew: boolean },
): Promise<void> {
  const body = (await readCommitBodies(db, projectId, [after])).get(after);
  if (body === undefined) throw new Error(`Bug: commit ${after} is missing`);
  const commit = await db.gitCommit.findUnique({ where: { projectId_hash: { projectId, hash: after } } });
  if (isNew && commit?.revisionId === null) {
    await putCommit(db, projectId, { hash: after, body, treeHash: snapshot.treeHash, revisionId: revision.id });
  }
  await db.gitHead.deleteMany({ where: { projectId, draft } });
  await db.gitHead.create({ data: { projectId, draft, hash: after, revisionId: revision.id } });
}

/** Finds the revision of a commit, or of its nearest ancestor that has one. */
function baseOf({ commits }: History, hash: GitHash): string | undefined {
  for (const each of ancestorsOf([hash], commits)) {
    const id = commits.get(each)?.revisionId;
    if (id !== undefined) return id;
  }
  return undefined;
}

async function makeDraft(db: Db, projectId: ProjectId, push: DraftPush, base: string | undefined): Promise<void> {
  if (push.before !== undefined)
    throw new AppError('conflict', `there is no draft '${push.draft}' any more. Fetch first`);
  // Drafts that are made at the same time, here and in the editor, are counted one after another.
  await lockProject(db, projectId);
  if ((await db.draft.count({ where: { projectId } })) >= mostDrafts) {
    throw new AppError('too_many', `a project has at most ${mostDrafts} drafts. Delete one`);
  }
  const { treeHash } = push.snapshot;
  await db.draft.create({ data: { projectId, name: push.draft, treeHash, baseId: base ?? null } });
}

function checkPlace({ refs }: History, { draft, before }: DraftPush): void {
  const now = refs.find(({ name }) => name === `refs/heads/draft/${draft}`)?.hash;
  if (now !== before) throw new AppError('conflict', `the draft '${draft}' has moved on. Fetch first`);
}

async function checkSaved(
  db: Db,
  { name, treeHash, baseId }: { readonly name: string; readonly treeHash: string; readonly baseId: string | null },
): Promise<void> {
  const base = baseId === null ? null : await db.revision.findUnique({ where: { id: baseId } });
  if (base?.treeHash === treeHash) return;
  throw new AppError(
    'conflict',
    `the draft '${name}' has changes in the editor that no revision has. Save a revision there, then pull`,
  );
}

/** A person may leave out their own last revision of the draft, but not that of somebody else. The revision itself stays in any case. */
async function checkForward(
  db: Db,
  history: History,
  { draft, before, after }: DraftPush,
  actor: Actor,
): Promise<void> {
  if (before === undefined || ancestorsOf([after], history.commits).has(before)) return;
  const left = history.commits.get(before)?.revisionId;
  const revision = left === undefined ? null : await db.revision.findUnique({ where: { id: left } });
  if (revision === null || revision.author === actor.by) return;
  throw new AppError(
    'conflict',
    `the last revision of the draft '${draft}' is by ${revision.author}. Pull and merge it instead of leaving it out`,
  );
}
