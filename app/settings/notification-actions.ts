'use server';

import { z } from 'zod';
import { action } from '@/app/action';
import { noticeLine } from '@/app/api/notice-bodies';
import { projectId } from '@/app/api/project-id';
import { noticeGroups } from '@/lib/base/notices';
import {
  addMail,
  addWebhook,
  readNotifications,
  removeTarget,
  renewSecret,
  testTarget,
} from '@/lib/server/notifications';
import { readLine, setLine } from '@/lib/server/person-notices';

const project = z.string().optional();
const groups = z.array(z.enum(noticeGroups)).min(1, 'Choose what it is told of.').max(noticeGroups.length);
const projectOf = (id: string | undefined) => (id === undefined ? undefined : projectId({ project: id }));
const target = z.strictObject({ id: z.string().max(100) });

export const readTargets = action(z.strictObject({}), async (_input, actor) => await readNotifications(actor));

/** Returns the secret of the new webhook. It is not shown again. */
export const createWebhook = action(
  z.strictObject({ url: z.string().max(2_000), project, groups }),
  async (input, actor) => {
    return await addWebhook(actor, { url: input.url, project: projectOf(input.project), groups: input.groups });
  },
);

const mail = z.strictObject({ address: z.string().max(300), project, groups, mayAnswer: z.boolean() });
export const createMail = action(mail, async ({ address, mayAnswer, groups, ...input }, actor) => {
  await addMail(actor, { address, mayAnswer, groups, project: projectOf(input.project) });
});

export const changeSecret = action(target, async ({ id }, actor) => await renewSecret(actor, id));

export const deleteTarget = action(target, async ({ id }, actor) => {
  await removeTarget(actor, id);
});

/** Has a worker send a notice that says nothing. */
export const sendTest = action(target, async ({ id }, actor) => {
  await testTarget(actor, id);
});

const ofProject = z.strictObject({ project: z.string() });

/** Returns the line above which people are told of runs. */
export const readTellLine = action(ofProject, async (input, actor) => await readLine(actor, projectId(input)));

const line = ofProject.extend(noticeLine);

export const saveTellLine = action(line, async ({ usd, seconds, ...input }, actor) => {
  await setLine(actor, projectId(input), { usd, seconds });
});
