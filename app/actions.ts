'use server';

import { z } from 'zod';
import { blankProject } from '@/lib/server/blank-project';
import { createProject, deleteProject, openProject, renameProject } from '@/lib/server/projects';
import { sampleTrust } from '@/lib/server/sample-trust';
import { readSample } from '@/lib/server/samples';
import { action } from './action';
import { projectId } from './api/project-id';
import { projectName } from './api/read-import';

/** What the Projects page changes. Imports go over the HTTP API: an action tells nothing of how much was sent. */

const project = z.strictObject({ project: z.string() });

/** Answers the new project's id, as all that make one. */
export const createBlank = action(z.strictObject({ name: projectName }), async ({ name }) => {
  return (await createProject({ name, folder: blankProject, trust: { origin: 'blank' } })).id;
});

export const createFromSample = action(
  z.strictObject({ sample: z.string(), name: projectName.optional() }),
  async ({ sample, name }) => {
    const { title, folder } = await readSample(sample);
    return (await createProject({ name: name ?? title, folder, trust: sampleTrust(folder) })).id;
  },
);

/** A project with the same files, trusted as the original is. Runs stay with the original. */
export const duplicate = action(project, async (input) => {
  const original = projectId(input);
  const { name, folder } = await openProject(original);
  return (await createProject({ name: `${name.slice(0, 190)} (copy)`, folder, trust: { copyOf: original } })).id;
});

export const rename = action(project.extend({ name: projectName }), async ({ name, ...input }) => {
  await renameProject(projectId(input), name);
});

export const remove = action(project, async (input) => {
  await deleteProject(projectId(input));
});
