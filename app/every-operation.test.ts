import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { type Actor, localActor } from '@/lib/base/actor';
import type { Json } from '@/lib/base/json';
import { actions, scopeFor } from '@/lib/base/rights';
import { clientHeader } from '@/lib/server/client-address';
import { webReader } from '@/lib/server/reading/web-reader';
import { securityHeaders } from '@/lib/server/request-guard';
import { systemStore } from '@/lib/server/services';
import { SummaryKeeper } from '@/lib/server/summaries';
import { writeHookKeys } from '@/lib/store/hook-secret';
import { openingKey } from '@/lib/store/sealing';
import { anyBody, type HostileBody, oddBody, plainJson } from '@/lib/testing/hostile-body';
import { type KeptDatabase, keepDatabase } from '@/lib/testing/kept-database';
import { testDatabase } from '@/lib/testing/postgres';
import { everyActor } from '@/lib/testing/rights/actors';
import type { Answer } from '@/lib/testing/rights/asking';
import { bypassHeaders } from '@/lib/testing/rights/bypass-headers';
import { type Asker, tellingActors } from '@/lib/testing/rights/decisions';
import {
  type FullProject,
  fullProject,
  missingProject,
  namedParts,
  withoutParts,
} from '@/lib/testing/rights/full-project';
import { type Operation, operations, partsOf } from '@/lib/testing/rights/operations';
import { projectRows } from '@/lib/testing/rights/project-rows';
import { tries } from '@/lib/testing/tries';

/*
 * Every route and server action, with every kind of actor, with parts of another project, without a sign-in, from another site, and with
 * bodies that no client sends. All are about one project with one of everything; what a request has changed is put back after it.
 */

vi.mock('@/lib/server/accounts/who-asks', async (original) => {
  const { whoAsksInTests } = await import('@/lib/testing/rights/asking');
  return whoAsksInTests(await original<typeof import('@/lib/server/accounts/who-asks')>());
});
vi.mock('next/headers', async () => (await import('@/lib/testing/rights/asking')).nextHeadersInTests);

const { url, store } = await testDatabase();
await store.prisma.authUser.create({ data: { id: 'u', name: 'Ann', email: 'ann@example.org' } });
const [mine, theirs] = [await fullProject(store), await fullProject(store)];
const nowhere = missingProject(mine);
const { every, more, found, decided } = await operations(import.meta.dirname);

const folder = mkdtempSync(path.join(tmpdir(), 'callboard-operations-'));
let kept: KeptDatabase;

/** What the app writes after its answer: the events of imported runs, and the summaries of folders. */
interface Later {
  readonly callboardSettler?: { settled(): Promise<void> };
  callboardSummaries?: SummaryKeeper;
}
const later: Later = globalThis as never;
// A summary that is made some seconds after a save would be a change of another test.
later.callboardSummaries = new SummaryKeeper(systemStore, webReader, () => ({ cancel: () => {} }));
const settled = async () => {
  await later.callboardSettler?.settled();
  await later.callboardSummaries?.settled();
};

beforeAll(async () => {
  kept = await keepDatabase(store, settled);
  vi.stubEnv('DATABASE_URL', url);
  vi.stubEnv('CALLBOARD_OPEN', '');
  vi.stubEnv('CALLBOARD_DATA', folder);
  vi.stubEnv('PORT', '3000');
  vi.stubEnv('CALLBOARD_SEALING_KEY', openingKey(Buffer.alloc(32, 7)).publicKey);
  vi.stubEnv('CALLBOARD_HOOKS_KEY', writeHookKeys([openingKey(Buffer.alloc(32, 3))]));
});
afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

// What a test left when it failed.
beforeEach(() => kept.restore());

const rows = async () => [await projectRows(store, mine.project), await projectRows(store, theirs.project)];
const before = await rows();

test('every route and action has a decision, and every decision a route or an action', () => {
  expect(found).toEqual(decided);
  expect(found.length).toBeGreaterThan(250);
});

const shortNames: Readonly<Record<string, string>> = Object.fromEntries(
  ['seq', 'hash', 'pin', 'number', 'draft', 'share', 'score'].map((name) => [name, `:${name}`]),
);

