'use server';

import { z } from 'zod';
import { blankProject } from '@/lib/server/blank-project';
import { installationFor } from '@/lib/server/installation';
import { createProject, deleteProject, openProject, renameProject } from '@/lib/server/projects';
import { sampleTrust } from '@/lib/server/sample-trust';
import { readSample } from '@/lib/server/samples';
import { action } from './action';
import { projectId } from './api/project-id';
import { projectName } from './api/read-import';

/**
 * The changes of the Projects page are server actions. Only imports use the HTTP API, because an action cannot report how
 * much was sent.
 */

const project = z.strictObject({ project: z.string() });

/** Creates a project and returns its id, like every action here that creates one. */
export const createBlank = action(z.strictObject({ name: projectName }), async ({ name }, actor) => {
  return (
    await createProject(actor, {
      name,
      folder: blankProject((await installationFor()).models),
      trust: { origin: 'blank' },
    })
  ).id;
});

export const createFromSample = action(
  z.strictObject({ sample: z.string(), name: projectName.optional() }),
  async ({ sample, name }, actor) => {
    const { title, folder } = await readSample(sample);
    return (await createProject(actor, { name: name ?? title, folder, trust: sampleTrust(folder) })).id;
  },
);

/** Creates a project with the same files. It is trusted as the original is. Runs stay with the original. */
export const duplicate = action(project, async (input, actor) => {
  const original = projectId(input);
  const { name, folder } = await openProject(actor, original);
  return (await createProject(actor, { name: `${name.slice(0, 190)} (copy)`, folder, trust: { copyOf: original } })).id;
});

export const rename = action(project.extend({ name: projectName }), async ({ name, ...input }, actor) => {
  await renameProject(actor, projectId(input), name);
});

export const remove = action(project, async (input, actor) => {
  await deleteProject(actor, projectId(input));
});
