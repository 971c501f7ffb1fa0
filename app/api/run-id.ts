import { AppError } from '@/lib/base/app-error';
import { brandAs, type RunId } from '@/lib/base/ids';

export type RunParams = { readonly run: string };

/** Returns the id in the path. Text that cannot be an id is answered with `not_found` without a query. */
export function runId(params: RunParams): RunId {
  if (!/^[\w-]{1,64}$/.test(params.run)) throw new AppError('not_found', 'There is no such run.');
  return brandAs<RunId>(params.run);
}
