import { createHash } from 'node:crypto';

/**
 * The value as JSON with an `ETag`, or 304 without a body when the request names that very one in `If-None-Match` (RFC 9110,
 * section 13.1.2), so that a page that asks every few seconds gets only what has changed.
 */
export function respondUnlessSame(request: Request, value: unknown): Response {
  const body = JSON.stringify(value);
  const tag = `W/"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`;
  const known = (request.headers.get('if-none-match') ?? '').split(',').map((each) => each.trim());
  if (known.includes(tag)) return new Response(null, { status: 304, headers: { ETag: tag } });
  return new Response(body, { headers: { 'Content-Type': 'application/json', ETag: tag } });
}
