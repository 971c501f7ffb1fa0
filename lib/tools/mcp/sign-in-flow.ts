import {
  discoverAuthorizationServerMetadata,
  discoverOAuthProtectedResourceMetadata,
  exchangeAuthorization,
  extractWWWAuthenticateParams,
  refreshAuthorization,
  registerClient,
  selectClientAuthMethod,
  startAuthorization,
} from '@modelcontextprotocol/sdk/client/auth.js';
import { OAuthError } from '@modelcontextprotocol/sdk/server/auth/errors.js';
import type {
  AuthorizationServerMetadata,
  OAuthProtectedResourceMetadata,
  OAuthTokens,
} from '@modelcontextprotocol/sdk/shared/auth.js';
import { checkResourceAllowed, resourceUrlFromServerUrl } from '@modelcontextprotocol/sdk/shared/auth-utils.js';
import type { FetchLike } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { BegunSignIn, KeptSignIn } from './kept-sign-in';
import { addressProblem, SignInFault } from './oauth-fetch';

/*
 * Sign-in at an MCP server, as its specification asks for in 2025-03-26 to 2026-07-28:
 *
 *   401 ──▶ metadata of the resource (RFC 9728) ──▶ metadata of the authorization server (RFC 8414, OpenID Connect)
 *       ──▶ client: an address with metadata, or registered (RFC 7591) ──▶ browser, PKCE ──▶ code ──▶ tokens ──▶ refreshed
 *
 * All requests go through the given `fetch`. Each function fails with a SignInFault. What an authorization server says is not repeated,
 * only its error code: it may quote a token.
 */

/** The MCP server at which somebody signs in. */
export interface SignInServer {
  readonly address: string;
  readonly transport: 'http' | 'sse';
  /** The headers of its settings. */
  readonly headers: Readonly<Record<string, string>>;
  /** `auth.scope` of its settings. */
  readonly scope: string | undefined;
  /** `auth.client_metadata_url` of its settings: an https address that describes this client. */
  readonly clientMetadataUrl: string | undefined;
}

/** Where the browser goes. `url` has no `state` yet. */
export interface BeganSignIn {
  readonly url: URL;
  readonly begun: BegunSignIn;
}

export async function beginSignIn(server: SignInServer, redirectUrl: string, fetch: FetchLike): Promise<BeganSignIn> {
  const challenge = await challengeOf(server, fetch);
  const found = await findAuthorizationServer(server.address, challenge.resourceMetadataUrl, fetch);
  const { authorizationServer, metadata, resource, resourceMetadata } = found;
  const asked = server.scope ?? challenge.scope ?? resourceMetadata?.scopes_supported?.join(' ');
  const scope = withRefresh(asked, metadata);
  const client = await clientOf(server, redirectUrl, found, fetch);
  const { authorizationUrl, codeVerifier } = await startAuthorization(authorizationServer, {
    ...(metadata && { metadata }),
    clientInformation: client,
    redirectUrl,
    ...(scope !== undefined && { scope }),
    resource,
  }).catch((error: unknown) => {
    throw faultOf(error, authorizationServer);
  });
  const problem = addressProblem(authorizationUrl);
  if (problem !== undefined) throw new SignInFault(`${authorizationUrl.host} is not opened: ${problem}`);
  const { issuer } = metadata ?? {};
  const place = { address: server.address, resource, authorizationServer, issuer, metadata, client, scope };
  return { url: authorizationUrl, begun: { ...place, redirectUrl, codeVerifier } };
}

/** Exchanges the code for tokens. `issuer` is the `iss` of the callback, if it had one (RFC 9207). */
export async function finishSignIn(
  { redirectUrl, codeVerifier, ...place }: BegunSignIn,
  { code, issuer }: { readonly code: string; readonly issuer: string | undefined },
  fetch: FetchLike,
): Promise<{ readonly kept: KeptSignIn; readonly expiresInSeconds: number | undefined }> {
  const { metadata, authorizationServer } = place;
  const { host } = new URL(authorizationServer);
  const mustSay = metadata?.authorization_response_iss_parameter_supported === true;
  if (issuer === undefined ? mustSay : issuer !== place.issuer) {
    throw new SignInFault(
      `The answer did not come from ${host}, at which the sign-in began, so its code is not used. Sign in again.`,
    );
  }
  try {
    const tokens = await exchangeAuthorization(authorizationServer, {
      ...(metadata && { metadata }),
      clientInformation: place.client,
      authorizationCode: code,
      codeVerifier,
      redirectUri: redirectUrl,
      resource: place.resource,
      fetchFn: fetch,
    });
    return keep(place, tokens, host);
  } catch (error) {
    throw faultOf(error, authorizationServer);
  }
}

