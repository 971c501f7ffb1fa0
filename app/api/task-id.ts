import { AppError } from '@/lib/base/app-error';
import { brandAs, type TaskId } from '@/lib/base/ids';

export type TaskParams = { readonly task: string };

/** Returns the id in the path. Text that cannot be an id is answered with `not_found` without a query. */
export function taskId({ task }: TaskParams): TaskId {
  if (!/^[\w-]{1,64}$/.test(task)) throw new AppError('not_found', 'There is no such task.');
  return brandAs<TaskId>(task);
}
