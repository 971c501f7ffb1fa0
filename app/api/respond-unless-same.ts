import { createHash } from 'node:crypto';

/**
 * Answers the value as JSON with an `ETag`, or 304 without a body if the request has the same tag in `If-None-Match` (RFC
 * 9110, section 13.1.2). A page that asks every few seconds then gets only what has changed.
 */
export function respondUnlessSame(request: Request, value: unknown): Response {
  const body = JSON.stringify(value);
  const tag = `W/"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`;
  return unlessSame(request, tag, () => new Response(body, { headers: { 'Content-Type': 'application/json' } }));
}

/** Answers what `make` makes with an `ETag`, or 304 without a body if the request has the tag. */
export function unlessSame(request: Request, tag: string, make: () => Response): Response {
  const known = (request.headers.get('if-none-match') ?? '').split(',').map((each) => each.trim());
  const response = known.includes(tag) ? new Response(null, { status: 304 }) : make();
  response.headers.set('ETag', tag);
  return response;
}
