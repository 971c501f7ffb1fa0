'use server';

import { z } from 'zod';
import { action } from '@/app/action';
import { runId } from '@/app/api/run-id';
import { shareBody } from '@/app/api/share-bodies';
import { listShares, makeShare, revokeShare } from '@/lib/server/accounts/shares';

const run = z.string();

export const listLinks = action(z.strictObject({ run }), async (input, actor) => await listShares(actor, runId(input)));

/** Makes a link to a run. Its token is returned this once. */
export const makeLink = action(shareBody.extend({ run }), async ({ run, ...choice }, actor) => {
  const { token, links } = await makeShare(actor, runId({ run }), choice);
  return { token, links };
});

/** Revokes a link and returns those that are left. */
export const revokeLink = action(z.strictObject({ run, link: z.string().max(64) }), async ({ run, link }, actor) => {
  const id = runId({ run });
  await revokeShare(actor, id, link);
  return await listShares(actor, id);
});
