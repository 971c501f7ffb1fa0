import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { z } from 'zod';
import { GET as exportAudit } from '@/app/api/v1/audit/export/route';
import { GET as audit } from '@/app/api/v1/audit/route';
import { DELETE as revokeGrant } from '@/app/api/v1/grants/[grant]/route';
import { GET as pendingStream } from '@/app/api/v1/pending/stream/route';
import { DELETE as deleteProject, GET as readProject, PATCH as rename } from '@/app/api/v1/projects/[project]/route';
import { POST as createProject, GET as listProjects } from '@/app/api/v1/projects/route';
import { GET as readRun } from '@/app/api/v1/runs/[run]/route';
import { POST as stopRun } from '@/app/api/v1/runs/[run]/stop/route';
import { PUT as putSecret } from '@/app/api/v1/secrets/[name]/route';
import { DELETE as revoke } from '@/app/api/v1/tokens/[token]/route';
import { GET as tokens } from '@/app/api/v1/tokens/route';
import { POST as traces } from '@/app/v1/traces/route';
import type { Actor } from '@/lib/base/actor';
import { AppError } from '@/lib/base/app-error';
import type { ProjectId } from '@/lib/base/ids';
import { type Scope, scopes } from '@/lib/base/rights';
import { folderOf } from '@/lib/cards/files';
import { newToken } from '@/lib/server/accounts/token-text';
import { listAllTokens, listOwnTokens, makeToken, revokeAnyToken, revokeOwnToken } from '@/lib/server/accounts/tokens';
import { whoAsks } from '@/lib/server/accounts/who-asks';
import { services } from '@/lib/server/services';
import { findAudit } from '@/lib/store/audit';
import { insertProject } from '@/lib/store/projects';
import { openingKey } from '@/lib/store/sealing';
import { localActor } from '@/lib/testing/local-actor';
import { testDatabase } from '@/lib/testing/postgres';
import { storedRun } from '@/lib/testing/stored-run';
import { personInBrowser, scriptRequest, tokenFor, withTokens } from '@/lib/testing/token-people';

const { url, store } = await testDatabase();
withTokens(url);

let here: ProjectId;
let there: ProjectId;
let ann: Actor;
beforeAll(async () => {
  here = await insertProject(store, 'Here', folderOf({ 'a.md': 'a' }));
  there = await insertProject(store, 'There', folderOf({ 'a.md': 'a' }));
  ann = await personInBrowser(store, 'ann@tokens.example', { administrator: true, in: { [here]: 'admin' } });
});

type Route = (request: Request, context: { params: Promise<never> }) => Promise<Response>;

/** Asks a route with a token. Returns the status and the sentence of an error. */
async function ask(route: Route, token: string, params: object = {}, init: RequestInit & { path?: string } = {}) {
  const response = await route(scriptRequest(`Bearer ${token}`, init), { params: Promise.resolve(params) as never });
  const body: unknown = response.status === 204 ? null : await response.json().catch(() => null);
  const error = z.object({ error: z.object({ code: z.string(), message: z.string() }) }).safeParse(body);
  return { status: response.status, body, said: error.success ? error.data.error.message : undefined };
}

