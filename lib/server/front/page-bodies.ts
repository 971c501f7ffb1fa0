import type { IncomingHttpHeaders } from 'node:http';
import { sessionTokens } from '@/lib/server/accounts/session';
import { isSignedIn } from '@/lib/server/request-guard';
import { accountsAreOn } from '@/lib/server/settings/process-env';

/*
 * Next reads the whole body of a request to a page into memory, twice, before the proxy decides whether the sender may use the page. So
 * the front decides first: only a browser that has signed in may send a page more than a form.
 */

/** The largest form of a page that people see without a sign-in. */
export const longestForm = 32 * 1024;

/** These addresses read their body themselves, after they know who asks. */
const readsItself =
  /^\/(?:api\/|git\/[^/]+\/(?:info\/refs|git-upload-pack|git-receive-pack)$|v1\/(?:traces|logs|metrics)$)/;

interface BodyRefusal {
  readonly status: 411 | 413;
  readonly code: 'bad_request' | 'too_large';
  readonly message: string;
}

/**
 * Returns why the body of a request to a page is not read, otherwise `undefined`. A body without a length is refused, because browsers
 * always send the length of a form (RFC 9110, section 15.5.12). The signature of a session's cookie is enough here: whether the session
 * has ended is asked of the database, before the page does anything.
 */
export function refusePageBody(pathname: string, headers: IncomingHttpHeaders): BodyRefusal | undefined {
  const isOfUnknownLength = headers['transfer-encoding'] !== undefined;
  const bytes = Number(headers['content-length'] ?? 0);
  if (readsItself.test(pathname) || (!isOfUnknownLength && bytes <= longestForm)) return undefined;
  if (hasSignedIn(headers)) return undefined;
  if (isOfUnknownLength) {
    return { status: 411, code: 'bad_request', message: 'Send the length of the body in the header Content-Length.' };
  }
  const most = `${longestForm / 1024} KiB`;
  return { status: 413, code: 'too_large', message: `Sign in first: without a sign-in, a page takes at most ${most}.` };
}

function hasSignedIn(headers: IncomingHttpHeaders): boolean {
  const get = (name: string) => {
    const value = headers[name];
    return typeof value === 'string' ? value : null;
  };
  return accountsAreOn() ? sessionTokens({ get }).length > 0 : isSignedIn({ method: 'POST', headers: { get } });
}
