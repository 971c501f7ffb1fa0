import type { Actor } from '@/lib/base/actor';
import { AppError, type AppErrorCode } from '@/lib/base/app-error';
import { whoAsks } from '@/lib/server/accounts/who-asks';
import { unavailable } from '@/lib/server/outage';
import { askedBy } from '@/lib/server/reading/asker';
import { challenge, notSignedIn, securityHeaders, serveRequestGuard } from '@/lib/server/request-guard';
import { endWithActor } from './end-with-actor';
import { log } from './log';
import { anyQuery, noQuery, type Query, readQuery } from './query';
import { readNoBody } from './read-body';

const statusOf: Record<AppErrorCode, number> = {
  bad_request: 400,
  not_signed_in: 401,
  not_allowed: 403,
  not_found: 404,
  conflict: 409,
  not_trusted: 409,
  not_approved: 409,
  too_large: 413,
  unsupported: 415,
  too_many: 429,
  over_budget: 429,
  unavailable: 503,
};

/**
 * The header is described in RFC 9110, section 10.2.3. Postgres restarts in less time, but freeing a disk may take a
 * person.
 */
const retryAfterSeconds = '2';

type Context<P> = { readonly params: Promise<P> };

/** `asked` is what the query says. */
type Handler<P, Q> = (request: Request, params: P, actor: Actor, asked: Q) => Promise<unknown>;

type OpenHandler<P> = (request: Request, params: P) => Promise<unknown>;

type Route<P> = (request: Request, context: Context<P>) => Promise<Response>;

/**
 * Makes a route of a handler. It refuses requests from other sites and without a sign-in, and parts of the query that the route does
 * not know; without a `query` there is none. It turns an AppError into its status and `{error: {code, message}}`, and logs any other
 * error and answers one fixed sentence. A handler gets the actor. It returns a Response, or a value that is sent as JSON.
 */
export function respond<P = Record<never, string>>(handler: Handler<P, undefined>): Route<P>;
export function respond<P, Q>(query: Query<Q>, handler: Handler<P, Q>): Route<P>;
export function respond<P, Q>(
  ...given: readonly [Handler<P, undefined>] | readonly [query: Query<Q>, handler: Handler<P, Q>]
): Route<P> {
  return given.length === 1 ? respondTo(noQuery, given[0]) : respondTo(...given);
}

function respondTo<P, Q>(query: Query<Q>, handler: Handler<P, Q>): Route<P> {
  return guarded(async (request, params) => {
    const actor = await whoAsks(request);
    if (actor === undefined) return notSignedIn();
    const asked = readQuery(request, query);
    if (request.method === 'DELETE') await readNoBody(request);
    const value = await askedBy(actor, () => handler(request, params, actor, asked), request.signal);
    return value instanceof Response ? endWithActor(value, request, actor) : value;
  });
}

/**
 * Works like `respond`, for the few routes that need no sign-in, because nothing they answer is secret. Most are pages or are called by
 * other programs: they may be asked with any query unless `query` says otherwise.
 */
export function respondToAnyone<P = Record<never, string>>(
  handler: OpenHandler<P>,
  query: Query<unknown> = anyQuery,
): Route<P> {
  return guarded(async (request, params) => {
    readQuery(request, query);
    return await handler(request, params);
  });
}

function guarded<P>(handler: OpenHandler<P>): Route<P> {
  return async (request, context) => {
    const refusal = serveRequestGuard(request);
    if (refusal) return refusal;
    try {
      const value = await handler(request, await context.params);
      return withHeaders(value instanceof Response ? value : Response.json(value ?? null));
    } catch (error) {
      return withHeaders(errorResponse(error, request));
    }
  };
}

/**
 * Makes the answer to a failed request. An expected error says what happened. A bug is logged, and the answer says nothing
 * about it.
 */
export function errorResponse(error: unknown, request: Request): Response {
  const expected = error instanceof AppError ? error : unavailable(error);
  if (expected !== undefined) {
    const { code, message, details } = expected;
    const seconds = code === 'unavailable' ? retryAfterSeconds : details.retryAfter;
    const headers = {
      ...(seconds !== undefined && { 'Retry-After': seconds }),
      ...(code === 'not_signed_in' && challenge),
    };
    return Response.json({ error: { ...details, code, message } }, { status: statusOf[code], headers });
  }
  log.error({ err: error, method: request.method, path: pathOf(request) }, 'request failed');
  const message = 'Something went wrong on our side. The log of the server has the details.';
  return Response.json({ error: { code: 'internal', message } }, { status: 500 });
}

/** Returns the path for the log. Links to one question and to one run have their secret in the path. */
function pathOf({ url }: Request): string {
  return new URL(url).pathname.replace(/^\/(answer|share)\/(?!run\/).*/, '/$1/…');
}

/**
 * Says what a browser may keep: with an `ETag` an answer that it asks about again each time, so that another person at the same browser gets
 * nothing without the right to it; otherwise nothing. A route cannot say otherwise.
 */
function cachingOf({ headers }: Response): string {
  if (headers.has('ETag')) return 'private, no-cache';
  // A proxy that compresses a stream would hold it back.
  return headers.get('Cache-Control')?.includes('no-transform') === true ? 'no-store, no-transform' : 'no-store';
}

/** Adds the headers of the API. Pages have another content security policy. */
function withHeaders(response: Response): Response {
  for (const [name, value] of Object.entries(securityHeaders)) {
    if (!response.headers.has(name)) response.headers.set(name, value);
  }
  response.headers.set('Cache-Control', cachingOf(response));
  return response;
}
