import { AppError } from '@/lib/base/app-error';

const most = { title: 200, body: 20_000 } as const;

/** Returns a text of a review without space around it. A title must not be empty. Throws AppError `bad_request` and `too_large`. */
export function checkReviewText(text: string, kind: keyof typeof most): string {
  const trimmed = text.trim();
  if (kind === 'title' && trimmed === '') throw new AppError('bad_request', 'Give the review a title.');
  if (trimmed.length > most[kind]) {
    throw new AppError('too_large', `The ${kind} has more than ${most[kind]} characters. Shorten it.`);
  }
  if (/[\0\p{Surrogate}]/u.test(trimmed)) {
    throw new AppError('bad_request', `The ${kind} holds characters that are no text.`);
  }
  return trimmed;
}
