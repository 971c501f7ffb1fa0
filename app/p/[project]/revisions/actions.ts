'use server';

import { z } from 'zod';
import { action } from '@/app/action';
import { plainName } from '@/app/api/project-bodies';
import { projectId } from '@/app/api/project-id';
import {
  draftBody,
  draftSource,
  releaseBody,
  releaseRequest,
  revisionBody,
  rollBackBody,
  updateBody,
} from '@/app/api/release-bodies';
import { createDraft, deleteDraft, renameDraft, restoreRevision } from '@/lib/server/drafts';
import { readRevisionChanges } from '@/lib/server/review-changes';
import { checkRelease, release, rollBack, saveRevision } from '@/lib/server/revisions';
import { checkRollBack } from '@/lib/server/roll-back';
import { updateFromLive } from '@/lib/server/update-draft';

const inProject = z.strictObject({ project: z.string() });
const name = plainName;
const number = z.int().min(1).max(2_147_483_647);

/** Publishes, or moves another label, and returns the number of the revision. */
export const publish = action(inProject.extend({ request: releaseBody }), async ({ project, request }, actor) => {
  const { revision, isNew } = await release(actor, projectId({ project }), releaseRequest(request));
  return { number: revision.number, isNew };
});

/** Runs the checks that a release would run. */
export const check = action(
  inProject.extend({ label: name, draft: name.optional(), revision: number.optional() }),
  async ({ project, label, draft, revision }, actor) => {
    const target = revision === undefined ? { draft: draft ?? 'main' } : { revision };
    return await checkRelease(actor, projectId({ project }), label, target);
  },
);

/** Says what a roll back would do. */
export const checkBack = action(
  inProject.extend({ label: name }),
  async ({ project, label }, actor) => await checkRollBack(actor, projectId({ project }), { label }),
);

/** Moves a label back, and returns the number of the revision that it names now. */
export const goBack = action(inProject.extend({ request: rollBackBody }), async ({ project, request }, actor) => {
  return (await rollBack(actor, projectId({ project }), request)).revision.number;
});

export const saveAsRevision = action(
  inProject.extend({ request: revisionBody }),
  async ({ project, request }, actor) => {
    const { revision, isNew } = await saveRevision(actor, projectId({ project }), request);
    return { number: revision.number, isNew };
  },
);

/** Gives a draft the files of a revision. Returns the number of the revision that keeps what the draft had, if one was made. */
export const restore = action(
  inProject.extend({ revision: number, draft: name }),
  async ({ project, revision, draft }, actor) => {
    return (await restoreRevision(actor, projectId({ project }), revision, draft)).saved?.number;
  },
);

export const makeDraft = action(inProject.extend({ request: draftBody }), async ({ project, request }, actor) => {
  await createDraft(actor, projectId({ project }), request.name, draftSource(request));
});

export const changeDraftName = action(inProject.extend({ draft: name, name }), async (input, actor) => {
  await renameDraft(actor, projectId(input), input.draft, input.name);
});

/** Brings what is live into a draft, or returns the conflicts. */
export const updateDraft = action(
  inProject.extend({ draft: name, request: updateBody }),
  async ({ project, draft, request }, actor) => await updateFromLive(actor, projectId({ project }), draft, request),
);

/** Deletes a draft. Returns the number of the revision that keeps its files, if one was made. */
export const dropDraft = action(inProject.extend({ draft: name }), async ({ project, draft }, actor) => {
  return (await deleteDraft(actor, projectId({ project }), draft))?.number;
});

/** Says what one revision can do that another could not, and how their files differ. */
export const compare = action(
  inProject.extend({ before: number, after: number }),
  async ({ project, before, after }, actor) => await readRevisionChanges(actor, projectId({ project }), before, after),
);
