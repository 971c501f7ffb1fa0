import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { unstable_doesMiddlewareMatch as proxySees } from 'next/experimental/testing/server';
import { NextRequest } from 'next/server';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Actor } from '@/lib/base/actor';
import { AppError } from '@/lib/base/app-error';
import { decide } from '@/lib/base/rights';
import { cookieValue } from '@/lib/server/access';
import { ensureAccessToken } from '@/lib/server/access-token';
import { refusePageBody } from '@/lib/server/front/page-bodies';
import { openingKey } from '@/lib/store/sealing';
import { testDatabase } from '@/lib/testing/postgres';
import { everyActor } from '@/lib/testing/rights/actors';
import { type Asking, asking } from '@/lib/testing/rights/asking';
import { bypassHeaders } from '@/lib/testing/rights/bypass-headers';
import { decisionFor } from '@/lib/testing/rights/decisions';
import { type FullProject, fullProject, missingProject } from '@/lib/testing/rights/full-project';
import { config, proxy } from '@/proxy';

/*
 * Every page with every kind of actor, without a sign-in, and past the proxy. A page is called as the server calls it, and what it hands
 * to its components is read: that is what goes to the browser.
 */

vi.mock('@/lib/server/accounts/who-asks', async (original) => {
  const { whoAsksInTests } = await import('@/lib/testing/rights/asking');
  return whoAsksInTests(await original<typeof import('@/lib/server/accounts/who-asks')>());
});
vi.mock('next/headers', async () => (await import('@/lib/testing/rights/asking')).nextHeadersInTests);

const { url, store } = await testDatabase();
await store.prisma.authUser.create({ data: { id: 'u', name: 'Ann', email: 'ann@example.org' } });
const full = await fullProject(store);
const missing = missingProject(full);

const folder = mkdtempSync(path.join(tmpdir(), 'callboard-pages-'));
const cookie = `callboard_3000=${cookieValue(ensureAccessToken(folder), 3000)}`;
beforeAll(() => {
  vi.stubEnv('DATABASE_URL', url);
  vi.stubEnv('CALLBOARD_DATA', folder);
  vi.stubEnv('CALLBOARD_OPEN', '');
  vi.stubEnv('PORT', '3000');
  vi.stubEnv('CALLBOARD_ACCOUNTS_KEY', Buffer.alloc(32, 7).toString('base64url'));
  vi.stubEnv('CALLBOARD_SEALING_KEY', openingKey(Buffer.alloc(32, 7)).publicKey);
});
afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

interface PageRow {
  /** A project and a run have pages of their own; other pages have what the person may see of them. */
  readonly of: 'project' | 'run' | 'list' | 'administrators' | 'person';
  readonly query?: (full: FullProject) => Readonly<Record<string, string>>;
  /** The browser asks for what belongs to projects, so that the page has nothing of them. */
  readonly empty?: true;
}

/** Every page has a row here, or a test fails. */
const pages: Readonly<Record<string, PageRow>> = {
  page: { of: 'list' },
  'account/page': { of: 'person' },
  'cli/page': { of: 'person', empty: true },
  'compare/page': { of: 'list', query: ({ run, asking: other }) => ({ a: run, b: other }) },
  'inbox/page': { of: 'list', empty: true },
  'notices/page': { of: 'list', empty: true },
  'p/[project]/page': { of: 'project', query: ({ run, draft }) => ({ again: run, draft }) },
  'p/[project]/chat/page': { of: 'project' },
  'p/[project]/import-report/page': { of: 'project' },
  'p/[project]/members/page': { of: 'project' },
  'p/[project]/reviews/page': { of: 'project' },
  'p/[project]/reviews/[review]/page': { of: 'project' },
  'p/[project]/revisions/page': { of: 'project' },
  'p/[project]/runs/page': { of: 'project' },
  'p/[project]/tests/page': { of: 'project' },
  'p/[project]/tests/new/page': { of: 'project', query: ({ run }) => ({ run }) },
  'p/[project]/triggers/page': { of: 'project' },
  'r/[run]/page': { of: 'run' },
  'runs/page': { of: 'list' },
  'runs/bin/page': { of: 'list', empty: true },
  'runs/dashboard/page': { of: 'list' },
  'runs/group/page': { of: 'list', query: ({ asking }) => ({ id: asking }) },
  'settings/page': { of: 'list' },
  'settings/appearance/page': { of: 'list', empty: true },
  'settings/audit/page': { of: 'list', query: ({ project }) => ({ project }) },
  'settings/commands/page': { of: 'administrators' },
  'settings/environment/page': { of: 'list', empty: true },
  'settings/limits/page': { of: 'list' },
  'settings/notifications/page': { of: 'list' },
  'settings/people/page': { of: 'administrators' },
  'settings/policy/page': { of: 'list', query: ({ project }) => ({ project }) },
  'settings/retention/page': { of: 'list' },
  'settings/secrets/page': { of: 'list', query: ({ project }) => ({ secrets: project }) },
  'settings/servers/page': { of: 'list' },
};

