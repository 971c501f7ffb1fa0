import { AppError } from '@/lib/base/app-error';

/** Makes AppError `too_many`. `what` completes "Too many …". `respond` sends `retryAfter`, in seconds, as the header Retry-After. */
export function tooMany(what: string, waitMs: number): AppError {
  const seconds = Math.max(1, Math.ceil(waitMs / 1000));
  return new AppError('too_many', `Too many ${what}. Try again in ${inWords(seconds)}.`, { retryAfter: `${seconds}` });
}

function inWords(seconds: number): string {
  if (seconds < 60) return seconds === 1 ? 'a second' : `${seconds} seconds`;
  const minutes = Math.ceil(seconds / 60);
  return minutes === 1 ? 'a minute' : `${minutes} minutes`;
}