test('docs/http-api.md names every route of the API, and none that is not there', () => {
  const page = readFileSync('docs/http-api.md', 'utf8');
  const named = [...page.matchAll(/`((?:GET|POST|PUT|PATCH|DELETE) \/api\/[^`?\s]*)/g)].map(([, route]) => route);
  const routes = found.filter((name) => name.includes(' /api/') && !name.includes('[...'));
  const short = routes.map((name) => name.replace(/\[(\w+)\]/g, (_, part: string) => shortNames[part] ?? ':id'));
  expect([...new Set(named)].sort()).toEqual(short.sort());
});

test('what needs no sign-in is a link to one question or one run, whether Callboard lives, a signed webhook, and what signs people in and out', () => {
  const open = every.filter((each) => each.decided.of === 'open').map(({ name }) => name.replace(/^\w+ /, ''));
  expect([...new Set(open)].sort()).toEqual([
    '/answer/[link]',
    '/api/auth/callback/oidc',
    '/api/health',
    '/api/v1/hooks/[hook]',
    '/api/v1/logins',
    '/api/v1/logins/token',
    '/invite',
    '/reset',
    '/setup',
    '/share/[token]',
    '/share/run/[link]/api/[[...rest]]',
    '/sign-in',
    '/sign-in/code',
    '/sign-in/passkey',
    '/sign-in/provider',
    '/sign-out',
  ]);
});

/** Every answer of a route has these, and none lets another site read it. */
function expectHeaders({ response }: Answer): void {
  if (response === undefined) return;
  const names = [...response.headers.keys()];
  expect(names).toEqual(expect.arrayContaining(Object.keys(securityHeaders).map((name) => name.toLowerCase())));
  expect(names.filter((name) => name.startsWith('access-control-') || name === 'x-powered-by')).toEqual([]);
}

async function expectClosed({ name, ask }: Operation): Promise<void> {
  const isGit = name.includes(' /git/');
  for (const headers of bypassHeaders) {
    const answer = await ask(mine, { headers });
    expectHeaders(answer);
    expect([headers, answer.code, answer.text]).toEqual([
      headers,
      'not_signed_in',
      expect.stringContaining('npx callboard token'),
    ]);
    expect(answer.response?.headers.get('www-authenticate')).toBe(
      // Git sends a token only when it is asked for a password.
      answer.response && (isGit ? 'Basic realm="Callboard", charset="UTF-8"' : 'Bearer realm="Callboard"'),
    );
  }
}

const foreign: readonly Readonly<Record<string, string>>[] = [
  { host: 'evil.example' },
  ...['https://evil.example', 'null', 'http://127.0.0.1:1', 'http://localhost.evil.example'].map((origin) => ({
    origin,
    'content-type': 'text/plain',
  })),
  { 'sec-fetch-site': 'cross-site' },
];

async function expectOwnPagesOnly({ ask }: Operation): Promise<void> {
  for (const headers of foreign) {
    const answer = await ask(mine, { actor: localActor('web'), headers });
    expectHeaders(answer);
    expect([headers, answer.code, answer.text]).toEqual([
      headers,
      'not_allowed',
      expect.stringMatching(/another site|Open that address/),
    ]);
  }
}

/** Each page of a browser that comes back from a provider has another nonce. */
const plain = ({ code, text }: Answer) => ({ code, text: text.replaceAll(/nonce="\w+"/g, '') });

