import type { ProjectId } from '@/lib/base/ids';
import type { ProjectScope } from '@/lib/base/rights';

/** Returns a scope as the parameter of `($n::text[] IS NULL OR "projectId" = ANY($n))`. */
export function idsOf(scope: ProjectScope): readonly ProjectId[] | null {
  return scope === 'all' ? null : scope;
}