/** Asks for new tokens. The fault is final if the authorization server does not give any to this sign-in again. */
export async function refreshSignIn(
  kept: KeptSignIn,
  fetch: FetchLike,
): Promise<{ readonly kept: KeptSignIn; readonly expiresInSeconds: number | undefined }> {
  const { metadata, authorizationServer, refreshToken, ...place } = kept;
  const { host } = new URL(authorizationServer);
  if (refreshToken === undefined) {
    throw new SignInFault(`The sign-in at ${host} is over, and ${host} gave no way to renew it.`, { isFinal: true });
  }
  try {
    const tokens = await refreshAuthorization(authorizationServer, {
      ...(metadata && { metadata }),
      clientInformation: place.client,
      refreshToken,
      resource: place.resource,
      fetchFn: fetch,
    });
    return keep({ ...place, metadata, authorizationServer }, tokens, host);
  } catch (error) {
    throw faultOf(error, authorizationServer);
  }
}

/** Tells the authorization server that the tokens are not used any more (RFC 7009). Returns false if it cannot be told. */
export async function revokeSignIn(kept: KeptSignIn, fetch: FetchLike): Promise<boolean> {
  const { metadata, client, refreshToken, accessToken } = kept;
  const endpoint = metadata?.revocation_endpoint;
  if (typeof endpoint !== 'string') return false;
  const { client_id: id, client_secret: secret } = client;
  const method = selectClientAuthMethod(client, metadata?.token_endpoint_auth_methods_supported ?? []);
  for (const [hint, token] of [
    ['refresh_token', refreshToken],
    ['access_token', accessToken],
  ] as const) {
    if (token === undefined) continue;
    const body = new URLSearchParams({ token, token_type_hint: hint });
    const headers = new Headers({ accept: 'application/json' });
    if (method === 'client_secret_basic' && secret !== undefined) {
      headers.set('authorization', `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`);
    } else {
      body.set('client_id', id);
      if (secret !== undefined) body.set('client_secret', secret);
    }
    const { ok } = await fetch(new URL(endpoint), { method: 'POST', headers, body });
    if (!ok) return false;
  }
  return true;
}

interface Challenge {
  readonly resourceMetadataUrl?: URL;
  readonly scope?: string;
}

/** Asks the server as a run would, without a token, and reads what it says about signing in. */
async function challengeOf({ address, transport, headers }: SignInServer, fetch: FetchLike): Promise<Challenge> {
  const initialize = {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'callboard', version: '1' } },
  };
  const response = await fetch(
    address,
    transport === 'sse'
      ? { headers: { ...headers, accept: 'text/event-stream' } }
      : {
          method: 'POST',
          headers: { ...headers, accept: 'application/json, text/event-stream', 'content-type': 'application/json' },
          body: JSON.stringify(initialize),
        },
  );
  return response.status === 401 ? extractWWWAuthenticateParams(response) : {};
}

interface Found {
  readonly authorizationServer: string;
  readonly metadata: AuthorizationServerMetadata | undefined;
  readonly resource: string;
  readonly resourceMetadata: OAuthProtectedResourceMetadata | undefined;
}

