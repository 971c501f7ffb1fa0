'use server';

import { z } from 'zod';
import { tokenChoice } from '@/app/account/token-bodies';
import { action } from '@/app/action';
import { allowLogin, denyLogin } from '@/lib/server/accounts/cli-login';

const code = z.string().max(20);

/** Allows a command that has begun `callboard login` to fetch a token of the person. */
export const allowCommand = action(
  tokenChoice.extend({ code }),
  async (input, actor) => await allowLogin(actor, input.code, input),
);

export const denyCommand = action(z.strictObject({ code }), async (input, actor) => await denyLogin(actor, input.code));
