import type { Actor } from '@/lib/base/actor';
import { type Action, decide, scopeFor } from '@/lib/base/rights';

/** True for administrators, and for people who may do it in a project. */
export function isAllowedSomewhere({ reach }: Actor, action: Action): boolean {
  return decide(reach, action, null) === 'allowed' || scopeFor(reach, action).length > 0;
}
