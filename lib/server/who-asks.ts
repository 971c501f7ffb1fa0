import { type Actor, localActor } from '@/lib/base/actor';
import { type GuardedRequest, isSignedIn } from './request-guard';

/** Returns who sent a request, or `undefined` without a sign-in. */
export async function whoAsks(request: GuardedRequest): Promise<Actor | undefined> {
  return isSignedIn(request) ? localActor(viaOf(request)) : undefined;
}

/** Browsers name the site that a request comes from; scripts do not. */
function viaOf({ headers }: GuardedRequest): Actor['via'] {
  return headers.get('sec-fetch-site') === null ? 'api' : 'web';
}
