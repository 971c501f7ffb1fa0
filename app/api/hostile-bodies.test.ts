import { readdirSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { brandAs, type ProjectId } from '@/lib/base/ids';
import type { Json } from '@/lib/base/json';
import { openingKey } from '@/lib/store/sealing';
import { changed, oddText, oddValue } from '@/lib/testing/odd-json';
import { testDatabase } from '@/lib/testing/postgres';
import { storedItem } from '@/lib/testing/stored-item';
import { storedRun } from '@/lib/testing/stored-run';
import { storedTrigger } from '@/lib/testing/stored-trigger';

/**
 * Sends bodies that no client of ours writes to every route that takes one. Each is either done or refused with a sentence; none is a
 * bug of ours (500), and none keeps the app busy.
 */
const seed = 20_261_123;

const { url, store } = await testDatabase();
const run = await storedRun(store);
const item = await storedItem(store, run);
const { projectId: project } = await store.prisma.run.findUniqueOrThrow({ where: { id: run } });

const trigger = await storedTrigger(store, brandAs<ProjectId>(project));

beforeAll(() => {
  vi.stubEnv('DATABASE_URL', url);
  vi.stubEnv('CALLBOARD_SEALING_KEY', openingKey(Buffer.alloc(32, 5)).publicKey);
});
afterAll(() => vi.unstubAllEnvs());

type Handler = (request: Request, context: { params: Promise<Record<string, string>> }) => Promise<Response>;

interface Route {
  readonly address: string;
  readonly method: string;
  readonly handler: Handler;
}

const app = path.resolve(import.meta.dirname, '..');
const routes: readonly Route[] = (
  await Promise.all(
    readdirSync(app, { recursive: true, encoding: 'utf8' })
      .filter((file) => path.basename(file) === 'route.ts' && !file.includes('[...'))
      .map(async (file) => {
        const exported: Record<string, unknown> = await import(path.join(app, file));
        return ['POST', 'PUT', 'PATCH'].flatMap((method) => {
          const handler = exported[method];
          const address = `/${path.dirname(file).split(path.sep).join('/')}`;
          return typeof handler === 'function' ? [{ address, method, handler: handler as Handler }] : [];
        });
      }),
  )
).flat();

const answer = { decision: 'deny', note: 'no', arguments: { to: 'ana' }, content: { a: [1] } };
const files = { 'a.md': '---\nname: a\nmodel: passthrough\n---\nA.\n' };
const rpc = { jsonrpc: '2.0', id: 1, method: 'message/send', params: { message: { role: 'user', parts: [] } } };
/** A body that each route takes, which is changed in one place, so that what lies behind the first check is tried too. */
const bodies: Readonly<Record<string, Json>> = {
  '/api/v1/projects': { name: 'P', files },
  '/api/v1/projects/[project]': { name: 'P' },
  '/api/v1/projects/[project]/pins': { run, seq: 1, match: 'equal' },
  '/api/v1/projects/[project]/files': {
    baseVersion: 1,
    changes: [
      { path: 'a.md', text: 'x' },
      { path: 'b', base64: 'AAAA' },
    ],
  },
  '/api/v1/projects/[project]/drafts': { name: 'try', draft: 'main' },
  '/api/v1/projects/[project]/drafts/[draft]': { name: 'other' },
  '/api/v1/projects/[project]/releases': {
    label: 'live',
    draft: 'main',
    version: 1,
    note: 'n',
    expected: null,
    override: 'o',
  },
  '/api/v1/projects/[project]/revisions': { draft: 'main', version: 1, message: 'm' },
  '/api/v1/projects/[project]/revisions/[number]/restore': { draft: 'main' },
  '/api/v1/projects/[project]/rollback': { label: 'live', to: 1, expected: 1, note: 'n' },
  '/api/v1/projects/[project]/mirror': { url: 'https://git.example.org/a.git', user: 'git', secret: 'TOKEN' },
  '/api/v1/projects/[project]/triggers': {
    ...{ kind: 'schedule', name: 'T', target: { label: 'live' }, message: '{{due}}', stopAfter: 2 },
    schedule: { cron: '0 2 * * *', zone: 'UTC' },
  },
  '/api/v1/projects/[project]/triggers/[trigger]': { name: 'T', target: { label: 'a' }, message: 'M', enabled: true },
  '/api/v1/projects/[project]/presence': {
    window: 'w1',
    draft: 'main',
    place: { page: 'editor', selected: ['agent:a'], file: 'a.md', editing: 'file:a.md', taken: true },
  },
  '/api/v1/projects/[project]/tests': { draft: 'main', mode: 'replay', names: ['none'] },
  '/api/v1/projects/[project]/trust': { hash: 'a'.repeat(64) },
  '/api/v1/projects/[project]/review-policy': {
    approvals: 0,
    authorMayApprove: true,
    owners: [{ pattern: 'b*', people: ['ann@example.org'] }],
  },
  '/api/v1/projects/[project]/reviews': { title: 'T', body: 'B @ann', draft: 'main' },
  '/api/v1/projects/[project]/reviews/[review]': { status: 'withdrawn' },
  '/api/v1/projects/[project]/reviews/[review]/versions': { message: 'M' },
  '/api/v1/projects/[project]/reviews/[review]/verdicts': { verdict: 'approve', revision: 1, note: 'N' },
  '/api/v1/projects/[project]/reviews/[review]/publish': { revision: 1, note: 'N', override: 'O' },
  '/api/v1/projects/[project]/reviews/[review]/threads': {
    anchor: { kind: 'line', file: 'a.md', from: 1, to: 1 },
    body: 'B',
    suggestion: 'S',
  },
  '/api/v1/projects/[project]/reviews/[review]/threads/[thread]': { state: 'resolved' },
  '/api/v1/projects/[project]/reviews/[review]/threads/[thread]/comments': { body: 'B', suggestion: 'S' },
  '/api/v1/projects/[project]/reviews/[review]/threads/[thread]/comments/[comment]': { body: 'B' },
  '/api/v1/projects/[project]/runs': {
    message: 'Go',
    agent: 'a',
    model: 'passthrough',
    correlationId: 'c',
    attachments: [{ name: 'a.txt', mediaType: 'text/plain', text: 'x' }],
    conversationId: 'new',
  },
  '/api/v1/projects/[project]/a2a': rpc,
  '/api/v1/projects/[project]/mcp': {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'a', arguments: {} },
  },
  '/api/v1/projects/[project]/notice-line': { usd: 1, seconds: 60 },
  '/api/v1/notices/read': { ids: ['a'] },
  '/api/v1/notices/choices': { group: 'runs', inApp: true, mail: false },
  '/api/v1/pending/answers': { answers: [{ id: item, ...answer }] },
  '/api/v1/pending/[item]/answer': { ...answer, remember: { scope: 'run', match: { to: 'a*' }, expiresAt: 1 } },
  '/api/v1/policy/[name]': {
    level: 'block',
    demand: { kind: 'hook', tools: ['*'], sources: ['mcp'], writes: true, agents: ['a'], hook: 'redact', place: 'any' },
  },
  '/api/v1/runs/[run]/scores': { name: 'quality', value: 0.5, note: 'N' },
  '/api/v1/runs/[run]/shares': { hours: 24, texts: true },
  '/api/v1/secrets/[name]': { value: 's', hosts: ['a.example'] },
  '/api/v1/secrets/[name]/test': { value: 's' },
  '/api/v1/commands/[command]': { decision: 'approve', note: 'fine' },
  '/api/v1/projects/[project]/commands': { approve: ['a'.repeat(64)] },
  '/api/v1/logins': { machine: 'laptop', scopes: ['read'] },
  '/api/v1/logins/token': { secret: 'of nobody' },
  '/api/v1/imports': { files: { 'run.ndjson': '{"callboard":"events","format":1}\n' } },
  '/api/v1/check': { files },
  '/api/v1/limits': {
    runs: { startsPerMinute: 1, activePerPerson: 1, activePerProject: 1 },
    budget: { maxUsd: 1, maxTokens: 1, maxRuns: 1 },
  },
  '/api/v1/projects/[project]/budget': { maxUsd: 1, maxTokens: 1, maxRuns: 1 },
  '/api/v1/samples/[sample]': { name: 'P' },
  '/v1/traces': {
    resourceSpans: [{ resource: { attributes: [] }, scopeSpans: [{ spans: [{ traceId: 'a', name: 'n' }] }] }],
  },
};
/** They take no JSON: bytes, no body at all, or the form of a page. */
const withoutJson = [
  '/answer/[link]',
  '/api/v1/hooks/[hook]',
  '/api/v1/projects/[project]/bytes',
  '/api/v1/projects/[project]/copy',
  '/api/v1/projects/[project]/mirror/push',
  '/api/v1/projects/[project]/reviews/[review]/threads/[thread]/comments/[comment]/apply',
  '/api/v1/projects/[project]/triggers/[trigger]/run',
  '/api/v1/projects/[project]/triggers/[trigger]/secret',
  '/api/v1/runs/[run]/stop',
  '/git/[project]/git-receive-pack',
  '/git/[project]/git-upload-pack',
  '/invite',
  '/reset',
  '/setup',
  '/sign-in',
  '/sign-in/code',
  '/sign-in/passkey',
  '/sign-in/provider',
  '/sign-out',
];

