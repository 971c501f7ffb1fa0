import { type Actor, localActor } from '@/lib/base/actor';
import { type GuardedRequest, isSignedIn } from '@/lib/server/request-guard';
import { accountsAreOn } from '@/lib/server/settings/process-env';
import { resolveActor } from './resolve-actor';
import { actorOfToken, bearerOf } from './token-actor';

/**
 * Returns who sent a request, or `undefined` without a sign-in. Where people have accounts, a token decides whatever cookie comes with it,
 * and one that is of no use throws AppError `not_signed_in` or `too_many`. The token of the data folder signs nobody in there.
 */
export async function whoAsks(request: GuardedRequest): Promise<Actor | undefined> {
  if (!accountsAreOn()) return isSignedIn(request) ? localActor(viaOf(request)) : undefined;
  const token = bearerOf(request);
  return token !== undefined ? await actorOfToken(request, token) : await resolveActor(request);
}

/** Browsers name the site that a request comes from; scripts do not. */
function viaOf({ headers }: GuardedRequest): Actor['via'] {
  return headers.get('sec-fetch-site') === null ? 'api' : 'web';
}
