import { AppError } from '@/lib/base/app-error';
import { brandAs, type PendingId } from '@/lib/base/ids';

export type PendingParams = { readonly item: string };

/** Returns the id of a question in the path or in a body. Text that cannot be an id is answered with `not_found`. */
export function pendingId(params: PendingParams): PendingId {
  if (!/^[\w-]{1,64}$/.test(params.item)) throw new AppError('not_found', 'There is no such question.');
  return brandAs<PendingId>(params.item);
}
