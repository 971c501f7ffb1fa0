'use server';

import { z } from 'zod';
import { action } from '@/app/action';
import { mirrorBody } from '@/app/api/mirror-bodies';
import { projectId } from '@/app/api/project-id';
import { forgetMirror, pushMirror, readMirror, setMirror } from '@/lib/server/mirror';
import { readSecretNames } from '@/lib/server/secrets';

const inProject = z.strictObject({ project: z.string() });

/** Returns the mirror of a project, or null. */
export const loadMirror = action(inProject, async (input, actor) => await readMirror(actor, projectId(input)));

/** Lists the names of the project's own secrets, one of which has the token of a mirror. */
export const mirrorSecrets = action(inProject, async (input, actor) => await readSecretNames(actor, projectId(input)));

export const saveMirror = action(
  inProject.extend({ mirror: mirrorBody }),
  async ({ project, mirror }, actor) => await setMirror(actor, projectId({ project }), mirror),
);

export const dropMirror = action(inProject, async (input, actor) => await forgetMirror(actor, projectId(input)));

/** Has a worker push now. */
export const pushNow = action(inProject, async (input, actor) => await pushMirror(actor, projectId(input)));
