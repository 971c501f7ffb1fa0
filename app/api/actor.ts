import type { Actor } from '@/lib/base/actor';
import type { GuardedRequest } from '@/lib/server/request-guard';

/** Says who sent a request. Pages of the app send a cookie and scripts a bearer token; both are the one person `local`. */
export function actorOf({ headers }: GuardedRequest): Actor {
  return { by: 'local', via: headers.get('authorization') === null ? 'web' : 'api' };
}
