import { AppError } from '@/lib/base/app-error';
import type { ProjectId, TreeHash } from '@/lib/base/ids';
import type { Store } from '@/lib/store/database';
import { mainDraft } from '@/lib/store/draft-lock';
import { hasDraft } from '@/lib/store/drafts';
import { findOwnTree } from '@/lib/store/own-trees';
import { findProject, findProjectToRun, type LiveRevision, type ProjectRow } from '@/lib/store/projects';
import { findLabelled, liveLabel } from '@/lib/store/releases';
import { findRevision } from '@/lib/store/revisions';
import type { RunDetail } from '@/lib/store/runs';

/** What a run is to be a run of. At most one is given; without any it is live, or the draft of a project without a published revision. */
export interface RunTarget {
  readonly revision?: number | undefined;
  readonly label?: string | undefined;
  readonly draft?: string | undefined;
}

/** Files that are asked about: as for a run, or the files themselves. */
export interface FilesTarget extends RunTarget {
  /** The hash of a tree that a draft, a revision or a run of the project has. A refused start names it. */
  readonly files?: string | undefined;
}

/** The files that a run gets, and what they are called. */
export interface RunSource {
  readonly treeHash: TreeHash;
  readonly revision?: { readonly id: string; readonly number: number } | undefined;
  /** The label by which the revision was chosen. */
  readonly label?: string | undefined;
  readonly draft?: string | undefined;
}

/** What a caller is told of the files of a run. */
export interface NamedSource {
  readonly revision: number | null;
  readonly label: string | null;
  readonly draft: string | null;
  /** Set where nothing is published, so that the caller knows why a draft ran. */
  readonly note?: string;
}

/** Finds the files for a run. Throws AppError `bad_request` and `not_found`. */
export async function findSource(
  store: Store,
  projectId: ProjectId,
  target: RunTarget,
): Promise<{ readonly project: ProjectRow; readonly source: RunSource }> {
  const { revision, label, draft } = target;
  if ([revision, label, draft].filter((one) => one !== undefined).length > 1) {
    throw new AppError('bad_request', 'Give one of "revision", "label" and "draft", or none of them.');
  }
  if (revision === undefined && label === undefined && draft === undefined) {
    const { project, live } = await findProjectToRun(store, projectId);
    const { treeHash } = project;
    return { project, source: live ? ofLive(live) : { treeHash, draft: project.draft } };
  }
  const project = await findProject(store, projectId, draft ?? mainDraft);
  if (draft !== undefined) return { project, source: { treeHash: project.treeHash, draft: project.draft } };
  const found =
    label === undefined
      ? await findRevision(store, projectId, revision ?? 0)
      : await findLabelled(store, projectId, label);
  const { id, number, treeHash } = found;
  return { project, source: { treeHash, revision: { id, number }, label } };
}

/** Returns the project with the files that are asked about; without a choice those of `main`. Throws AppError `bad_request` and `not_found`. */
export async function findFiles(
  store: Store,
  projectId: ProjectId,
  { files, ...target }: FilesTarget = {},
): Promise<ProjectRow> {
  const isChosen = Object.values(target).some((one) => one !== undefined);
  if (files === undefined) {
    const { project, source } = await findSource(store, projectId, isChosen ? target : { draft: mainDraft });
    return { ...project, treeHash: source.treeHash };
  }
  if (isChosen) {
    throw new AppError('bad_request', 'Give one of "files", "revision", "label" and "draft", or none of them.');
  }
  const project = await findProject(store, projectId);
  const treeHash = await findOwnTree(store, projectId, files);
  if (treeHash === undefined) {
    throw new AppError('not_found', 'Nothing of this project has these files by now. Load the page again.');
  }
  return { ...project, treeHash };
}

function ofLive({ id, number, treeHash }: LiveRevision): RunSource {
  return { treeHash, revision: { id, number }, label: liveLabel };
}

/** Tells a caller what runs. `isChosen`: the caller named it. */
export function nameSource({ revision, label, draft }: RunSource, isChosen: boolean): NamedSource {
  const named = { revision: revision?.number ?? null, label: label ?? null, draft: draft ?? null };
  if (isChosen || draft === undefined) return named;
  return { ...named, note: `Nothing of this project is published, so the run has the files of its draft '${draft}'.` };
}

/** Returns the draft that a run is made again with: the one that the old run had, if it still exists, else `main`. */
export async function draftLike(store: Store, { projectId, draft }: RunDetail): Promise<{ readonly draft: string }> {
  const name = draft ?? mainDraft;
  return { draft: (await hasDraft(store, projectId, name)) ? name : mainDraft };
}

/** The files that a run was started with. A revision that they are of is named. */
export async function recordedSource(store: Store, old: RunDetail): Promise<RunSource> {
  const { treeHash, label, draft, projectId, revision } = old;
  const found = revision === undefined ? undefined : await findRevision(store, projectId, revision);
  return { treeHash, label, draft, revision: found && { id: found.id, number: found.number } };
}