const files = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' }).map((file) =>
  file.split(path.sep).join('/'),
);
/** Its link is the right to see it. */
const sharedPage = 'share/run/[link]/page';

test('every page has a row, and every row a page', () => {
  const found = files
    .filter((file) => path.posix.basename(file) === 'page.tsx')
    .map((file) => file.slice(0, -'.tsx'.length));
  expect(found.sort()).toEqual([...Object.keys(pages), sharedPage].sort());
});

type Page = (props: { params: Promise<unknown>; searchParams: Promise<unknown> }) => Promise<unknown>;

/** How a page answers, and what it hands out. */
interface Opened {
  readonly as: 'shown' | 'not found' | 'sign in' | 'refused';
  readonly text: string;
}

async function open(name: string, { project, run, review }: FullProject, by: Asking, query = {}): Promise<Opened> {
  const { default: page }: { default: Page } = await import(path.join(import.meta.dirname, `${name}.tsx`));
  const params = Promise.resolve({ project, run, review: String(review), link: 'none' });
  try {
    const shown = await asking(by, () => page({ params, searchParams: Promise.resolve(query) }));
    return { as: 'shown', text: textOf(shown) };
  } catch (error) {
    if (error instanceof AppError)
      return { as: error.code === 'not_found' ? 'not found' : 'refused', text: error.message };
    const digest = error instanceof Error && 'digest' in error ? String(error.digest) : undefined;
    if (digest?.startsWith('NEXT_REDIRECT;')) return { as: 'sign in', text: '' };
    if (digest === 'NEXT_HTTP_ERROR_FALLBACK;404') return { as: 'not found', text: '' };
    throw error;
  }
}

/** Writes an element with all its props. */
function textOf(element: unknown): string {
  const seen = new WeakSet<object>();
  return JSON.stringify(element, (key, value: unknown) => {
    // What React keeps for itself.
    if (key.startsWith('_')) return undefined;
    if (typeof value !== 'object' || value === null) return value;
    if (key === 'type' || seen.has(value)) return undefined;
    seen.add(value);
    return value instanceof Map || value instanceof Set ? [...value] : value;
  });
}

/** Without ids of the project that was asked for, and without times. */
function plain({ as, text }: Opened, { project, run, asking: other }: FullProject): Opened {
  const ids = [project, run, other].reduce((kept: string, id) => kept.replaceAll(id, 'it'), text);
  return { as, text: ids.replace(/"readAt":\d+/, '') };
}

/** True if the actor may open the project, or with a link its run. */
function maySee(actor: Actor, { of }: PageRow): boolean {
  const about =
    of === 'run' ? ({ action: 'run.read', of } as const) : ({ action: 'project.read', of: 'project' } as const);
  return decisionFor(about, actor, full) === 'allowed';
}

async function expectOpened(name: string, row: PageRow, kind: string, actor: Actor): Promise<void> {
  const isOwnPage = row.of === 'project' || row.of === 'run';
  const opened = await open(name, full, { actor }, row.query?.(full));
  const said = { kind, as: opened.as, isMarked: opened.text.includes(full.mark) };
  if (!maySee(actor, row)) {
    expect(said).toEqual({ kind, as: isOwnPage ? 'not found' : opened.as, isMarked: false });
    const other = await open(name, missing, { actor }, row.query?.(missing));
    expect({ kind, ...plain(opened, full) }).toEqual({ kind, ...plain(other, missing) });
  } else if (isOwnPage) {
    // A link has a page of its own.
    const isLink = kind.startsWith('link');
    expect(said).toEqual({ kind, as: isLink ? 'not found' : 'shown', isMarked: !isLink && row.empty !== true });
  }
  if (row.of === 'administrators') {
    const isAllowed = decide(actor.reach, 'installation.people', null) === 'allowed';
    expect(said).toEqual({ kind, as: isAllowed ? 'shown' : opened.as, isMarked: isAllowed });
  }
}

