import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, vi } from 'vitest';
import { hashPassword } from '@/lib/server/accounts/password-hash';
import type { Store } from '@/lib/store/database';
import { insertPerson } from '@/lib/store/people';
import { transaction } from '@/lib/store/transaction';

/** The password of people that tests make. */
export const testPassword = 'seven green umbrellas';

/** Gives the process of a test file what the launcher sends where accounts are on. Call it at the top of the file. */
export function withAccounts(): void {
  beforeAll(() => {
    vi.stubEnv('CALLBOARD_ACCOUNTS', '1');
    vi.stubEnv('CALLBOARD_ACCOUNTS_KEY', Buffer.alloc(32, 7).toString('base64url'));
    vi.stubEnv('CALLBOARD_OPEN', '');
    vi.stubEnv('PORT', '3000');
  });
  afterAll(() => vi.unstubAllEnvs());
}

/** A request as the browser of a person sends it, with the cookies that it got. */
export function browserRequest(cookies: readonly string[] = [], path = '/', init: RequestInit = {}): Request {
  const headers = new Headers(init.headers);
  headers.set('host', '127.0.0.1:3000');
  headers.set('x-callboard-client', '192.0.2.7');
  headers.set('user-agent', 'Test browser');
  if (cookies.length > 0) headers.set('cookie', cookies.map((each) => each.split(';')[0]).join('; '));
  return new Request(`http://127.0.0.1:3000${path}`, { ...init, headers });
}

/** A hash of `testPassword` that takes no time. */
let quickHash: Promise<string> | undefined;

/** Makes a person, whose password is `testPassword`. */
export async function makePerson(
  store: Store,
  email: string,
  { administrator = false }: { readonly administrator?: boolean } = {},
): Promise<{ readonly id: string; readonly email: string; readonly name: string }> {
  quickHash ??= hashPassword(testPassword, { cost: 2, blockSize: 1, parallelization: 1 });
  const passwordHash = await quickHash;
  const person = { id: randomUUID(), email, name: email.split('@')[0] ?? email };
  await transaction(store, (connection) =>
    insertPerson(connection, { ...person, passwordHash, isAdministrator: administrator }),
  );
  return person;
}
