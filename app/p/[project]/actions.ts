'use server';

import { z } from 'zod';
import { action } from '@/app/action';
import { confirmBody, runBody, runInput, saveBody, taskBody } from '@/app/api/project-bodies';
import { projectId } from '@/app/api/project-id';
import { serverNews } from '@/app/api/server-news';
import { taskId } from '@/app/api/task-id';
import { learnServers } from '@/lib/server/known-servers';
import { saveFiles } from '@/lib/server/projects';
import { startRun } from '@/lib/server/runs';
import { startTask, stopTask } from '@/lib/server/tasks';
import { confirmCapabilities, type ProjectTrust } from '@/lib/server/trust';

/** The changes that the editor of a project makes. */

const project = z.string();

/** Saves files and returns the new version. `conflict` means that somebody saved since `baseVersion`. */
export const save = action(saveBody.extend({ project }), async ({ project, ...changes }, actor) => {
  return (await saveFiles(actor, projectId({ project }), changes)).version;
});

/**
 * Queues a run of the saved files and returns its id without waiting for it. `not_trusted` means that a person must confirm
 * first.
 */
export const start = action(runBody.extend({ project }), async ({ project, ...input }, actor) => {
  return (await startRun(actor, projectId({ project }), runInput(input))).runId;
});

/**
 * Asks a worker to probe a server, or to try hooks or a tool, and returns the id of the task without waiting for it. `not_trusted` means
 * that a person must confirm first.
 */
export const beginTask = action(taskBody.extend({ project }), async ({ project, ...input }, actor) => {
  return await startTask(actor, projectId({ project }), input);
});

/** Asks for a stop. Does nothing for a task that has ended. */
export const endTask = action(z.strictObject({ task: z.string() }), async ({ task }, actor) => {
  await stopTask(actor, taskId({ task }));
});

/** Keeps what this editor found out about servers, for every person, and returns what is known then. */
export const tellServers = action(z.strictObject({ project, news: serverNews }), async ({ project, news }, actor) => {
  return await learnServers(actor, projectId({ project }), news);
});

/** Confirms the list with this hash, if it is still the current one. */
export const confirm = action(confirmBody.extend({ project }), async ({ project, hash }, actor) => {
  return sent(await confirmCapabilities(actor, projectId({ project }), hash));
});

function sent({ confirmedAt, ...trust }: ProjectTrust) {
  return { ...trust, confirmedAt: confirmedAt?.toISOString() };
}
