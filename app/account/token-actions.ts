'use server';

import { z } from 'zod';
import { action } from '@/app/action';
import { AppError } from '@/lib/base/app-error';
import { longestTokenName } from '@/lib/base/token-request';
import { listAllTokens, listOwnTokens, makeToken, revokeAnyToken, revokeOwnToken } from '@/lib/server/accounts/tokens';
import { tokenChoice } from './token-bodies';

const one = z.strictObject({ id: z.string().max(64) });
const name = z.string().trim().min(1, 'Give the token a name.').max(longestTokenName);

/** Makes a token of the person, and returns its text for the only time. */
export const createToken = action(
  tokenChoice.extend({ name }),
  async (request, actor) => await makeToken(actor, request),
);

/** Revokes a token of the person, and returns those that are left. */
export const revokeToken = action(one, async ({ id }, actor) => {
  await unlessGone(revokeOwnToken(actor, id));
  return await listOwnTokens(actor);
});

/** Revokes a token of anybody, for administrators, and returns those that are left. */
export const revokeTokenOfAnybody = action(one, async ({ id }, actor) => {
  await unlessGone(revokeAnyToken(actor, id));
  return await listAllTokens(actor);
});

/** A token that another tab has revoked is as gone as the person wanted it. */
async function unlessGone(revoking: Promise<void>): Promise<void> {
  try {
    await revoking;
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'not_found') throw error;
  }
}
