import { readBytes } from '@/app/api/read-body';
import { respondToAnyone } from '@/app/api/respond';
import { outagePage } from '@/app/outage-page';
import { type PlainPage, plainResponse } from '@/app/plain-page';
import { AppError } from '@/lib/base/app-error';
import { longestForm } from '@/lib/server/front/page-bodies';
import { type Services, systemStoreOnce } from '@/lib/server/services';
import { accountsAreOn } from '@/lib/server/settings/process-env';
import { linkFaultPage } from './form-pages';

interface Posted {
  readonly request: Request;
  readonly store: Services['store'];
  readonly form: URLSearchParams;
}

/**
 * Makes the route of a page for people who are not signed in. Without accounts there is no such page. An AppError that the handler does
 * not turn into a page of its own is shown as a sentence.
 */
export function accountPage(
  work: (asked: Omit<Posted, 'form'> & { readonly query: URLSearchParams }) => Promise<Response>,
) {
  return respondToAnyone(async (request) => {
    const query = new URL(request.url).searchParams;
    return await guardedByMode(request, () => systemStoreOnce(({ store }) => work({ request, store, query })));
  });
}

/** Makes the route that takes the form of such a page. */
export function accountForm(work: (posted: Posted) => Promise<Response>) {
  return respondToAnyone(async (request) => {
    const form = new URLSearchParams(new TextDecoder().decode(await readBytes(request, longestForm)));
    return await guardedByMode(request, () => systemStoreOnce(({ store }) => work({ request, store, form })));
  });
}

async function guardedByMode({ method }: Request, work: () => Promise<Response>): Promise<Response> {
  if (!accountsAreOn()) {
    const sentence = 'People have no accounts here. CALLBOARD_ACCOUNTS=1 switches accounts on.';
    return plainResponse(linkFaultPage(sentence), 404);
  }
  try {
    return await work();
  } catch (error) {
    const outage = outagePage(error, method);
    if (outage !== undefined) return outage;
    if (!(error instanceof AppError)) throw error;
    return plainResponse(linkFaultPage(error.message), statusOf(error), waitOf(error));
  }
}

/** Shows a form again with the sentence of an AppError. Other errors are thrown on. */
export function formAgain(error: unknown, page: (problem: string) => PlainPage): Response {
  if (!(error instanceof AppError) || error.code === 'unavailable') throw error;
  return plainResponse(page(error.message), statusOf(error), waitOf(error));
}

function waitOf({ details }: AppError): Readonly<Record<string, string>> {
  return details.retryAfter === undefined ? {} : { 'Retry-After': details.retryAfter };
}

function statusOf({ code }: AppError): number {
  const known: Readonly<Record<string, number>> = { too_many: 429, conflict: 409, not_allowed: 401, not_found: 404 };
  return known[code] ?? 400;
}
