/**
 * True if a browser sent the request. This matters for requests that bring a folder: a folder that came through a page must
 * never count as a script's own, whatever the page or the folder says. Browsers put `Origin` and `Sec-Fetch-Site` on
 * requests of a page, and no page can leave them out. A browser that is signed in sends a cookie where a script sends its
 * token.
 */
export function isFromBrowser({ headers }: Pick<Request, 'headers'>): boolean {
  if (headers.has('origin') || headers.has('sec-fetch-site')) return true;
  return headers.has('cookie') && !headers.has('authorization');
}

/** Returns the origin of a folder whose files the request holds. */
export function originOf(request: Pick<Request, 'headers'>): 'import' | 'api' {
  return isFromBrowser(request) ? 'import' : 'api';
}
