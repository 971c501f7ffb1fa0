import { headers } from 'next/headers';
import { redirect } from 'next/navigation';
import { cache } from 'react';
import { whoAsks } from '@/lib/server/accounts/who-asks';

/** Returns who opens a page or its frame, or `undefined` without a sign-in. It is asked once for a request. */
export const askedBy = cache(async () => await whoAsks({ method: 'GET', headers: await headers() }));

/**
 * Returns who opens a page. `proxy.ts` has sent everybody else to sign in; a page asks for itself, so that a request that came past the
 * proxy gets nothing.
 */
export const pageActor = cache(async () => {
  const actor = await askedBy();
  if (actor === undefined) redirect('/');
  return actor;
});
