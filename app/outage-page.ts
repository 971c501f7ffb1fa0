import { escaped, plainResponse } from '@/app/plain-page';
import { AppError } from '@/lib/base/app-error';

const retrySeconds = '3';

/**
 * Returns the page for a request that failed because the database or its disk is away: a sentence, 503 and `Retry-After` (RFC 9110,
 * section 10.2.3). A browser asks again by itself. Returns `undefined` for every other error.
 */
export function outagePage(error: unknown, method: string): Response | undefined {
  if (!(error instanceof AppError) || error.code !== 'unavailable') return undefined;
  const asksAgain = method === 'GET' || method === 'HEAD';
  const next = asksAgain
    ? 'Nothing you saved is lost. This page tries again by itself.'
    : 'Go back and send the form again in a moment.';
  const main = `<h1>Callboard cannot read its data just now</h1>\n<p role="status">${escaped(error.message)}</p>\n<p>${next}</p>`;
  return plainResponse({ title: 'Not now', main }, 503, {
    'Retry-After': retrySeconds,
    ...(asksAgain && { Refresh: retrySeconds }),
  });
}
