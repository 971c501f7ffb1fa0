'use server';

import { z } from 'zod';
import { action } from '@/app/action';
import { pinBody, runBody } from '@/app/api/project-bodies';
import { projectId } from '@/app/api/project-id';
import { runId } from '@/app/api/run-id';
import { pinResult, removePin } from '@/lib/server/pins';
import { startRun, stopRun } from '@/lib/server/runs';

/** Asks for a stop and does not wait for it. The run ends `cancelled` within seconds. */
export const stop = action(z.strictObject({ run: z.string() }), async (input, actor) => {
  await stopRun(actor, runId(input));
});

const project = z.string();

/** Queues a run that takes something from another one, and returns its id. `not_trusted` means that a person must confirm first. */
export const startAgain = action(
  runBody.pick({ again: true }).extend({ project }),
  async ({ project, again }, actor) => {
    return (await startRun(actor, projectId({ project }), { again })).runId;
  },
);

/** Pins the result of a recorded tool call for the next runs of the project. */
export const pin = action(pinBody.extend({ project }), async ({ project, ...input }, actor) => {
  await pinResult(actor, projectId({ project }), input);
});

export const unpin = action(z.strictObject({ project, pin: z.string() }), async ({ project, pin }, actor) => {
  await removePin(actor, projectId({ project }), pin);
});
