'use server';

import { z } from 'zod';
import { action } from '@/app/action';
import { projectId } from '@/app/api/project-id';
import { scheduleBody, triggerBody, triggerEdit, triggerId } from '@/app/api/trigger-bodies';
import {
  addTrigger,
  editTrigger,
  readDueTimes,
  removeTrigger,
  renewTriggerSecret,
  runTriggerNow,
} from '@/lib/server/triggers';

const inProject = z.strictObject({ project: z.string() });
const one = inProject.extend({ trigger: z.string() });

/** Makes a trigger. Returns the secret of a webhook, this once. */
export const makeTrigger = action(
  inProject.extend({ request: triggerBody }),
  async ({ project, request }, actor) => await addTrigger(actor, projectId({ project }), request),
);

export const changeTrigger = action(one.extend({ request: triggerEdit }), async ({ request, ...at }, actor) => {
  await editTrigger(actor, projectId(at), triggerId(at), request);
});

export const deleteTrigger = action(one, async (at, actor) => {
  await removeTrigger(actor, projectId(at), triggerId(at));
});

export const renewSecret = action(
  one,
  async (at, actor) => await renewTriggerSecret(actor, projectId(at), triggerId(at)),
);

export const runNow = action(one, async (at, actor) => await runTriggerNow(actor, projectId(at), triggerId(at)));

/** Returns the next due times of a schedule that somebody writes. */
export const dueTimes = action(
  inProject.extend({ schedule: scheduleBody }),
  async ({ project, schedule }, actor) => await readDueTimes(actor, projectId({ project }), schedule),
);