async function findAuthorizationServer(
  address: string,
  resourceMetadataUrl: URL | undefined,
  fetch: FetchLike,
): Promise<Found> {
  const own = resourceUrlFromServerUrl(address);
  let resourceMetadata: OAuthProtectedResourceMetadata | undefined;
  try {
    const options = resourceMetadataUrl === undefined ? {} : { resourceMetadataUrl };
    resourceMetadata = await discoverOAuthProtectedResourceMetadata(address, options, fetch);
  } catch (error) {
    // Servers of 2025-03-26 have none, and are their own authorization server.
    if (error instanceof SignInFault || resourceMetadataUrl !== undefined) throw faultOf(error, address);
  }
  const configured = resourceMetadata?.resource;
  if (configured !== undefined && !checkResourceAllowed({ requestedResource: own, configuredResource: configured })) {
    throw new SignInFault(`${own.host} says that its tokens are for another server, so nobody signs in there.`);
  }
  const authorizationServer = resourceMetadata?.authorization_servers?.[0] ?? new URL('/', address).href;
  const problem = URL.canParse(authorizationServer)
    ? addressProblem(new URL(authorizationServer))
    : 'it is no address.';
  if (problem !== undefined) throw new SignInFault(`The authorization server of ${own.host} is not called: ${problem}`);
  const { host } = new URL(authorizationServer);
  const metadata = await discoverAuthorizationServerMetadata(authorizationServer, { fetchFn: fetch }).catch(
    (error: unknown) => {
      throw faultOf(error, authorizationServer);
    },
  );
  if (metadata === undefined && resourceMetadata !== undefined) {
    throw new SignInFault(`${host} has no metadata of an authorization server, so nobody can sign in there.`);
  }
  if (metadata !== undefined) checkMetadata(metadata, authorizationServer, host);
  return { authorizationServer, metadata, resource: configured ?? own.href, resourceMetadata };
}

function checkMetadata(metadata: AuthorizationServerMetadata, authorizationServer: string, host: string): void {
  if (withoutSlash(metadata.issuer) !== withoutSlash(authorizationServer)) {
    const said = metadata.issuer.slice(0, 200);
    throw new SignInFault(`${host} calls itself '${said}', so it is not the authorization server that was named.`);
  }
  if (metadata.code_challenge_methods_supported?.includes('S256') !== true) {
    throw new SignInFault(`${host} does not say that it checks PKCE, which the MCP specification needs.`);
  }
}

async function clientOf(
  { clientMetadataUrl }: SignInServer,
  redirectUrl: string,
  { authorizationServer, metadata }: Found,
  fetch: FetchLike,
): Promise<BegunSignIn['client']> {
  if (clientMetadataUrl !== undefined && metadata?.client_id_metadata_document_supported === true) {
    return { client_id: clientMetadataUrl };
  }
  const { host } = new URL(authorizationServer);
  if (metadata !== undefined && metadata.registration_endpoint === undefined) {
    throw new SignInFault(
      `${host} lets no program register itself. Make a token there, keep it as a secret, and name it in the server's headers.`,
    );
  }
  const methods = metadata?.token_endpoint_auth_methods_supported ?? [];
  const method = methods.length === 0 || methods.includes('none') ? 'none' : methods[0];
  try {
    return await registerClient(authorizationServer, {
      ...(metadata && { metadata }),
      clientMetadata: {
        client_name: 'Callboard',
        redirect_uris: [redirectUrl],
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        ...(method !== undefined && { token_endpoint_auth_method: method }),
      },
      fetchFn: fetch,
    });
  } catch (error) {
    throw faultOf(error, authorizationServer);
  }
}

/** Authorization servers with this scope give no refresh token without it. */
function withRefresh(scope: string | undefined, metadata: AuthorizationServerMetadata | undefined): string | undefined {
  const offline = 'offline_access';
  if (metadata?.scopes_supported?.includes(offline) !== true) return scope;
  return scope?.split(' ').includes(offline) ? scope : `${scope ?? ''} ${offline}`.trim();
}

function keep(place: Omit<KeptSignIn, 'accessToken' | 'refreshToken'>, tokens: OAuthTokens, host: string) {
  if (tokens.token_type.toLowerCase() !== 'bearer') {
    throw new SignInFault(`${host} gives tokens of a kind that MCP does not have. Sign-in is not possible there.`);
  }
  const { access_token: accessToken, refresh_token: refreshToken, expires_in: expiresInSeconds, scope } = tokens;
  const kept: KeptSignIn = { ...place, scope: scope ?? place.scope, accessToken, refreshToken };
  return { kept, expiresInSeconds };
}

/** Codes after which the same refresh token does not work again (RFC 6749, section 5.2). */
const finalCodes: ReadonlySet<string> = new Set(['invalid_grant', 'invalid_client', 'unauthorized_client']);

function faultOf(error: unknown, where: string): SignInFault {
  if (error instanceof SignInFault) return error;
  const { host } = new URL(where);
  if (error instanceof OAuthError) {
    const code = error.errorCode;
    return new SignInFault(`${host} refused the sign-in (${code}).`, { isFinal: finalCodes.has(code) });
  }
  return new SignInFault(`${host} answers in a form that OAuth does not have.`);
}

function withoutSlash(text: string): string {
  return text.replace(/\/$/, '');
}
