'use server';

import { z } from 'zod';
import { action } from '@/app/action';
import {
  invite,
  makeResetLink,
  resetSecondFactor,
  setActive,
  setAdministrator,
  setProjectMakers,
  setSecondFactorRequired,
  takeBackInvitation,
  unlinkProvider,
} from '@/lib/server/accounts/people';

const person = z.strictObject({ userId: z.string().max(100) });

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

/** Removes the second factor of a person, who has lost it. */
export const dropSecondFactor = action(person, async ({ userId }, actor) => {
  await resetSecondFactor(actor, userId);
});

/** Unlinks a person from the identity at the provider of sign-ins. */
export const unlinkIdentity = action(person, async ({ userId }, actor) => {
  await unlinkProvider(actor, userId);
});

export const needSecondFactor = action(z.strictObject({ required: z.boolean() }), async ({ required }, actor) => {
  await setSecondFactorRequired(actor, required);
});

/** Says whether only administrators make projects. */
export const restrictProjects = action(z.strictObject({ administrators: z.boolean() }), async (input, actor) => {
  await setProjectMakers(actor, input.administrators);
});
