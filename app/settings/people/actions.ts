'use server';

import { z } from 'zod';
import { action } from '@/app/action';
import { projectId } from '@/app/api/project-id';
import { roles } from '@/lib/base/rights';
import {
  invite,
  makeResetLink,
  removeMember,
  setActive,
  setAdministrator,
  setMember,
  takeBackInvitation,
} from '@/lib/server/accounts/people';

const person = z.strictObject({ userId: z.string().max(100) });
const member = person.extend({ project: z.string() });

/** Invites somebody to a project, and returns the path of the link, which is shown once. */
export const inviteToProject = action(
  z.strictObject({ email: z.string().max(300), project: z.string(), role: z.enum(roles), answers: z.boolean() }),
  async (input, actor) => await invite(actor, { ...input, project: projectId(input), administrator: false }),
);

/** Invites somebody to the installation alone. */
export const invitePerson = action(
  z.strictObject({ email: z.string().max(300), administrator: z.boolean() }),
  async (input, actor) => await invite(actor, { ...input, project: null, role: null, answers: false }),
);

export const takeBack = action(z.strictObject({ id: z.string().max(100) }), async ({ id }, actor) => {
  await takeBackInvitation(actor, null, id);
});

export const changeActive = action(person.extend({ active: z.boolean() }), async ({ userId, active }, actor) => {
  await setActive(actor, userId, active);
});

export const changeAdministrator = action(
  person.extend({ administrator: z.boolean() }),
  async ({ userId, administrator }, actor) => {
    await setAdministrator(actor, userId, administrator);
  },
);

/** Returns the path of a link that sets a new password. */
export const newResetLink = action(person, async ({ userId }, actor) => await makeResetLink(actor, userId));

export const changeMember = action(
  member.extend({ role: z.enum(roles), answers: z.boolean() }),
  async ({ project, ...given }, actor) => {
    await setMember(actor, projectId({ project }), given);
  },
);

export const dropMember = action(member, async ({ project, userId }, actor) => {
  await removeMember(actor, projectId({ project }), userId);
});