const bytes = (text: string) => new TextEncoder().encode(text);
const rawBody = fc.oneof(
  fc.uint8Array({ maxLength: 200 }),
  fc.constantFrom(
    bytes(''),
    bytes('null'),
    bytes('[]'),
    bytes('{'),
    bytes('"a"'),
    bytes('['.repeat(100_000)),
    bytes(`${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`),
    bytes(`[${'0,'.repeat(500_000)}0]`),
    bytes(`{"name":"${'\\u0000'.repeat(1_000)}"}`),
    bytes('{"name":"\\ud800"}'),
    bytes('{"__proto__":{"name":"a"},"constructor":{"prototype":1}}'),
    bytes('{"name":1e999}'),
    bytes('\ufeff{"name":"a"}'),
    new Uint8Array([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d]),
  ),
);
const contentType = fc.oneof(
  { weight: 6, arbitrary: fc.constant('application/json') },
  fc.constantFrom(
    'application/zip',
    'multipart/form-data',
    'multipart/form-data; boundary=x',
    'application/x-www-form-urlencoded',
    'application/x-protobuf',
    'text/plain',
    'application/json; charset=utf-16',
    '',
  ),
);
const identifier = fc.oneof(
  { weight: 6, arbitrary: fc.constant(undefined) },
  fc.constantFrom(
    'none',
    '',
    '.',
    '..',
    '\0',
    'a\0',
    '\ud800',
    '%00',
    'x'.repeat(5_000),
    '__proto__',
    "'; DROP TABLE run; --",
  ),
);

