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
import { draftLines, type LiveLine } from '@/lib/store/live-line';
import { findProject } from '@/lib/store/projects';
import type { Revision } from '@/lib/store/revisions';
import { withStore, withStoreOnce } from './services';
import { withSnapshot } from './snapshots';
import { summaryKeeper } from './summaries';

/** A draft, and how many revisions went live that it does not have, or were rolled back that it has. */
export interface ListedDraft extends DraftRow {
  readonly behind: number;
}

/** Lists the drafts of a project, `main` first, and compares each with what is live. Throws AppError `not_found`, like all functions below. */
export async function listDrafts(actor: Actor, projectId: ProjectId): Promise<readonly ListedDraft[]> {
  return await withStore(actor, 'project.read', { project: projectId }, async (store) => {
    await findProject(store, projectId);
    const drafts = await findDrafts(store, projectId);
    const lines = await draftLines(store.prisma, projectId);
    return drafts.map((draft) => ({ ...draft, behind: behindLive(draft, lines.get(draft.name)) }));
  });
}

/** Names the drafts of a project, `main` first. */
export async function listDraftNames(actor: Actor, projectId: ProjectId): Promise<readonly string[]> {
  return await withStore(actor, 'project.read', { project: projectId }, async (store) => {
    await findProject(store, projectId);
    return (await findDrafts(store, projectId)).map(({ name }) => name);
  });
}

function behindLive({ treeHash }: DraftRow, line: LiveLine | undefined): number {
  return line === undefined || line.live?.treeHash === treeHash ? 0 : line.missed.length;
}

/**
 * Makes a draft from another one, or from a revision. A draft that was never saved as a revision is saved as one first, so that what both
 * began with is known. Throws AppError `bad_request`, `conflict` and `too_many`.
 */
export async function createDraft(
  actor: Actor,
  projectId: ProjectId,
  name: string,
  from: { readonly draft: string } | { readonly revision: number },
): Promise<void> {
  const checked = checkDraftName(name);
  await withStoreOnce(actor, 'project.edit', { project: projectId }, async ({ store }) => {
    if ('draft' in from && (await readDraftLine(store, projectId, from.draft)).every((id) => id === null)) {
      await withSnapshot(store, projectId, from, (snapshot) =>
        insertDraft(store, projectId, checked, { ...from, snapshot }, actor),
      );
    } else await insertDraft(store, projectId, checked, from, actor);
  });
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
