import { beforeAll, expect, test, vi } from 'vitest';
import { findSession } from '@/lib/server/accounts/session';
import { signInWithPassword } from '@/lib/server/accounts/sign-in';
import { browserRequest, makePerson, testPassword, withAccounts } from '@/lib/testing/accounts';
import { testDatabase } from '@/lib/testing/postgres';
import { POST } from './route';

withAccounts();
const { url, store } = await testDatabase();
beforeAll(() => vi.stubEnv('DATABASE_URL', url));

test('signing out ends the session and clears what the browser keeps, but no cookies of other programs', async () => {
  const { email } = await makePerson(store, 'out@example.org');
  const { cookies } = await signInWithPassword(store, browserRequest(), { email, password: testPassword });
  const asked = browserRequest(cookies, '/sign-out', { method: 'POST', headers: { origin: 'http://127.0.0.1:3000' } });
  const { status, headers } = await POST(asked, { params: Promise.resolve({}) });
  expect([status, headers.get('clear-site-data')]).toEqual([303, '"cache", "storage"']);
  expect(await findSession(store, asked.headers)).toBeUndefined();
});
