import { AppError } from '@/lib/base/app-error';
import { brandAs, type RunId } from '@/lib/base/ids';

export type RunParams = { readonly run: string };

/** The id in the path. What cannot be an id names no run, without asking the database. */
export function runId(params: RunParams): RunId {
  if (!/^[\w-]{1,64}$/.test(params.run)) throw new AppError('not_found', 'There is no such run.');
  return brandAs<RunId>(params.run);
}