async function expectDecided({ decided: row, ask }: Operation): Promise<void> {
  const askers = tellingActors(row, mine);
  const refuse = async ({ kind, actor, decision }: Asker) => {
    const answer = await ask(mine, { actor });
    expectHeaders(answer);
    const code = decision === 'refused' ? 'not_allowed' : (row.unseen ?? 'not_found');
    const said = { kind, decision, code: answer.code, isMarked: answer.text.includes(mine.mark) };
    expect(said).toEqual({ kind, decision, code, isMarked: false });
    if (decision === 'unseen') expect(plain(answer)).toEqual(plain(await ask(nowhere, { actor })));
  };
  await Promise.all(askers.filter(({ decision }) => decision !== 'allowed').map(refuse));
  if (await kept.isWritten()) expect(await rows()).toEqual(before);
  for (const { kind, actor } of askers.filter(({ decision }) => decision === 'allowed')) {
    const answer = await ask(mine, { actor });
    expectHeaders(answer);
    const failures = ['not_allowed', 'not_signed_in', 'internal', ...(row.misses ? [] : ['not_found'])];
    expect(failures, `${kind} · ${answer.text}`).not.toContain(answer.code);
    if (row.shows) expect([kind, answer.text]).toEqual([kind, expect.stringContaining(mine.mark)]);
    if (kind === 'link without texts') expect(answer.text).not.toContain(mine.mark);
    await kept.restore();
  }
}

/** A list has what the actor may see, and changes nothing else. */
async function expectListed({ decided: row, ask }: Operation): Promise<void> {
  const shows = async (actor: Actor | undefined) => (await ask(mine, { actor })).text.includes(mine.mark);
  const isShown = actions[row.action].needs === 'read' && (await shows(everyActor(mine).get('administrator')));
  await kept.restore();
  for (const [kind, actor] of everyActor(mine)) {
    if (actor === undefined) continue;
    const answer = await ask(mine, { actor });
    expectHeaders(answer);
    // A link has no lists.
    const isLink = kind.startsWith('link');
    const codes = isLink ? ['ok', 'not_allowed', 'not_found'] : ['ok'];
    expect([kind, answer.code]).toEqual([kind, expect.toBeOneOf(codes)]);
    const scope = scopeFor(actor.reach, row.action);
    const isIn = scope === 'all' || scope.includes(mine.project);
    if (isIn && isShown) expect([kind, answer.text]).toEqual([kind, expect.stringContaining(mine.mark)]);
    if (!isIn) expect([kind, answer.text]).toEqual([kind, expect.not.stringContaining(mine.mark)]);
    if (row.says !== undefined) expect([kind, answer.text]).toEqual([kind, expect.stringContaining(row.says(isIn))]);
    const isChanged = (await kept.isWritten()) && JSON.stringify(await rows()) !== JSON.stringify(before);
    expect([kind, isChanged]).toEqual([kind, isIn && row.changes === true]);
    await kept.restore();
  }
}

type Part = (typeof namedParts)[number];

/** What is refused in another way than by `not_found`. It is the same for a part that nothing has. */
function codesFor(part: Part): readonly string[] {
  switch (part) {
    case 'secret':
    case 'hash':
      return ['bad_request', 'not_found'];
    case 'revision':
      return ['conflict', 'not_found'];
    case 'invitation':
    case 'member':
      return ['conflict'];
    default:
      return ['not_found'];
  }
}

/** Asks one project for a part of another one, and for a part that nothing has: the answers are the same, and nothing changes. */
async function expectNothing({ decided: row, ask }: Operation, part: Part): Promise<void> {
  const [other, none] = [{ ...mine, [part]: theirs[part] }, withoutParts(mine, [part])];
  const plainly = ({ code, text }: Answer, full: FullProject) => ({
    code,
    text: text.replaceAll(String(full[part]), 'it'),
  });
  // An administrator may see both runs, and may add anybody to a project.
  const isOfBoth = row.another === 'besides' || part === 'member';
  for (const kind of isOfBoth ? ['admin'] : ['admin', 'administrator']) {
    const actor = everyActor(mine).get(kind);
    const answer = plainly(await ask(other, { actor }), other);
    expect([kind, answer.text]).toEqual([kind, expect.not.stringContaining(theirs.mark)]);
    if (row.makes) {
      expect((await rows())[1]).toEqual(before[1]);
    } else {
      expect([kind, answer.code]).toEqual([kind, expect.toBeOneOf([...codesFor(part)])]);
      expect(plainly(await ask(none, { actor }), none)).toEqual(answer);
      if (await kept.isWritten()) expect(await rows()).toEqual(before);
    }
    await kept.restore();
  }
}

const seed = 20_261_123;