async function send(route: Route, body: Uint8Array<ArrayBuffer>, type: string, id: string | undefined) {
  const params = {
    project,
    run,
    item,
    name: 'MY_SECRET',
    review: '1',
    thread: 'none',
    comment: 'none',
    sample: 'pmo',
    link: 'none',
    trigger,
    hook: trigger,
    ...(id !== undefined && {
      project: id,
      run: id,
      item: id,
      name: id,
      review: id,
      thread: id,
      comment: id,
      sample: id,
      link: id,
      trigger: id,
      hook: id,
    }),
  };
  const headers = { Host: '127.0.0.1:3000', ...(type !== '' && { 'Content-Type': type }) };
  const request = new Request(`http://127.0.0.1:3000${route.address.replaceAll(/[[\]]/g, '')}`, {
    method: route.method,
    headers,
    body,
  });
  const response = await route.handler(request, { params: Promise.resolve(params) });
  const text = await response.text();
  return { status: response.status, text, type: response.headers.get('content-type') ?? '' };
}

/** Expects no bug, and of a refusal a sentence. */
function expectAnswered({ status, text, type }: { status: number; text: string; type: string }): void {
  expect(status, text.slice(0, 300)).toBeLessThan(500);
  if (status < 400) return;
  const sentence = expect.stringMatching(/\w.* .*\w/s);
  const said: unknown = type.startsWith('application/json') ? JSON.parse(text) : { error: { message: text } };
  expect(said).toMatchObject({ error: { message: sentence } });
}

test('each route that takes a body is tried here', () => {
  const known = [...Object.keys(bodies), ...withoutJson].sort();
  expect([...new Set(routes.map(({ address }) => address))].sort()).toEqual(known);
});

describe.each(routes)('$method $address', (route) => {
  const body = bodies[route.address];

  test.skipIf(body === undefined)('takes or refuses its own body with one odd thing in it', async () => {
    const property = fc.asyncProperty(
      fc.nat(60),
      oddValue,
      fc.option(oddText, { nil: undefined }),
      async (at, value, name) => {
        const sent = bytes(JSON.stringify(changed(body ?? null, at, value, name)));
        expectAnswered(await send(route, sent, 'application/json', undefined));
      },
    );
    await fc.assert(property, { seed, numRuns: 60 });
  });

  test('takes or refuses any bytes, of any type, for any id', async () => {
    const property = fc.asyncProperty(rawBody, contentType, identifier, async (sent, type, id) => {
      expectAnswered(await send(route, new Uint8Array(sent), type, id));
    });
    await fc.assert(property, { seed, numRuns: 40 });
  });
});

/** Spans may have attributes that Callboard does not know; a client of A2A may send members of a later version. */
const open = ['/v1/traces', '/api/v1/projects/[project]/a2a', '/api/v1/projects/[project]/mcp'];
const strict = routes.filter(({ address }) => bodies[address] !== undefined && !open.includes(address));

test.each(strict)('$method $address refuses a key that comes twice', async (route) => {
  const body = JSON.stringify(bodies[route.address]);
  const [, key = ''] = /^\{"(\w+)"/.exec(body) ?? [];
  for (const again of [`"${key}"`, `"\\u00${key.charCodeAt(0).toString(16)}${key.slice(1)}"`]) {
    const sent = bytes(`${body.slice(0, -1)},${again}:null}`);
    expect(await send(route, sent, 'application/json', undefined)).toMatchObject({
      status: 400,
      text: expect.stringContaining(`the key \\"${key}\\" twice`),
    });
  }
});

test.each(strict)('$method $address lets no body say who sends it or whose it is', async (route) => {
  const owners = [
    'by',
    'actor',
    'owner',
    'ownerId',
    'userId',
    'projectId',
    'createdBy',
    'isAdmin',
    'role',
    '__proto__',
  ];
  for (const name of owners) {
    const body = JSON.stringify(bodies[route.address]);
    const sent = bytes(`${body.slice(0, -1)},"${name}":{"id":"someone","isAdmin":true}}`);
    const { status, text } = await send(route, sent, 'application/json', undefined);
    expect([name, status, text]).toEqual([name, 400, expect.stringContaining(name)]);
  }
});
