import { afterEach, beforeEach, expect, test } from 'vitest';
import { startOAuthServers } from '@/lib/testing/oauth-server';
import { createAddressGuard } from '@/lib/tools/mcp/address-guard';
import { begunSignIn, keptSignIn, secretsOfSignIn } from './kept-sign-in';
import { createOAuthFetch, type OAuthFetch } from './oauth-fetch';
import { beginSignIn, finishSignIn, refreshSignIn, revokeSignIn } from './sign-in-flow';

let servers: Awaited<ReturnType<typeof startOAuthServers>>;
let http: OAuthFetch;
beforeEach(async () => {
  servers = await startOAuthServers();
  http = createOAuthFetch(createAddressGuard(undefined), new AbortController().signal);
});
afterEach(async () => {
  http.close();
  await servers.close();
});

const redirectUrl = 'http://127.0.0.1:3000/oauth/mcp/callback';
const begin = (more: object = {}) =>
  beginSignIn(
    { address: servers.url, transport: 'http', headers: {}, scope: undefined, clientMetadataUrl: undefined, ...more },
    redirectUrl,
    http.fetch,
  );

/** Signs in, with what is kept written and read as a worker does it. */
async function signIn(change: (back: URL) => void = () => undefined) {
  const { url, begun } = await begin();
  url.searchParams.set('state', 's');
  const back = await servers.allow(url.href);
  change(back);
  const { searchParams } = back;
  const answer = { code: searchParams.get('code') ?? '', issuer: searchParams.get('iss') ?? undefined };
  const { kept, expiresInSeconds } = await finishSignIn(
    begunSignIn.parse(JSON.parse(JSON.stringify(begun))),
    answer,
    http.fetch,
  );
  return { kept: keptSignIn.parse(JSON.parse(JSON.stringify(kept))), expiresInSeconds };
}

test('a person signs in: metadata, registration, PKCE, resource, tokens, refresh, revocation', async () => {
  const { url, begun } = await begin();
  const { searchParams } = url;
  expect(url.origin).toBe(servers.issuer);
  expect(Object.fromEntries(searchParams)).toMatchObject({
    ...{ response_type: 'code', client_id: 'client-1', code_challenge_method: 'S256' },
    ...{ redirect_uri: redirectUrl, resource: servers.url, scope: 'read' },
  });
  expect(searchParams.has('state')).toBe(false);
  expect(url.href).not.toContain(begun.codeVerifier);
  const { kept, expiresInSeconds } = await signIn();
  expect(expiresInSeconds).toBe(3_600);
  expect(secretsOfSignIn(kept).every((secret) => servers.secrets.includes(secret))).toBe(true);
  const renewed = await refreshSignIn(kept, http.fetch);
  expect(renewed.kept.accessToken).not.toBe(kept.accessToken);
  expect(renewed.kept.refreshToken).not.toBe(kept.refreshToken);
  expect(await revokeSignIn(renewed.kept, http.fetch)).toBe(true);
  expect(servers.counts).toMatchObject({ codes: 1, refreshes: 1, revoked: 2, reused: 0 });
});

test('tokens come from the address that the metadata name, also when they are renewed', async () => {
  servers.behaviour.tokenPath = '/tenants/one/oauth/tokens';
  const { kept } = await signIn();
  expect((await refreshSignIn(kept, http.fetch)).kept.accessToken).not.toBe(kept.accessToken);
  expect(servers.counts).toMatchObject({ codes: 1, refreshes: 1 });
});

test('an answer of another issuer, or without the promised issuer, is not used', async () => {
  servers.behaviour.iss = 'https://evil.example';
  await expect(signIn()).rejects.toThrow('did not come from');
  servers.behaviour.iss = undefined;
  await expect(signIn()).rejects.toThrow('did not come from');
  servers.behaviour.metadata = { authorization_response_iss_parameter_supported: false };
  expect((await signIn()).kept.accessToken).toContain('access-');
  expect(servers.counts.codes).toBe(1);
});

test.each<[what: string, metadata: Record<string, unknown>, says: string]>([
  ['an authorization server of another name', { issuer: 'https://evil.example' }, 'calls itself'],
  ['one without PKCE', { code_challenge_methods_supported: ['plain'] }, 'PKCE'],
  ['one that lets no program register', { registration_endpoint: undefined }, 'lets no program register itself'],
  ['an authorize address without TLS', { authorization_endpoint: 'http://example.com/a' }, 'https'],
  ['a token address without TLS', { registration_endpoint: 'http://example.com/r' }, 'https'],
  ['a metadata address of the cloud', { registration_endpoint: 'https://169.254.169.254/r' }, 'metadata'],
  ['a private address', { registration_endpoint: 'https://10.0.0.7/r' }, 'private address'],
])('metadata with %s are refused with a reason', async (_, metadata, says) => {
  servers.behaviour.metadata = metadata;
  await expect(begin()).rejects.toThrow(says);
});

test('a server that claims tokens for another server is refused', async () => {
  servers.behaviour.resource = 'https://bank.example/mcp';
  await expect(begin()).rejects.toThrow('for another server');
});

test('faults name the code alone, because servers quote tokens, and only some are final', async () => {
  const { kept } = await signIn();
  const failed = async () => await refreshSignIn(kept, http.fetch).catch((error: unknown) => error);
  servers.behaviour.tokenError = { status: 503, error: 'temporarily_unavailable' };
  expect(await failed()).toMatchObject({ isFinal: false, message: expect.stringContaining('temporarily_unavailable') });
  servers.behaviour.tokenError = { status: 400, error: 'invalid_grant' };
  const fault = await failed();
  expect(fault).toMatchObject({ isFinal: true });
  for (const secret of servers.secrets) expect(`${fault}`).not.toContain(secret);
  servers.behaviour.tokenError = undefined;
  expect(
    await refreshSignIn({ ...kept, refreshToken: undefined }, http.fetch).catch((error: unknown) => error),
  ).toMatchObject({
    isFinal: true,
  });
});
