/**
 * Who sends a request that brings a folder. Browsers put `Origin` and `Sec-Fetch-Site` on what a page sends, and no page can
 * leave them out; a browser that is signed in sends a cookie where a script sends its token. So a folder that came through
 * a page is never taken for a script's own, whatever the page or the folder says.
 */
export function isFromBrowser({ headers }: Pick<Request, 'headers'>): boolean {
  if (headers.has('origin') || headers.has('sec-fetch-site')) return true;
  return headers.has('cookie') && !headers.has('authorization');
}

/** The origin of a folder whose files the request holds. */
export function originOf(request: Pick<Request, 'headers'>): 'import' | 'api' {
  return isFromBrowser(request) ? 'import' : 'api';
}
