import type { Actor } from '@/lib/base/actor';

/** The person who uses an app without accounts. */
export const localActor: Actor = { by: 'local', via: 'api', reach: 'all' };
