'use server';

import { z } from 'zod';
import { action } from '@/app/action';
import { projectId } from '@/app/api/project-id';
import { roles } from '@/lib/base/rights';
import { invite, removeMember, setMember, takeBackInvitation } from '@/lib/server/accounts/people';

const inProject = z.strictObject({ project: z.string() });
const member = inProject.extend({ userId: z.string().max(100) });
const given = { role: z.enum(roles), answers: z.boolean() };

/** Invites somebody to a project, and returns the path of the link, which is shown once. */
export const inviteToProject = action(
  inProject.extend({ email: z.string().max(300), ...given }),
  async (input, actor) => await invite(actor, { ...input, project: projectId(input), administrator: false }),
);

/** Takes back an invitation to a project. */
export const takeBackInProject = action(inProject.extend({ id: z.string().max(100) }), async (input, actor) => {
  await takeBackInvitation(actor, projectId(input), input.id);
});

export const changeMember = action(member.extend(given), async ({ project, ...rest }, actor) => {
  await setMember(actor, projectId({ project }), rest);
});

export const dropMember = action(member, async ({ project, userId }, actor) => {
  await removeMember(actor, projectId({ project }), userId);
});
