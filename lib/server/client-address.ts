import { publicAddress } from './settings/process-env';

/** The header in which front/web-front tells the app the client's address. What a client sends under this name is removed there. */
export const clientHeader = 'x-callboard-client';

interface Asked {
  readonly headers: { get(name: string): string | null };
}

/**
 * Returns the IP address that a request came from, behind trusted proxies that of their client. No header of the client can
 * change it. `unknown` for a request that did not come over a connection, as in tests.
 */
export function clientAddress(request: Asked): string {
  return request.headers.get(clientHeader) ?? 'unknown';
}

/**
 * True if the browser used TLS, so that a cookie may be `Secure`: the request came to the public address, which is https.
 * front/web-front refuses those that came to it without TLS. Requests at a loopback name come without.
 */
export function isBehindTls(request: Asked): boolean {
  const open = publicAddress();
  return open?.protocol === 'https:' && request.headers.get('host')?.toLowerCase() === open.host;
}
