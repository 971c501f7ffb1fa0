'use server';

import { z } from 'zod';
import { action } from '@/app/action';
import { projectId } from '@/app/api/project-id';
import {
  addMail,
  addWebhook,
  readNotifications,
  removeTarget,
  renewSecret,
  testTarget,
} from '@/lib/server/notifications';

const project = z.string().optional();
const projectOf = (id: string | undefined) => (id === undefined ? undefined : projectId({ project: id }));
const target = z.strictObject({ id: z.string().max(100) });

export const readTargets = action(z.strictObject({}), async (_input, actor) => await readNotifications(actor));

/** Returns the secret of the new webhook. It is not shown again. */
export const createWebhook = action(z.strictObject({ url: z.string().max(2_000), project }), async (input, actor) => {
  return await addWebhook(actor, { url: input.url, project: projectOf(input.project) });
});

const mail = z.strictObject({ address: z.string().max(300), project, mayAnswer: z.boolean() });
export const createMail = action(mail, async ({ address, mayAnswer, ...input }, actor) => {
  await addMail(actor, { address, mayAnswer, project: projectOf(input.project) });
});

export const changeSecret = action(target, async ({ id }, actor) => await renewSecret(actor, id));

export const deleteTarget = action(target, async ({ id }, actor) => {
  await removeTarget(actor, id);
});

/** Has a worker send a notice that says nothing. */
export const sendTest = action(target, async ({ id }, actor) => {
  await testTarget(actor, id);
});
