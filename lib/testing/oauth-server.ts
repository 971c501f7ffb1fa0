import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { isRecord, parseJson } from '@/lib/base/json';

/** What a test may change while the servers run. */
export interface OAuthBehaviour {
  expiresInSeconds: number;
  /** With false no refresh token is given. */
  refreshes: boolean;
  /** The `iss` of the callback; `undefined` leaves it out. */
  iss: string | undefined;
  /** What the authorization server says about itself, over its usual metadata. */
  metadata: Record<string, unknown>;
  /** The resource that the MCP server says it is; its own address by default. */
  resource: string | undefined;
  /** The answer of the token endpoint, in place of its usual one. */
  tokenError: { readonly status: number; readonly error: string } | undefined;
  /** Where the token endpoint is. The metadata say it. */
  tokenPath: string;
  /** Delays each answer of the token endpoint. */
  tokenDelayMs: number;
  /** With false the MCP server has no metadata, as in protocol 2025-03-26, and is its own authorization server. */
  hasMetadata: boolean;
}

/**
 * Starts a real MCP server that wants a token, and its authorization server on another port. Refresh tokens are rotated: a second use
 * of one revokes all tokens of its sign-in, as authorization servers do. Longer than 80 lines because both servers share their tokens. Tools: `whoami` gives back the header `Authorization`.
 */
export async function startOAuthServers() {
  const secrets: string[] = [];
  const counts = { registrations: 0, codes: 0, refreshes: 0, reused: 0, revoked: 0 };
  const headersSeen: (string | undefined)[] = [];
  const clients = new Map<string, { readonly secret: string; readonly redirects: readonly string[] }>();
  const codes = new Map<string, { readonly client: string; readonly redirect: string; readonly challenge: string }>();
  const access = new Map<string, { readonly family: string; readonly until: number; readonly resource: string }>();
  const refresh = new Map<string, { readonly family: string; isUsed: boolean }>();
  const mcp = http.createServer((request, response) => void serve(request, response, answerMcp));
  const provider = http.createServer((request, response) => void serve(request, response, answerProvider));
  for (const server of [mcp, provider]) {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  }
  const originOf = (server: http.Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const [mcpOrigin, issuer] = [originOf(mcp), originOf(provider)];
  const url = `${mcpOrigin}/mcp`;
  const behaviour: OAuthBehaviour = {
    ...{ expiresInSeconds: 3_600, refreshes: true, iss: issuer, metadata: {}, resource: undefined },
    ...{ tokenError: undefined, tokenPath: '/token', tokenDelayMs: 0, hasMetadata: true },
  };

  function secret(kind: string): string {
    const value = `${kind}-${randomBytes(16).toString('hex')}`;
    secrets.push(value);
    return value;
  }

  function endFamily(family: string): void {
    for (const all of [access, refresh]) for (const [key, { family: own }] of all) if (own === family) all.delete(key);
  }

  function giveTokens(family: string, resource: string): Answer {
    const token = secret('access');
    access.set(token, { family, until: Date.now() + behaviour.expiresInSeconds * 1_000, resource });
    const renewal = behaviour.refreshes ? secret('refresh') : undefined;
    if (renewal !== undefined) refresh.set(renewal, { family, isUsed: false });
    const body = { access_token: token, token_type: 'Bearer', expires_in: behaviour.expiresInSeconds };
    return { status: 200, body: { ...body, ...(renewal !== undefined && { refresh_token: renewal }) } };
  }

  async function token(form: URLSearchParams): Promise<Answer> {
    await new Promise((resolve) => setTimeout(resolve, behaviour.tokenDelayMs));
    const { tokenError } = behaviour;
    // The description quotes what came, as some servers do.
    if (tokenError)
      return { status: tokenError.status, body: { error: tokenError.error, error_description: `${form}` } };
    const refused = (error: string): Answer => ({ status: 400, body: { error, error_description: `${form}` } });
    const client = clients.get(form.get('client_id') ?? '');
    if (client === undefined || client.secret !== form.get('client_secret')) return refused('invalid_client');
    if (form.get('resource') !== (behaviour.resource ?? url)) return refused('invalid_target');
    if (form.get('grant_type') === 'refresh_token') {
      const known = refresh.get(form.get('refresh_token') ?? '');
      if (known?.isUsed) {
        counts.reused += 1;
        endFamily(known.family);
      }
      if (known === undefined || known.isUsed) return refused('invalid_grant');
      known.isUsed = true;
      counts.refreshes += 1;
      return giveTokens(known.family, url);
    }
    const code = form.get('code') ?? '';
    const begun = codes.get(code);
    codes.delete(code);
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    const fits = begun?.challenge === challenge && begun.redirect === form.get('redirect_uri');
    if (!fits) return refused('invalid_grant');
    counts.codes += 1;
    return giveTokens(randomBytes(4).toString('hex'), url);
  }

  async function answerProvider({ method, path, query, text }: Asked): Promise<Answer> {
    const form = new URLSearchParams(text);
    switch (`${method} ${path}`) {
      case 'GET /.well-known/oauth-authorization-server': {
        const own = { ...metadataOf(issuer), token_endpoint: `${issuer}${behaviour.tokenPath}` };
        return { status: 200, body: { ...own, ...behaviour.metadata } };
      }
      case 'POST /register': {
        counts.registrations += 1;
        const body = parseJson(text);
        const redirects = isRecord(body) && Array.isArray(body.redirect_uris) ? body.redirect_uris.map(String) : [];
        const id = `client-${counts.registrations}`;
        const own = secret('client-secret');
        clients.set(id, { secret: own, redirects });
        const more = { redirect_uris: redirects, token_endpoint_auth_method: 'client_secret_post' };
        return { status: 201, body: { client_id: id, client_secret: own, ...more } };
      }
      case 'GET /authorize': {
        const client = query.get('client_id') ?? '';
        const redirect = query.get('redirect_uri') ?? '';
        const challenge = query.get('code_challenge') ?? '';
        const isKnown = clients.get(client)?.redirects.includes(redirect) === true;
        if (!isKnown || query.get('code_challenge_method') !== 'S256') return { status: 400, body: 'not registered' };
        const code = secret('code');
        codes.set(code, { client, redirect, challenge });
        const back = new URL(redirect);
        back.searchParams.set('code', code);
        back.searchParams.set('state', query.get('state') ?? '');
        if (behaviour.iss !== undefined) back.searchParams.set('iss', behaviour.iss);
        // A page with a button, as people see it.
        return { status: 200, body: `<h1>Sign in</h1><a href="${back.href.replaceAll('&', '&amp;')}">Allow</a>` };
      }
      case `POST ${behaviour.tokenPath}`:
        return await token(form);
      case 'POST /revoke': {
        counts.revoked += 1;
        const given = form.get('token') ?? '';
        const family = refresh.get(given)?.family ?? access.get(given)?.family;
        if (family !== undefined) endFamily(family);
        return { status: 200, body: {} };
      }
      default:
        return { status: 404, body: 'nothing here' };
    }
  }

  function answerMcp({ method, path, text, headers }: Asked): Answer {
    if (path.startsWith('/.well-known/oauth-protected-resource')) {
      if (!behaviour.hasMetadata) return { status: 404, body: 'nothing here' };
      const body = { resource: behaviour.resource ?? url, authorization_servers: [issuer], scopes_supported: ['read'] };
      return { status: 200, body };
    }
    if (path !== '/mcp') return { status: 404, body: 'nothing here' };
    headersSeen.push(headers.authorization);
    const given = headers.authorization?.replace(/^Bearer /, '') ?? '';
    const known = access.get(given);
    if (known === undefined || known.until <= Date.now()) {
      const where = behaviour.hasMetadata
        ? ` resource_metadata="${mcpOrigin}/.well-known/oauth-protected-resource/mcp"`
        : ' realm="mcp"';
      return { status: 401, body: `no entry with ${given}`, headers: { 'www-authenticate': `Bearer${where}` } };
    }
    return method === 'POST' ? callMcp(text, headers.authorization ?? '') : { status: 405, body: '' };
  }

  return {
    url,
    issuer,
    behaviour,
    counts,
    /** The `Authorization` headers that the MCP server got. */
    headersSeen,
    /** Every code, token and client secret that was given. */
    secrets,
    /** Ends all access tokens, as if their time was over. */
    expireAccess: () => access.clear(),
    /** Does what a person does who presses the button, and returns where the browser goes then. */
    async allow(address: string): Promise<URL> {
      const page = await (await fetch(address)).text();
      const link = /href="([^"]*)"/.exec(page)?.[1];
      if (link === undefined) throw new Error(`No button on the page: ${page}`);
      return new URL(link.replaceAll('&amp;', '&'));
    },
    async close(): Promise<void> {
      for (const server of [mcp, provider]) {
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
      }
    },
  };
}

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly text: string;
  readonly headers: http.IncomingHttpHeaders;
}

