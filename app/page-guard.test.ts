import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { cookieValue } from '@/lib/server/access';
import { ensureAccessToken } from '@/lib/server/access-token';
import { testDatabase } from '@/lib/testing/postgres';

/** Pages as they are called when a request comes past `proxy.ts`: each asks for itself who opens it. */

const sent = vi.hoisted(() => ({ headers: new Headers() }));
vi.mock('next/headers', () => ({
  headers: () => Promise.resolve(sent.headers),
  cookies: () => Promise.resolve({ get: () => undefined }),
}));

const { url } = await testDatabase();
const folder = mkdtempSync(path.join(tmpdir(), 'callboard-pages-'));
beforeAll(() => {
  vi.stubEnv('DATABASE_URL', url);
  vi.stubEnv('CALLBOARD_DATA', folder);
  vi.stubEnv('CALLBOARD_OPEN', '');
  vi.stubEnv('PORT', '3000');
});
afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

const pages = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' }).filter(
  (file) => path.basename(file) === 'page.tsx' && !file.startsWith('dev') && !file.startsWith('share'),
);

type Page = (props: { params: Promise<object>; searchParams: Promise<object> }) => Promise<unknown>;

/** Returns `shown`, or the digest by which Next leads elsewhere or says that there is no such page. */
async function open(file: string): Promise<string> {
  const { default: page }: { default: Page } = await import(path.join(import.meta.dirname, file));
  const params = Promise.resolve({ project: 'none', run: 'none', link: 'none', review: 'none' });
  try {
    await page({ params, searchParams: Promise.resolve({ a: 'none', b: 'none' }) });
    return 'shown';
  } catch (error) {
    return error instanceof Error && 'digest' in error ? String(error.digest) : String(error);
  }
}

test.each(pages)('the page %s shows nothing to a request that came past the proxy without a sign-in', async (file) => {
  const bypasses: readonly Record<string, string>[] = [
    {},
    { 'x-middleware-subrequest': 'proxy:proxy:proxy:proxy:proxy' },
    { authorization: 'Bearer x', 'x-middleware-next': '1' },
  ];
  for (const bypass of bypasses) {
    sent.headers = new Headers({ host: '127.0.0.1:3000', ...bypass });
    expect(await open(file)).toMatch(/^NEXT_REDIRECT;/);
  }
  const cookie = `callboard_3000=${cookieValue(ensureAccessToken(folder), 3000)}`;
  sent.headers = new Headers({ host: '127.0.0.1:3000', cookie });
  expect(await open(file)).not.toMatch(/^NEXT_REDIRECT;/);
});

test('the page of a share link finds nothing without the cookie of the link', async () => {
  const cookie = `callboard_3000=${cookieValue(ensureAccessToken(folder), 3000)}`;
  for (const each of ['', cookie, 'callboard_3000_share_none=cbs_x']) {
    sent.headers = new Headers({ host: '127.0.0.1:3000', cookie: each });
    expect(await open('share/run/[link]/page.tsx')).toBe('NEXT_HTTP_ERROR_FALLBACK;404');
  }
});
