import { AppError } from '@/lib/base/app-error';

/** The error for an id that no project has. */
export function noProject(): AppError {
  return new AppError(
    'not_found',
    'There is no such project. It may have been deleted; go back to the list of projects.',
  );
}