let addresses = 0;
function nextAddress(): string {
  addresses += 1;
  return `10.${addresses >> 16}.${(addresses >> 8) & 255}.${addresses & 255}`;
}

/** Sends a body to a route, and expects that it is done or refused with a sentence. It is no bug of ours. */
async function expectAnswered({ ask }: Operation, { body, type, id }: HostileBody): Promise<Answer> {
  const full =
    id === undefined ? mine : { ...mine, ...Object.fromEntries(['project', ...namedParts].map((part) => [part, id])) };
  // Each comes from another address, because some routes count the tries of one.
  const headers = { 'content-type': type, [clientHeader]: nextAddress() };
  const answer = await ask(full, { actor: localActor('api'), headers, body });
  expectHeaders(answer);
  const { status = 500, headers: answered } = answer.response ?? {};
  expect(status, answer.text.slice(0, 300)).toBeLessThan(500);
  if (status >= 400) {
    const isJson = answered?.get('content-type')?.startsWith('application/json') === true;
    const said: unknown = isJson ? JSON.parse(answer.text) : { error: { message: answer.text } };
    expect(said).toMatchObject({ error: { message: expect.stringMatching(/\w.* .*\w/s) } });
  }
  return answer;
}

/** The body that a route takes. `undefined` if it takes bytes, a form, or nothing. */
function bodyOf({ decided: row }: Operation): Json | undefined {
  const input = row.input?.(mine);
  return typeof input === 'object' ? (input as Json) : undefined;
}

/** Spans may have attributes that Callboard does not know; a client of A2A or MCP may send members of a later version. */
const lenient = [
  '/v1/traces',
  '/v1/logs',
  '/v1/metrics',
  '/api/v1/projects/[project]/a2a',
  '/api/v1/projects/[project]/mcp',
];
/** What a body may not say: who sends it, whose it is, and what was decided or defined elsewhere. */
const foreignMembers = [
  ...['by', 'actor', 'owner', 'ownerId', 'userId', 'projectId', 'createdBy', 'isAdmin', 'role', '__proto__'],
  ...['definition', 'cards', 'instruction', 'tools', 'treeHash', 'events', 'history', 'approvals', 'env', 'source'],
];

