import type { Actor } from '@/lib/base/actor';
import { AppError } from '@/lib/base/app-error';
import type { ProjectId } from '@/lib/base/ids';
import { draftNameFault } from '@/lib/base/release-names';
import type { Store } from '@/lib/store/database';
import {
  type DraftRow,
  findDrafts,
  insertDraft,
  type Restored,
  readDraftLine,
  removeDraft,
  renameDraft as renameStored,
  restoreRevision as restoreStored,
} from '@/lib/store/drafts';
import { liveLine } from '@/lib/store/live-line';
import { findProject } from '@/lib/store/projects';
import type { Revision } from '@/lib/store/revisions';
import { withStore, withStoreOnce } from './services';
import { withSnapshot } from './snapshots';
import { summaryKeeper } from './summaries';

/** A draft, and how many times something went live that it does not have. */
export interface ListedDraft extends DraftRow {
  readonly behind: number;
}

/** Lists the drafts of a project, `main` first. Throws AppError `not_found`, like all functions below. */
export async function listDrafts(actor: Actor, projectId: ProjectId): Promise<readonly ListedDraft[]> {
  return await withStore(actor, 'project.read', { project: projectId }, async (store) => {
    await findProject(store, projectId);
    const drafts = await findDrafts(store, projectId);
    return await Promise.all(
      drafts.map(async (draft) => ({ ...draft, behind: await behindLive(store, projectId, draft) })),
    );
  });
}

async function behindLive(store: Store, projectId: ProjectId, { name, treeHash }: DraftRow): Promise<number> {
  const { live, missed } = await liveLine(store.prisma, projectId, await readDraftLine(store, projectId, name));
  return live?.treeHash === treeHash ? 0 : missed.length;
}

/** Makes a draft from another one, or from a revision. Throws AppError `bad_request`, `conflict` and `too_many`. */
export async function createDraft(
  actor: Actor,
  projectId: ProjectId,
  name: string,
  from: { readonly draft: string } | { readonly revision: number },
): Promise<void> {
  const checked = checkDraftName(name);
  await withStoreOnce(
    actor,
    'project.edit',
    { project: projectId },
    async ({ store }) => await insertDraft(store, projectId, checked, from),
  );
}

/** Throws AppError `bad_request` and `conflict`. */
export async function renameDraft(actor: Actor, projectId: ProjectId, name: string, to: string): Promise<void> {
  const checked = checkDraftName(to);
  await withStoreOnce(
    actor,
    'project.edit',
    { project: projectId },
    async ({ store }) => await renameStored(store, projectId, name, checked),
  );
}

/** Deletes a draft. Returns the revision that keeps its files, if no revision had them before. Throws AppError `bad_request`. */
export async function deleteDraft(actor: Actor, projectId: ProjectId, name: string): Promise<Revision | undefined> {
  return await withStoreOnce(
    actor,
    'project.edit',
    { project: projectId },
    async ({ store }) =>
      await withSnapshot(store, projectId, { draft: name }, (snapshot) =>
        removeDraft(store, projectId, name, snapshot, actor),
      ),
  );
}

/** Gives a draft the files of a revision. What the draft had is kept as a revision. */
export async function restoreRevision(
  actor: Actor,
  projectId: ProjectId,
  number: number,
  draft: string,
): Promise<Restored> {
  const restored = await withStoreOnce(
    actor,
    'project.edit',
    { project: projectId },
    async ({ store }) =>
      await withSnapshot(store, projectId, { draft }, (snapshot) =>
        restoreStored(store, projectId, { draft, number, snapshot }, actor),
      ),
  );
  summaryKeeper().want(projectId);
  return restored;
}

function checkDraftName(name: string): string {
  const trimmed = name.trim();
  const fault = draftNameFault(trimmed);
  if (fault !== undefined) throw new AppError('bad_request', fault);
  return trimmed;
}
