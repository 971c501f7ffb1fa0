import { type Actor, localActor } from '@/lib/base/actor';
import { type GuardedRequest, isSignedIn } from '@/lib/server/request-guard';
import { accountsAreOn } from '@/lib/server/settings/process-env';
import { resolveActor } from './resolve-actor';
import { actorOfLink } from './share-actor';
import { actorOfToken, bearerOf } from './token-actor';
import { isShareText } from './token-text';

/**
 * Returns who sent a request, or `undefined` without a sign-in. Where people have accounts, a token decides whatever cookie comes with it,
 * and one that is of no use throws AppError `not_signed_in` or `too_many`. The token of the data folder signs nobody in there.
 * The token of a share link makes an actor that reaches one run.
 */
export async function whoAsks(request: GuardedRequest): Promise<Actor | undefined> {
  return await actorOf(request, 'counted');
}

/**
 * Decides again on a request that goes on, as `whoAsks` did when it came. The limits on requests do not hold, so that nobody can keep a
 * stream open by using them up.
 */
export async function whoStillAsks(request: GuardedRequest): Promise<Actor | undefined> {
  return await actorOf(request, 'again');
}

async function actorOf(request: GuardedRequest, asked: 'counted' | 'again'): Promise<Actor | undefined> {
  const token = bearerOf(request);
  // The token of a share link shows its run in every mode, and never more than that, whoever else is signed in.
  if (token !== undefined && isShareText(token)) return await actorOfLink(request, token, asked);
  if (!accountsAreOn()) return isSignedIn(request) ? localActor(viaOf(request)) : undefined;
  return token !== undefined ? await actorOfToken(request, token, asked) : await resolveActor(request);
}

/** Browsers name the site that a request comes from; scripts do not. */
function viaOf({ headers }: GuardedRequest): Actor['via'] {
  return headers.get('sec-fetch-site') === null ? 'api' : 'web';
}
