import type { Actor } from '@/lib/base/actor';
import type { GuardedRequest } from '@/lib/server/request-guard';

/** Says who sent a request, which is the one person `local`. Browsers name the site that a request comes from; scripts do not. */
export function actorOf({ headers }: GuardedRequest): Actor {
  return { by: 'local', via: headers.get('sec-fetch-site') === null ? 'api' : 'web' };
}
