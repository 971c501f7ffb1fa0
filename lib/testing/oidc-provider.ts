import { createHash, generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { freePort } from '@/lib/server/ports';

/** What the provider says of a person, and how it lies in a test. */
export interface ProviderLogin {
  readonly sub: string;
  readonly email: string;
  readonly verified?: boolean;
  readonly nonce?: string;
  readonly audience?: string | readonly string[];
  /** More claims, in place of what a provider that is right would send. */
  readonly claims?: Readonly<Record<string, unknown>>;
  /** True: no id token is sent. */
  readonly withoutToken?: boolean;
  /** True: the token is signed with a key that the provider does not publish. */
  readonly forged?: boolean;
}

export interface OidcProvider {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Signs a person in at the address that a browser was led to. Returns the address to which the provider leads the browser back. */
  logIn(address: string, login: ProviderLogin): string;
}

/** What an authorization code stands for. */
interface Grant {
  readonly login: ProviderLogin;
  readonly challenge: string;
  readonly redirect: string;
  readonly nonce: string;
}

const [keys, otherKeys] = [newKeys(), newKeys()];

/**
 * An OpenID Connect provider over HTTP: discovery, keys, and a token endpoint that checks client, code, PKCE and redirect and signs the id_token
 * with RS256. It is down until `start`.
 */
export async function oidcProvider(): Promise<OidcProvider> {
  const port = await freePort();
  const issuer = `http://127.0.0.1:${port}`;
  const [clientId, clientSecret] = ['callboard', 'a secret of the provider'];
  const grants = new Map<string, Grant>();
  let server: Server | undefined;
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const reply = (status: number, body: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    if (request.url === '/.well-known/openid-configuration') return reply(200, discovery(issuer));
    if (request.url === '/keys') {
      return reply(200, {
        keys: [{ ...keys.publicKey.export({ format: 'jwk' }), kid: 'one', alg: 'RS256', use: 'sig' }],
      });
    }
    if (request.url !== '/token' || request.method !== 'POST') return reply(404, {});
    const form = new URLSearchParams(await textOf(request));
    const grant = grants.get(form.get('code') ?? '');
    grants.delete(form.get('code') ?? '');
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    const isClient = isClientOf(request, form, { clientId, clientSecret });
    if (
      grant === undefined ||
      !isClient ||
      challenge !== grant.challenge ||
      form.get('redirect_uri') !== grant.redirect
    ) {
      return reply(400, { error: 'invalid_grant' });
    }
    return reply(200, {
      access_token: randomUUID(),
      token_type: 'Bearer',
      expires_in: 300,
      ...(grant.login.withoutToken !== true && { id_token: idToken(grant, { issuer, clientId }) }),
    });
  };
  return {
    ...{ issuer, clientId, clientSecret },
    async start() {
      const made = createServer((request, response) => void answer(request, response));
      server = made;
      await new Promise<void>((resolve) => made.listen(port, '127.0.0.1', resolve));
    },
    async stop() {
      const open = server;
      if (open === undefined) return;
      open.closeAllConnections();
      await new Promise((resolve) => open.close(resolve));
    },
    logIn(address, login) {
      const { origin, pathname, searchParams: asked } = new URL(address);
      if (`${origin}${pathname}` !== `${issuer}/authorize` || asked.get('client_id') !== clientId) {
        throw new Error(`Not led to the provider: ${address}`);
      }
      if (asked.get('code_challenge_method') !== 'S256') throw new Error('No PKCE');
      const code = randomUUID();
      const redirect = asked.get('redirect_uri') ?? '';
      const challenge = asked.get('code_challenge') ?? '';
      grants.set(code, { login, challenge, redirect, nonce: asked.get('nonce') ?? '' });
      const back = new URL(redirect);
      back.search = `${new URLSearchParams({ code, state: asked.get('state') ?? '', iss: issuer })}`;
      return `${back}`;
    },
  };
}

function newKeys() {
  return generateKeyPairSync('rsa', { modulusLength: 2048 });
}

function discovery(issuer: string): object {
  return {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/keys`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
    code_challenge_methods_supported: ['S256'],
  };
}

/** Both ways in which a client may give its secret: in the form, or as a header. */
function isClientOf(
  { headers }: IncomingMessage,
  form: URLSearchParams,
  { clientId, clientSecret }: { readonly clientId: string; readonly clientSecret: string },
): boolean {
  if (form.get('client_id') === clientId && form.get('client_secret') === clientSecret) return true;
  const [name, secret] = Buffer.from(headers.authorization?.replace('Basic ', '') ?? '', 'base64')
    .toString()
    .split(':');
  return decodeURIComponent(name ?? '') === clientId && decodeURIComponent(secret ?? '') === clientSecret;
}

function idToken(
  { login, nonce }: Grant,
  { issuer, clientId }: { readonly issuer: string; readonly clientId: string },
): string {
  const { sub, email, verified = true, forged = false } = login;
  const now = Math.floor(Date.now() / 1_000);
  const claims = {
    ...{ iss: issuer, aud: login.audience ?? clientId, sub, email, email_verified: verified, name: 'Somebody' },
    ...{ nonce: login.nonce ?? nonce, iat: now, exp: now + 300 },
    ...login.claims,
  };
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const head = `${part({ alg: 'RS256', kid: 'one', typ: 'JWT' })}.${part(claims)}`;
  const { privateKey } = forged ? otherKeys : keys;
  return `${head}.${sign('sha256', Buffer.from(head), privateKey).toString('base64url')}`;
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const part of request.setEncoding('utf8')) text += part;
  return text;
}
