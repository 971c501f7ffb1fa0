import { NextRequest } from 'next/server';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { POST as accept, GET as invite } from '@/app/invite/route';
import { signInWithPassword } from '@/lib/server/accounts/sign-in';
import { browserRequest, makePerson, testPassword, withAccounts } from '@/lib/testing/accounts';
import { testDatabase } from '@/lib/testing/postgres';
import { proxy } from '@/proxy';

/* The database that the app would ask does not answer. The person signed in before. */

const { store } = await testDatabase();
withAccounts();
beforeAll(() => vi.stubEnv('DATABASE_URL', 'postgresql://nobody@127.0.0.1:1/none'));
afterAll(() => vi.unstubAllEnvs());

const saysSo = async (answer: Response | undefined) => {
  expect(answer?.status).toBe(503);
  expect(answer?.headers.get('Retry-After')).toBe('3');
  expect(answer?.headers.get('Content-Type')).toContain('text/html');
  expect(await answer?.text()).toContain('The database cannot be reached.');
};

test('while the database is away, a page of somebody who is signed in says so, and asks again', async () => {
  await makePerson(store, 'ann@outage.example');
  const given = { email: 'ann@outage.example', password: testPassword };
  const { cookies } = await signInWithPassword(store, browserRequest(), given);
  const { url, headers } = browserRequest(cookies, '/inbox');
  const answer = await proxy(new NextRequest(url, { headers }));
  expect(answer.headers.get('Refresh')).toBe('3');
  await saysSo(answer);
  // An action reaches its own code, which answers with a sentence.
  const sent = await proxy(new NextRequest(url, { headers, method: 'POST' }));
  expect(sent.headers.get('x-middleware-next')).toBe('1');
}, 30_000);

test('so do the pages and forms of people without a session', async () => {
  const context = { params: Promise.resolve({}) };
  const token = 'x'.repeat(43);
  await saysSo(await invite(browserRequest([], `/invite?token=${token}`), context));
  const body = new URLSearchParams({ token, name: 'Ann', password: testPassword });
  const posted = await accept(browserRequest([], '/invite', { method: 'POST', body }), context);
  expect(posted.headers.get('Refresh')).toBeNull();
  await saysSo(posted);
}, 30_000);
