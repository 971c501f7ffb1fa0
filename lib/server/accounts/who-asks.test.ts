import { beforeAll, expect, test, vi } from 'vitest';
import { browserRequest, makePerson, testPassword, withAccounts } from '@/lib/testing/accounts';
import { testDatabase } from '@/lib/testing/postgres';
import { signInWithPassword } from './sign-in';
import { newToken } from './token-text';
import { whoAsks } from './who-asks';

withAccounts();
const { url, store } = await testDatabase();
beforeAll(() => vi.stubEnv('DATABASE_URL', url));

test('a token of no use is refused, although the cookie that comes with it is good', async () => {
  const { email } = await makePerson(store, 'ann@both.example');
  const { cookies } = await signInWithPassword(store, browserRequest(), { email, password: testPassword });
  const request = browserRequest(cookies);
  expect(await whoAsks(request)).toBeDefined();
  request.headers.set('authorization', `Bearer ${newToken()}`);
  await expect(whoAsks(request)).rejects.toMatchObject({ code: 'not_signed_in' });
});
