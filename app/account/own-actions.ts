'use server';

import { headers } from 'next/headers';
import { z } from 'zod';
import { action } from '@/app/action';
import { longestPassword } from '@/lib/base/account-rules';
import {
  beginOwnFactor,
  beginPasskey,
  changeOwnPassword,
  confirmOwnFactor,
  dropOwnFactor,
  endOwnSessions,
  forgetPasskey,
  keepPasskey,
  renewOwnCodes,
  unlinkOwnProvider,
} from '@/lib/server/accounts/own-account';

const password = z.string().max(longestPassword * 4);
const request = async () => ({ headers: new Headers(await headers()) });

/** Changes the password of the person, and returns the account. */
export const setPassword = action(z.strictObject({ present: password, next: password }), async (given, actor) => {
  return await changeOwnPassword(actor, await request(), given);
});

/** Ends a session of the person; `others` ends all but this one. */
export const endSession = action(z.strictObject({ session: z.string().max(100) }), async ({ session }, actor) => {
  return await endOwnSessions(actor, await request(), session);
});

/** Returns what the browser needs to make a passkey. `password` is empty for a person without one. */
export const passkeyOptions = action(z.strictObject({ password }), async (given, actor) => {
  return await beginPasskey(actor, await request(), given.password);
});

/** Keeps a passkey. `credential` is JSON. */
export const savePasskey = action(
  z.strictObject({
    name: z.string().max(200),
    credential: z.string().max(50_000).transform(parsed),
  }),
  async (given, actor) => await keepPasskey(actor, await request(), given),
);

export const deletePasskey = action(z.strictObject({ passkey: z.string().max(100) }), async ({ passkey }, actor) => {
  return await forgetPasskey(actor, await request(), passkey);
});

/** Returns a new second factor. It counts when `confirmFactor` got a code of it. */
export const beginFactor = action(z.strictObject({ password }), async (given, actor) => {
  return await beginOwnFactor(actor, await request(), given.password);
});

/** Switches the second factor on, and returns the account with the backup codes. */
export const confirmFactor = action(z.strictObject({ code: z.string().max(100) }), async ({ code }, actor) => {
  return await confirmOwnFactor(actor, await request(), code);
});

/** Returns the account with new backup codes. */
export const renewCodes = action(z.strictObject({ password }), async (given, actor) => {
  return await renewOwnCodes(actor, await request(), given.password);
});

export const dropFactor = action(z.strictObject({ password }), async (given, actor) => {
  return await dropOwnFactor(actor, await request(), given.password);
});

/** Unlinks the identity at the provider of sign-ins. `password` is empty for a person without one. */
export const unlinkIdentity = action(z.strictObject({ password }), async (given, actor) => {
  return await unlinkOwnProvider(actor, await request(), given.password);
});

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