const json = (body: unknown) => ({
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

const spansOf = (traceId: string) => ({
  resourceSpans: [
    {
      scopeSpans: [
        {
          spans: [
            {
              ...{ traceId, spanId: 'ab'.repeat(8), name: 'invoke_agent writer', kind: 1 },
              ...{ startTimeUnixNano: '1700000000000000000', endTimeUnixNano: '1700000001000000000' },
              attributes: [{ key: 'gen_ai.operation.name', value: { stringValue: 'invoke_agent' } }],
            },
          ],
        },
      ],
    },
  ],
});

describe('scopes', () => {
  /** What is asked, and the scopes that it is answered for. 404 and 400 are answers: the request was allowed. */
  const asked: readonly (readonly [string, readonly Scope[], (token: string) => Promise<{ status: number }>])[] = [
    [
      'read a project',
      ['read', 'run', 'answer', 'edit', 'review', 'manage'],
      (token) => ask(readProject, token, { project: here }),
    ],
    [
      'rename it',
      ['edit'],
      (token) => ask(rename, token, { project: here }, { method: 'PATCH', ...json({ name: 'Here' }) }),
    ],
    [
      'set its secrets',
      ['manage'],
      (token) =>
        ask(
          putSecret,
          token,
          { name: 'A_KEY' },
          { method: 'PUT', path: `/?project=${here}`, ...json({ value: 'value-of-the-team-1234' }) },
        ),
    ],
    ['read its audit log', ['manage'], (token) => ask(audit, token, {}, { path: `/?project=${here}` })],
    ['read that of the installation', ['administer'], (token) => ask(audit, token)],
    [
      'make a project',
      ['create'],
      (token) =>
        ask(createProject, token, {}, { method: 'POST', ...json({ name: 'New', files: { 'agent-cards/a.md': 'a' } }) }),
    ],
    [
      'send traces',
      ['run', 'ingest'],
      (token) =>
        ask(
          traces,
          token,
          {},
          {
            method: 'POST',
            headers: { 'content-type': 'application/json', 'callboard-project': here },
            body: JSON.stringify(spansOf('ef'.repeat(16))),
          },
        ),
    ],
  ];

  it.each(scopes)('the scope %s allows what it says', async (scope) => {
    vi.stubEnv('CALLBOARD_SEALING_KEY', openingKey(Buffer.alloc(32, 5)).publicKey);
    const token = await tokenFor(ann, [scope]);
    const allowed: string[] = [];
    for (const [what, , send] of asked) {
      const { status } = await send(token);
      if (![401, 403, 404].includes(status)) allowed.push(what);
    }
    expect(allowed).toEqual(asked.filter(([, needed]) => needed.includes(scope)).map(([what]) => what));
  });

  it('a run and what people answer need their scopes too', async () => {
    const run = await storedRun(store);
    const stop = async (scope: Scope) =>
      (await ask(stopRun, await tokenFor(ann, [scope]), { run }, { method: 'POST' })).status;
    expect((await ask(readRun, await tokenFor(ann, ['read']), { run })).status).toBe(200);
    expect((await ask(readRun, await tokenFor(ann, ['ingest']), { run })).status).toBe(404);
    expect(await stop('read')).toBe(403);
    const none = { grant: 'none' };
    const { said } = await ask(revokeGrant, await tokenFor(ann, ['answer']), none, { method: 'DELETE' });
    expect(said).toMatch(/no such remembered approval/);
  });

  it('a token of one project sends traces there without naming it, and another one has to name it', async () => {
    const send = (token: string, traceId: string) =>
      ask(traces, token, {}, { method: 'POST', ...json(spansOf(traceId)) });
    const before = await store.prisma.run.count({ where: { projectId: here } });
    expect((await send(await tokenFor(ann, ['ingest'], { project: here }), 'aa'.repeat(16))).status).toBe(200);
    expect(await store.prisma.run.count({ where: { projectId: here } })).toBe(before + 1);
    const { status, said } = await send(await tokenFor(ann, ['ingest']), 'bb'.repeat(16));
    expect([status, said]).toEqual([400, 'Name the project for the runs: the header Callboard-Project has its id.']);
  });

  it('a refusal names the missing scope, and a token of one project sees no other', async () => {
    const reads = await tokenFor(ann, ['read']);
    expect(await ask(deleteProject, reads, { project: here }, { method: 'DELETE' })).toMatchObject({
      status: 403,
      said: "This token may not delete this project. It needs the scope 'manage'.",
    });
    expect(await ask(exportAudit, reads)).toMatchObject({ status: 403, said: expect.stringContaining("'manage'") });
    const narrow = await tokenFor(ann, ['read', 'edit'], { project: here });
    expect((await ask(readProject, narrow, { project: here })).status).toBe(200);
    expect((await ask(readProject, narrow, { project: there })).status).toBe(404);
    const { body } = await ask(listProjects, narrow, {}, { path: '/?fields=name' });
    expect(JSON.stringify(body)).toContain(here);
    expect(JSON.stringify(body)).not.toContain(there);
  });

  it('a token has the rights that its person has now', async () => {
    const ben = await personInBrowser(store, 'ben@tokens.example', { in: { [here]: 'editor' } });
    const token = await tokenFor(ben, [...scopes]);
    const renames = () => ask(rename, token, { project: here }, { method: 'PATCH', ...json({ name: 'Here' }) });
    expect((await renames()).status).toBe(200);
    expect((await ask(audit, token)).status).toBe(403);
    await store.prisma.member.updateMany({
      where: { addedBy: 'local', user: { email: ben.by } },
      data: { role: 'viewer' },
    });
    expect((await renames()).status).toBe(403);
    await store.prisma.member.deleteMany({ where: { user: { email: ben.by } } });
    expect((await renames()).status).toBe(404);
  });
});

describe('a token that is of no use says why', () => {
  const use = (token: string) => ask(tokens, token);

  it('revoked: the next request is refused', async () => {
    const token = await tokenFor(ann, ['read'], { name: 'to revoke' });
    expect((await use(token)).status).toBe(200);
    const [row] = (await listOwnTokens(ann)).filter(({ name }) => name === 'to revoke');
    await revokeOwnToken(ann, row?.id ?? '');
    expect(await use(token)).toMatchObject({ status: 401, said: expect.stringMatching(/^This token was revoked\./) });
    expect((await listOwnTokens(ann)).map(({ name }) => name)).not.toContain('to revoke');
    await expect(revokeOwnToken(ann, row?.id ?? '')).rejects.toThrow('There is no such token');
  });

  it('expired, and a token without an end does not expire', async () => {
    const token = await tokenFor(ann, ['read'], { name: 'short', days: 1 });
    const endless = await tokenFor(ann, ['read'], { name: 'endless', days: null });
    await store.pool.query(`UPDATE "ApiToken" SET "expiresAt" = now() WHERE name = 'short'`);
    expect(await use(token)).toMatchObject({ status: 401, said: expect.stringMatching(/^This token has expired\./) });
    expect((await use(endless)).status).toBe(200);
    expect((await listOwnTokens(ann)).find(({ name }) => name === 'endless')?.expiresAt).toBeNull();
  });

  it('its person is deactivated', async () => {
    const eve = await personInBrowser(store, 'eve@tokens.example', { in: { [here]: 'admin' } });
    const token = await tokenFor(eve, ['read']);
    expect((await use(token)).status).toBe(200);
    await store.prisma.authUser.update({ where: { email: eve.by }, data: { deactivatedAt: new Date() } });
    expect(await use(token)).toMatchObject({ status: 401, said: expect.stringMatching(/^The person of this token/) });
  });

  it('it is of another installation, or was copied wrongly', async () => {
    expect((await use(newToken())).said).toMatch(/^This installation does not know this token\./);
    expect((await use(newToken().slice(0, -1))).said).toMatch(/^This token is not complete/);
    expect((await use('token-of-the-file')).said).toMatch(/^This is no token of Callboard: one begins with cb_\./);
  });

  it('without one, a script is told what to send', async () => {
    const response = await tokens(scriptRequest(undefined), { params: Promise.resolve({}) as never });
    expect(response.status).toBe(401);
    expect((await response.json()).error.message).toContain(
      'personal token in the header "Authorization: Bearer cb_…"',
    );
  });

  it('the answer is a 401 with a challenge', async () => {
    const response = await tokens(scriptRequest(`Bearer ${newToken()}`), { params: Promise.resolve({}) as never });
    expect([response.status, response.headers.get('www-authenticate')]).toEqual([401, 'Bearer realm="Callboard"']);
    expect((await response.json()).error.code).toBe('not_signed_in');
  });
});

it.each([
  ['of the scheme alone', 'Bearer'],
  ['with spaces', 'Bearer   '],
  ['with null', 'Bearer null'],
  ['with undefined', 'bearer undefined'],
  ['with a prefix alone', 'Bearer cb_'],
  ['with a prefix and null', 'BEARER cb_null'],
  ['of 30,000 characters', `Bearer ${'cb_'.repeat(10_000)}`],
  ['with letters of other scripts', 'Bearer cb_\u00e9\u00ff'],
])('a header %s is refused without a look into the database', async (_what, header) => {
  const { pool } = (await services()).store;
  const query = vi.spyOn(pool, 'query');
  onTestFinished(() => query.mockRestore());
  await expect(whoAsks(scriptRequest(header))).rejects.toThrow(AppError);
  expect(query).not.toHaveBeenCalled();
});

it('two tokens in one request, and a token in an address or in another header, sign nobody in', async () => {
  const token = await tokenFor(ann, ['read']);
  const two = new Headers([
    ['authorization', `Bearer ${token}`],
    ['authorization', `Bearer ${token}`],
  ]);
  await expect(whoAsks(scriptRequest(two.get('authorization') ?? ''))).rejects.toThrow(/not complete/);
  for (const path of [`/?token=${token}`, `/?access_token=${token}`]) {
    expect(await whoAsks(scriptRequest(undefined, { path }))).toBeUndefined();
  }
  const basic = Buffer.from(`ann:${token}`).toString('base64');
  expect(await whoAsks(scriptRequest(`Basic ${basic}`))).toBeUndefined();
  expect((await whoAsks(scriptRequest(`bEaReR   ${token}`)))?.by).toBe('ann@tokens.example');
});

it('a request with a token costs two queries, and its use is noted once a minute', async () => {
  const token = await tokenFor(ann, ['read'], { name: 'watched' });
  const used = async () => (await listOwnTokens(ann)).find(({ name }) => name === 'watched')?.usedAt;
  expect(await used()).toBeNull();
  await whoAsks(scriptRequest(`Bearer ${token}`));
  await vi.waitFor(async () => expect(await used()).toEqual(expect.any(Number)));
  const first = await used();
  const { pool } = (await services()).store;
  const query = vi.spyOn(pool, 'query');
  await whoAsks(scriptRequest(`Bearer ${token}`));
  expect(query).toHaveBeenCalledTimes(2);
  query.mockRestore();
  expect(await used()).toBe(first);
  await store.pool.query(`UPDATE "ApiToken" SET "usedAt" = now() - interval '2 minutes' WHERE name = 'watched'`);
  await whoAsks(scriptRequest(`Bearer ${token}`));
  await vi.waitFor(async () => expect(await used()).toBeGreaterThan(first ?? Number.POSITIVE_INFINITY));
});

it('many wrong tokens from one address are refused, but not one that was right there before', async () => {
  const from = '203.0.113.50';
  const status = async (token: string) =>
    (await tokens(scriptRequest(`Bearer ${token}`, { from }), { params: Promise.resolve({}) as never })).status;
  const known = await tokenFor(ann, ['read']);
  expect(await status(known)).toBe(200);
  const statuses: number[] = [];
  for (let index = 0; index < 32; index++) statuses.push(await status(newToken()));
  expect([statuses.filter((each) => each === 401).length, statuses.at(-1)]).toEqual([30, 429]);
  const other = await tokenFor(ann, ['read']);
  expect([await status(known), await status(other)]).toEqual([200, 429]);
  expect((await whoAsks(scriptRequest(`Bearer ${other}`)))?.via).toBe('api');
});

describe('an open stream', () => {
  const timers = () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
  };
  /** Opens the stream of questions, and returns how to read it to its end. */
  const open = async (token: string) => {
    const response = await pendingStream(scriptRequest(`Bearer ${token}`), { params: Promise.resolve({}) as never });
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    await reader.read();
    return async () => {
      for (;;) if ((await reader.read()).done) return;
    };
  };

  it('ends when its token is revoked', async () => {
    timers();
    const end = await open(await tokenFor(ann, ['read'], { name: 'of a stream' }));
    const id = (await listOwnTokens(ann)).find(({ name }) => name === 'of a stream')?.id ?? '';
    await revokeOwnToken(ann, id);
    await vi.advanceTimersByTimeAsync(10_000);
    await end();
  });

  it('ends when its person gets another role, and goes on otherwise', async () => {
    timers();
    const joy = await personInBrowser(store, 'joy@tokens.example', { in: { [here]: 'editor' } });
    const token = await tokenFor(joy, ['read']);
    let isOver = false;
    const over = (await open(token))().then(() => {
      isOver = true;
    });
    const { pool } = (await services()).store;
    const query = vi.spyOn(pool, 'query');
    await vi.advanceTimersByTimeAsync(10_000);
    await vi.waitFor(() => expect(query).toHaveBeenCalled());
    await Promise.all(query.mock.results.map(({ value }) => value));
    query.mockRestore();
    expect(isOver).toBe(false);
    await store.prisma.member.updateMany({ where: { user: { email: joy.by } }, data: { role: 'viewer' } });
    await vi.advanceTimersByTimeAsync(10_000);
    await over;
  });
});

it('a token makes no tokens, sees only itself, and revokes only itself', async () => {
  const token = await tokenFor(ann, [...scopes], { name: 'own' });
  await tokenFor(ann, ['read'], { name: 'other' });
  const own = (await whoAsks(scriptRequest(`Bearer ${token}`))) as Actor;
  const request = { name: 'more', scopes: ['read'] as const, project: null, days: 90 };
  await expect(makeToken(own, request)).rejects.toThrow(
    'This token may not change an account with a token. Do it in the browser.',
  );
  const listed = z.object({ tokens: z.array(z.object({ id: z.string(), name: z.string() })) });
  const { body } = await ask(tokens, token);
  expect(listed.parse(body).tokens.map(({ name }) => name)).toEqual(['own']);
  expect(JSON.stringify(body)).not.toContain(token);
  const other = (await listOwnTokens(ann)).find(({ name }) => name === 'other')?.id ?? '';
  expect((await ask(revoke, token, { token: other }, { method: 'DELETE' })).status).toBe(404);
  expect((await ask(revoke, token, { token: 'current' }, { method: 'DELETE' })).status).toBe(204);
  expect((await ask(tokens, token)).status).toBe(401);
});

it('administrators see and revoke the tokens of everybody, and others do not', async () => {
  const kim = await personInBrowser(store, 'kim@tokens.example');
  const token = await tokenFor(kim, ['read'], { name: 'of Kim' });
  await expect(listAllTokens(kim)).rejects.toThrow('Ask an administrator');
  const row = (await listAllTokens(ann)).find(({ name }) => name === 'of Kim');
  expect(row).toMatchObject({ prefix: token.slice(0, 11), owner: { email: 'kim@tokens.example' } });
  await expect(revokeOwnToken(ann, row?.id ?? '')).rejects.toThrow('There is no such token');
  await expect(revokeAnyToken(kim, row?.id ?? '')).rejects.toThrow('Ask an administrator');
  await revokeAnyToken(ann, row?.id ?? '');
  expect((await ask(tokens, token)).status).toBe(401);
  const entries = await findAudit(store, { actions: ['token.created', 'token.revoked'], limit: 2 }, undefined);
  expect(entries.map(({ action, actor, body }) => [action, actor, JSON.parse(body).name])).toEqual([
    ['token.revoked', 'ann@tokens.example', 'of Kim'],
    ['token.created', 'kim@tokens.example', 'of Kim'],
  ]);
});

it('the database keeps the hash, and neither it nor the audit log has the token', async () => {
  const token = await tokenFor(ann, ['read'], { name: 'hashed' });
  const hash = createHash('sha256').update(token).digest('hex');
  const { rows } = await store.pool.query(`SELECT t::text AS all FROM "ApiToken" t WHERE name = 'hashed'`);
  expect(rows[0].all).toContain(hash);
  expect(rows[0].all).not.toContain(token);
  expect(JSON.stringify(await findAudit(store, { limit: 1000 }, undefined))).not.toContain(token);
});

it.each([
  [{ scopes: [] }, 'Choose what the token may do.'],
  [{ days: 366 }, 'A token is valid for 1 to 365 days'],
  [{ days: 0 }, 'A token is valid for 1 to 365 days'],
  [{ days: 1.5 }, 'A token is valid for 1 to 365 days'],
])('no token is made of %j', async (wrong, sentence) => {
  const request = { name: 'wrong', scopes: ['read'] as const, project: null, days: 90, ...wrong };
  await expect(makeToken(ann, request)).rejects.toThrow(sentence);
});

it('a token is not for a project that its person may not see, nor for everything and one project', async () => {
  const lee = await personInBrowser(store, 'lee@tokens.example');
  await expect(tokenFor(lee, ['read'], { project: here })).rejects.toThrow('There is no such project');
  await expect(tokenFor(ann, ['create'], { project: here })).rejects.toThrow(
    "A token of one project cannot have 'create'",
  );
  await expect(tokenFor(localActor, ['read'])).rejects.toThrow('Without accounts, callboard token prints the token');
});

it('the hundred-and-first token is refused', async () => {
  const max = await personInBrowser(store, 'max@tokens.example');
  for (let index = 0; index < 100; index++) await tokenFor(max, ['read']);
  await expect(tokenFor(max, ['read'])).rejects.toThrow('You have 100 tokens. Revoke one');
});

it('without accounts a personal token signs nobody in, and nothing else changes', async () => {
  const token = await tokenFor(ann, ['read']);
  vi.stubEnv('CALLBOARD_ACCOUNTS', '');
  onTestFinished(() => void vi.stubEnv('CALLBOARD_ACCOUNTS', '1'));
  expect(await whoAsks(scriptRequest(`Bearer ${token}`))).toBeUndefined();
  vi.stubEnv('CALLBOARD_OPEN', '1');
  onTestFinished(() => void vi.stubEnv('CALLBOARD_OPEN', ''));
  expect(await whoAsks(scriptRequest(`Bearer ${token}`))).toEqual({ by: 'local', via: 'api', reach: 'all' });
});
