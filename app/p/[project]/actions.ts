'use server';

import { z } from 'zod';
import { action } from '@/app/action';
import { confirmBody, runBody, saveBody } from '@/app/api/project-bodies';
import { projectId } from '@/app/api/project-id';
import { saveFiles } from '@/lib/server/projects';
import { startRun } from '@/lib/server/runs';
import { confirmCapabilities } from '@/lib/server/trust';

/** What the editor of a project changes. */

const project = z.string();

/** Answers the new version. `conflict`: somebody saved since `baseVersion`. */
export const save = action(saveBody.extend({ project }), async ({ project, ...changes }) => {
  return (await saveFiles(projectId({ project }), changes)).version;
});

/** Queues a run of the files as they are saved, and answers its id at once. `not_trusted`: a person must confirm first. */
export const start = action(runBody.extend({ project }), async ({ project, ...input }) => {
  return (await startRun(projectId({ project }), input)).runId;
});

/** Confirms the list of that hash, if it is still the present one. */
export const confirm = action(confirmBody.extend({ project }), async ({ project, hash }) => {
  const { confirmedAt, ...trust } = await confirmCapabilities('local', projectId({ project }), hash);
  return { ...trust, confirmedAt: confirmedAt?.toISOString() };
});
