import { createHash } from 'node:crypto';

/**
 * Answers the value as JSON with an `ETag`, or 304 without a body if the request has the same tag in `If-None-Match` (RFC
 * 9110, section 13.1.2). A page that asks every few seconds then gets only what has changed.
 */
export function respondUnlessSame(request: Request, value: unknown): Response {
  const body = JSON.stringify(value);
  const tag = `W/"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`;
  const known = (request.headers.get('if-none-match') ?? '').split(',').map((each) => each.trim());
  if (known.includes(tag)) return new Response(null, { status: 304, headers: { ETag: tag } });
  return new Response(body, { headers: { 'Content-Type': 'application/json', ETag: tag } });
}
