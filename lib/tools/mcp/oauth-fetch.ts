import type { FetchLike } from '@modelcontextprotocol/sdk/shared/transport.js';
import { type AddressGuard, isThisMachine } from '@/lib/tools/mcp/address-guard';
import { createGuardedFetch } from '@/lib/tools/mcp/guarded-fetch';

/** The reason why a sign-in cannot go on, as a sentence for users. It holds no token. */
export class SignInFault extends Error {
  /** True if it will not pass by itself: a person has to sign in again. */
  readonly isFinal: boolean;

  constructor(message: string, { isFinal = false }: { readonly isFinal?: boolean } = {}) {
    super(message);
    this.isFinal = isFinal;
  }
}

const requestMs = 10_000;
/** Metadata and answers with tokens are small. */
const maxBytes = 256 * 1024;

export interface OAuthFetch {
  readonly fetch: FetchLike;
  close(): void;
}

/**
 * Makes a `fetch` for requests to authorization servers: to allowed addresses only, over TLS except on this machine, with a time limit
 * and a limited body. Redirects are not followed here, and by the SDK within an origin only. It fails with a SignInFault, which the SDK
 * does not mistake for a refusal by CORS.
 */
export function createOAuthFetch(guard: AddressGuard, signal: AbortSignal): OAuthFetch {
  const guarded = createGuardedFetch(guard);
  return {
    close: () => guarded.close(),
    async fetch(input, init = {}) {
      const url = new URL(input);
      const problem = addressProblem(url) ?? guard.problemOf(url);
      if (problem !== undefined) throw new SignInFault(`${url.host} is not called: ${problem}`);
      const late = AbortSignal.timeout(requestMs);
      const headers = new Headers(init.headers);
      const { body } = init;
      if (body instanceof URLSearchParams && !headers.has('content-type')) {
        headers.set('content-type', 'application/x-www-form-urlencoded');
      }
      try {
        const response = await guarded.fetch(url, {
          ...init,
          headers,
          body: body instanceof URLSearchParams ? body.toString() : body,
          signal: AbortSignal.any([signal, late, ...(init.signal ? [init.signal] : [])]),
        });
        return await whole(response, url);
      } catch (error) {
        if (error instanceof SignInFault) throw error;
        if (signal.aborted) throw new SignInFault('It was stopped.');
        const why = late.aborted ? `no answer within ${requestMs / 1000} s` : causeOf(error);
        throw new SignInFault(`${url.host} cannot be reached: ${why}.`);
      }
    },
  };
}

/** Codes and tokens pass only over TLS, or inside this machine (OAuth 2.1, section 1.5). */
export function addressProblem(url: URL): string | undefined {
  if (url.protocol === 'https:' || (url.protocol === 'http:' && isThisMachine(url.hostname))) return undefined;
  return 'a sign-in needs an https address.';
}

async function whole(response: Response, url: URL): Promise<Response> {
  const { status, headers } = response;
  // An event stream would not end.
  if (response.body === null || headers.get('content-type')?.includes('event-stream')) {
    await response.body?.cancel();
    return new Response(null, { status, headers });
  }
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of response.body) {
    size += part.length;
    if (size > maxBytes) throw new SignInFault(`${url.host} answers with more than ${maxBytes / 1024} KiB.`);
    parts.push(part);
  }
  return new Response(Buffer.concat(parts), { status, headers });
}

function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  if (cause instanceof Error)
    return 'code' in cause && cause.code !== 'ERR_ADDRESS_REFUSED' ? `${cause.code}` : trimmed(cause.message);
  return trimmed(error.message);
}

function trimmed(text: string): string {
  return text.replace(/\.$/, '');
}
