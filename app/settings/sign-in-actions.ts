'use server';

import { headers } from 'next/headers';
import { z } from 'zod';
import { action } from '@/app/action';
import { projectId } from '@/app/api/project-id';
import { publicAddress } from '@/lib/server/settings/process-env';
import { beginSignIn, forgetSignIn, readSignIns } from '@/lib/server/sign-ins';

const place = z.strictObject({ project: z.string() });

/** Lists the sign-ins at MCP servers of a project, without their tokens. */
export const listSignIns = action(
  place,
  async ({ project }, actor) => await readSignIns(actor, projectId({ project })),
);

/** Asks a worker where people sign in at a server, and returns the id of the task. */
export const startSignIn = action(place.extend({ server: z.string().max(500) }), async ({ project, server }, actor) => {
  // The guard of actions has checked the host.
  const host = (await headers()).get('host') ?? '';
  const open = publicAddress();
  const origin = open !== undefined && open.host === host.toLowerCase() ? open.origin : `http://${host}`;
  return await beginSignIn(actor, projectId({ project }), { server, origin });
});

/** Removes a sign-in, and returns those that are left. */
export const removeSignIn = action(place.extend({ signIn: z.string() }), async ({ project, signIn }, actor) => {
  await forgetSignIn(actor, projectId({ project }), signIn);
  return await readSignIns(actor, projectId({ project }));
});
