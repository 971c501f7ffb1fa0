import { AppError } from '@/lib/base/app-error';
import { brandAs, type ProjectId } from '@/lib/base/ids';

export type ProjectParams = { readonly project: string };

/** Returns the id in the path. Text that cannot be an id is answered with `not_found` without a query. */
export function projectId(params: ProjectParams): ProjectId {
  if (!/^[\w-]{1,64}$/.test(params.project)) throw new AppError('not_found', 'There is no such project.');
  return brandAs<ProjectId>(params.project);
}