interface Answer {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

async function serve(
  request: http.IncomingMessage,
  response: http.ServerResponse,
  answer: (asked: Asked) => Answer | Promise<Answer>,
): Promise<void> {
  let text = '';
  for await (const part of request) text += part;
  const { pathname: path, searchParams: query } = new URL(request.url ?? '/', 'http://x');
  const asked = { method: request.method ?? '', path, query, text, headers: request.headers };
  const { status, body, headers } = await answer(asked);
  const type = typeof body === 'string' ? 'text/html' : 'application/json';
  response.writeHead(status, { 'content-type': type, ...headers });
  response.end(status === 202 ? undefined : typeof body === 'string' ? body : JSON.stringify(body));
}

function metadataOf(issuer: string) {
  return {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    registration_endpoint: `${issuer}/register`,
    revocation_endpoint: `${issuer}/revoke`,
    response_types_supported: ['code'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['client_secret_post'],
    authorization_response_iss_parameter_supported: true,
  };
}

function callMcp(text: string, authorization: string): Answer {
  const message = parseJson(text);
  if (!isRecord(message) || message.id === undefined) return { status: 202, body: '' };
  const result = (value: unknown): Answer => ({ status: 200, body: { jsonrpc: '2.0', id: message.id, result: value } });
  switch (message.method) {
    case 'initialize':
      return result({
        protocolVersion: '2025-06-18',
        capabilities: { tools: {} },
        serverInfo: { name: 'guarded', version: '1' },
      });
    case 'tools/list':
      return result({ tools: [{ name: 'whoami', inputSchema: { type: 'object' } }] });
    case 'tools/call':
      return result({ content: [{ type: 'text', text: `you sent ${authorization}` }] });
    case 'ping':
      return result({});
    default:
      return { status: 200, body: { jsonrpc: '2.0', id: message.id, error: { code: -32601, message: 'no' } } };
  }
}