async function expectStrict(operation: Operation, body: Json): Promise<void> {
  const text = JSON.stringify(body).slice(0, -1);
  const [, key = ''] = /^\{"(\w+)"/.exec(text) ?? [];
  const escaped = `\\u00${key.charCodeAt(0).toString(16)}${key.slice(1)}`;
  for (const again of key === '' ? [] : [key, escaped]) {
    const answer = await expectAnswered(operation, plainJson(`${text},"${again}":null}`));
    expect(answer).toMatchObject({ code: 'bad_request', text: expect.stringContaining(`the key \\"${key}\\" twice`) });
  }
  for (const name of foreignMembers) {
    const member = `"${name}":{"id":"someone","isAdmin":true}}`;
    const answer = await expectAnswered(operation, plainJson(key === '' ? `{${member}` : `${text},${member}`));
    expect([name, answer.code, answer.text]).toEqual([name, 'bad_request', expect.stringContaining(name)]);
  }
}

async function expectRobust(operation: Operation): Promise<void> {
  const [method, address = ''] = operation.name.split(' ');
  const body = bodyOf(operation);
  const bodies: [fc.Arbitrary<HostileBody>, number][] = [[anyBody, 25]];
  if (body !== undefined) bodies.push([oddBody(body), 40]);
  for (const [arbitrary, all] of bodies) {
    const property = fc.asyncProperty(arbitrary, async (hostile) => void (await expectAnswered(operation, hostile)));
    await fc.assert(property, { seed, numRuns: tries(all) });
    await kept.restore();
  }
  if (method !== 'DELETE' && body !== undefined && !lenient.includes(address)) await expectStrict(operation, body);
}

const isOfApi = ({ kind, name }: Operation) => kind === 'route' && name.includes(' /api/');

/** Other programs write these addresses: the sign-in provider, and the callers of webhooks. */
const outsiders = ['GET /api/auth/callback/oidc', 'POST /api/v1/hooks/[hook]'];

async function expectKnownQuery({ ask, decided: row }: Operation): Promise<void> {
  const query = `${row.query?.(mine) ?? '?'}&projct=x`;
  const answer = await ask(mine, { actor: localActor('api'), query });
  expect([answer.code, answer.text]).toEqual(['bad_request', expect.stringContaining('projct')]);
  if (await kept.isWritten()) expect(await rows()).toEqual(before);
}

/** These bodies have the formats of other programs, so unknown fields are allowed. */
const freeBodies = [...lenient, '/api/v1/hooks/[hook]', '/api/v1/projects/[project]/bytes'];

async function expectKnownFields(operation: Operation): Promise<void> {
  const answer = await expectAnswered(operation, plainJson('{"projct":"x"}'));
  expect([answer.code, answer.text]).toEqual(['bad_request', expect.stringContaining('projct')]);
  if (await kept.isWritten()) expect(await rows()).toEqual(before);
}

const hasOwnBody = (operation: Operation) =>
  isOfApi(operation) &&
  !operation.name.startsWith('GET ') &&
  !freeBodies.some((address) => operation.name.endsWith(` ${address}`));

/**
 * The tables that a GET changes: the audit log where something is exported, and what is computed once from what is stored, which nobody can
 * tell from its being computed again. Ends of sign-ins and opened links need more than a project has, and have tests of their own.
 */
const writtenByGet: Readonly<Record<string, readonly string[]>> = {
  'GET /api/v1/audit/export': ['Audit'],
  'GET /api/v1/runs/export': ['Audit'],
  'GET /api/v1/runs/[run]/export': ['Audit'],
  'GET /api/v1/runs/[run]/otlp': ['Audit'],
  'GET /api/v1/projects/[project]/bundle': ['Audit', 'Blob', 'GitCommit'],
  'GET /git/[project]/info/refs': ['Blob', 'GitCommit'],
  'GET /api/v1/projects': ['TreeSummary'],
  'GET /api/v1/projects/[project]/uses': ['TreeParts'],
  'GET /api/v1/secrets': ['TreeParts'],
  'GET /api/v1/runs/[run]/timeline': ['RunTrace'],
};

async function expectOnlyRead({ name, ask }: Operation): Promise<void> {
  await ask(mine, { actor: everyActor(mine).get('administrator') });
  expect(await kept.changedTables()).toEqual(writtenByGet[name] ?? []);
  await kept.restore();
  await ask(mine, {});
  expect(await kept.changedTables()).toEqual([]);
}

const takesBody = ({ kind, name }: Operation) => kind === 'route' && /^(?:POST|PUT|PATCH) /.test(name);

describe.each(every)('$name', (operation) => {
  const { of } = operation.decided;
  test.skipIf(of === 'open')('needs a sign-in, whatever the headers say', async () => await expectClosed(operation));

  test('answers nothing to a page of another site, and at no other name', async () =>
    await expectOwnPagesOnly(operation));

  test.skipIf(of === 'open')('is done for those who may, and for nobody else', async () => {
    await (of === 'list' ? expectListed(operation) : expectDecided(operation));
  });

  test.runIf(isOfApi(operation) && !outsiders.includes(operation.name) && !operation.name.includes('[...'))(
    'refuses a part of the query that it does not know, and names it',
    async () => await expectKnownQuery(operation),
  );

  test.runIf(hasOwnBody(operation) && !operation.name.includes('[...'))(
    'refuses a field of the body that it does not know, and names it',
    async () => await expectKnownFields(operation),
  );

  test.runIf(/^(?:GET|HEAD) /.test(operation.name))('only reads', async () => await expectOnlyRead(operation));

  test.runIf(takesBody(operation))('takes or refuses any body, and lets none say who sends it', async () => {
    await expectRobust(operation);
  });
});

const across = [...every, ...more].flatMap((operation) =>
  partsOf(operation, mine).map((part) => ({ ...operation, part, operation })),
);

test('parts of projects are named in many ways', () => expect(across.length).toBeGreaterThan(70));

test.each(across)('$name finds nothing of another project by its $part', async ({ operation, part }) => {
  await expectNothing(operation, part);
});
