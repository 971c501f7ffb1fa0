import { randomUUID } from 'node:crypto';
import pino from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { brandAs, type EpochMs } from '@/lib/base/ids';
import { folderOf } from '@/lib/cards/files';
import { openStore } from '@/lib/store/database';
import { findSealedSignIn, putSignIn, signInLabel } from '@/lib/store/mcp-sign-ins';
import { insertProject } from '@/lib/store/projects';
import { openingKey, sealNamed } from '@/lib/store/sealing';
import { startOAuthServers } from '@/lib/testing/oauth-server';
import { testDatabase } from '@/lib/testing/postgres';
import { createAddressGuard } from '@/lib/tools/mcp/address-guard';
import { createOAuthFetch } from '@/lib/tools/mcp/oauth-fetch';
import { beginSignIn, finishSignIn } from '@/lib/tools/mcp/sign-in-flow';
import { createSignInBook } from './sign-in-book';
import { systemClock } from './system-clock';

const { url, store } = await testDatabase();
const key = openingKey(Buffer.alloc(32, 21));
const guard = createAddressGuard(undefined);

let servers: Awaited<ReturnType<typeof startOAuthServers>>;
beforeEach(async () => {
  servers = await startOAuthServers();
});
afterEach(async () => await servers.close());

/** Signs in at the server, and stores the sign-in as one whose token is over. */
async function storedSignIn() {
  const http = createOAuthFetch(guard, new AbortController().signal);
  const server = { address: servers.url, transport: 'http' as const, headers: {} };
  const asked = { ...server, scope: undefined, clientMetadataUrl: undefined };
  const { url: leave, begun } = await beginSignIn(asked, 'http://127.0.0.1:3000/oauth/mcp/callback', http.fetch);
  leave.searchParams.set('state', 's');
  const { searchParams } = await servers.allow(leave.href);
  const answer = { code: searchParams.get('code') ?? '', issuer: searchParams.get('iss') ?? undefined };
  const { kept } = await finishSignIn(begun, answer, http.fetch);
  http.close();
  const project = await insertProject(store, 'Signed in', folderOf({ 'a.md': 'a' }));
  const id = randomUUID();
  const sealed = sealNamed(JSON.stringify(kept), signInLabel(id), key);
  const row = { id, projectId: project, server: 'who', address: servers.url, url: '', sealed, by: 'local' };
  await putSignIn(store, { ...row, provider: 'p', expiresAt: brandAs<EpochMs>(Date.now() - 1_000) });
  return { id, project };
}

/** A worker: a book of its own, on connections of its own. */
function worker() {
  const own = openStore(url);
  const book = createSignInBook({ store: own, clock: systemClock, log: pino({ level: 'silent' }), guard, keys: [key] });
  return { book, close: () => own.close() };
}

test('two workers that renew one sign-in at the same time make one refresh, and both use its token', async () => {
  const { id, project } = await storedSignIn();
  servers.behaviour.tokenDelayMs = 200;
  const workers = [worker(), worker()];
  const signIns = await Promise.all(workers.map(({ book }) => book.of(project)));
  // Each worker has several requests under way, as the runs of a worker do.
  const asked = signIns.flatMap((all) => [1, 2, 3].map(() => all.at(servers.url)?.token(undefined)));
  const tokens = await Promise.all(asked);
  expect(servers.counts).toMatchObject({ refreshes: 1, reused: 0 });
  expect(tokens).toHaveLength(6);
  expect(new Set(tokens.map((token) => JSON.stringify(token))).size).toBe(1);
  expect(tokens[0]?.ok).toBe(true);
  expect((await findSealedSignIn(store, id))?.version).toBe(2);
  await Promise.all(workers.map(({ close }) => close()));
});

test('two workers whose token the server refused make one refresh', async () => {
  const { project } = await storedSignIn();
  const workers = [worker(), worker()];
  const signIns = await Promise.all(workers.map(({ book }) => book.of(project)));
  const first = await signIns[0]?.at(servers.url)?.token(undefined);
  expect(servers.counts.refreshes).toBe(1);
  const old = first?.ok ? first.value : '';
  servers.behaviour.tokenDelayMs = 200;
  const tokens = await Promise.all(signIns.map((all) => all.at(servers.url)?.token(old)));
  expect(servers.counts).toMatchObject({ refreshes: 2, reused: 0 });
  expect(tokens[0]).toEqual(tokens[1]);
  expect(tokens[0]?.ok && tokens[0].value).not.toBe(old);
  await Promise.all(workers.map(({ close }) => close()));
});