describe.each(Object.entries(pages))('%s', (name, row) => {
  test('shows what the person may see, and of other projects nothing', async () => {
    vi.stubEnv('CALLBOARD_ACCOUNTS', '1');
    try {
      await Promise.all(
        [...everyActor(full)].map(async ([kind, actor]) => actor && (await expectOpened(name, row, kind, actor))),
      );
    } finally {
      vi.stubEnv('CALLBOARD_ACCOUNTS', '');
    }
  });

  test('shows nothing to a request that came past the proxy without a sign-in', async () => {
    for (const headers of bypassHeaders) expect((await open(name, full, { headers })).as).toBe('sign in');
    expect((await open(name, full, { headers: { cookie } })).as).not.toBe('sign in');
  });
});

const shared = `/${sharedPage.replace('[link]', 'x').replace('/page', '')}`;

test('the page of a share link finds nothing without the cookie of the link', async () => {
  for (const each of ['', cookie, 'callboard_3000_share_none=cbs_x']) {
    expect((await open(sharedPage, full, { headers: { cookie: each } })).as).toBe('not found');
  }
});

const ask = (address: string, method: string, headers: Record<string, string> = {}) =>
  proxy(
    new NextRequest(`http://127.0.0.1:3000${address}`, { method, headers: { host: '127.0.0.1:3000', ...headers } }),
  );
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'];

const addresses = files
  .filter((file) => /^(?:page|default)\.tsx$/.test(path.posix.basename(file)) && !file.startsWith('share/run'))
  .map((file) => `/${path.posix.dirname(file).replace(/\[+[^\]]+\]+/g, 'x')}`.replace('/.', '/'));
const odd = [
  '/none',
  '/_next/image?url=/x',
  '/_next/data/x/index.json',
  '/api',
  '/icon.svg.rsc',
  '/logo.svg/x',
  '/p/x.rsc',
];

test.each([...addresses, ...odd])('the proxy lets only those who are signed in to %s', async (address) => {
  expect(proxySees({ config, url: address })).toBe(true);
  for (const method of methods) {
    const { status, headers } = await ask(address, method);
    expect([method, status, headers.get('content-type')]).toEqual([method, 401, 'text/html; charset=utf-8']);
  }
  expect((await ask(address, 'GET', { cookie })).status).toBe(200);
  expect((await ask(address, 'GET', { cookie, host: 'evil.example:3000' })).status).toBe(403);
  const form = { cookie, origin: 'https://evil.example', 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' };
  expect((await ask(address, 'POST', form)).status).toBe(403);
});

test.each(['/icon.svg', '/logo.svg', '/_next/static/chunks/x.js'])('%s is the same for everybody', (address) => {
  expect(proxySees({ config, url: address })).toBe(false);
});

test('the proxy lets only the three addresses of git by, which guard themselves', () => {
  for (const address of ['/git/x.git/info/refs', '/git/x/git-upload-pack', '/git/x.git/git-receive-pack']) {
    expect([address, proxySees({ config, url: address })]).toEqual([address, false]);
  }
  for (const address of ['/git', '/git/x', '/git/x/y/info/refs', '/git/x/info/refs/y', '/x/git/x/info/refs']) {
    expect([address, proxySees({ config, url: address })]).toEqual([address, true]);
  }
});

test('the front refuses a long body of a stranger wherever the proxy would buffer it', () => {
  const git = ['/git/x.git/info/refs', '/git/x/git-upload-pack', '/git/x/y/info/refs', '/git'];
  for (const address of [
    '/',
    '/p/x',
    '/answer/x',
    '/share/run/x',
    '/v1/traces',
    '/v1/logs',
    '/v1/metrics',
    '/v1/traces/x',
    '/api/v1/x%20y',
    ...git,
  ]) {
    const isRefused = refusePageBody(address, { 'content-length': '40000' }) !== undefined;
    expect([address, isRefused]).toEqual([address, proxySees({ config, url: address })]);
  }
});

test('the page of a share link opens nothing without its cookie, whoever is signed in', async () => {
  for (const method of methods) {
    for (const each of ['', cookie]) {
      const response = await ask(shared, method, { cookie: each });
      expect([method, response.status]).toEqual([method, 404]);
      expect(response.headers.get('referrer-policy')).toBe('no-referrer');
    }
  }
  expect((await ask(shared, 'GET', { cookie, host: 'evil.example:3000' })).status).toBe(403);
});
