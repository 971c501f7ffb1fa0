import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { AppError } from '@/lib/base/app-error';
import { openStore } from '@/lib/store/database';
import { removeExpiredCounts } from '@/lib/store/rate-limiter';
import { testDatabase } from '@/lib/testing/postgres';
import { afterSignIn, beforeSignIn, placeOf } from './sign-in';

const { url, store } = await testDatabase();

beforeEach(() => vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 10, 3, 12) }));
afterEach(async () => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  await store.pool.query('TRUNCATE "RateCount"');
});

const later = (minutes: number) => vi.setSystemTime(Date.now() + minutes * 60_000);

/** Returns `allowed`, or the sentence of the refusal with its Retry-After. */
async function tried(address: string, account: string, at = store): Promise<string> {
  try {
    await beforeSignIn(at, { address, account });
    return 'allowed';
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return `${error.code} ${error.details.retryAfter}: ${error.message}`;
  }
}

async function times(count: number, work: (index: number) => Promise<string>): Promise<readonly string[]> {
  const answers: string[] = [];
  for (let index = 0; index < count; index++) answers.push(await work(index));
  return answers;
}

const amountOf = (answers: readonly string[]) => answers.filter((answer) => answer === 'allowed').length;

it('one address guesses the password of one account ten times, and then reads when to come back', async () => {
  const answers = await times(12, () => tried('192.0.2.1', 'a@guess.example'));
  expect(amountOf(answers)).toBe(10);
  expect(answers.at(-1)).toBe('too_many 900: Too many wrong sign-ins to this account. Try again in 15 minutes.');
  later(14.5);
  expect(await tried('192.0.2.1', 'a@guess.example')).toMatch(/^too_many 30: .* Try again in 30 seconds\.$/);
  later(0.6);
  expect(await tried('192.0.2.1', 'a@guess.example')).toBe('allowed');
});

it('other spellings of an e-mail address and other addresses of an IPv6 network are the same', async () => {
  await times(10, (index) =>
    tried(`2001:db8::${index + 1}`, index % 2 ? 'Ann@Spelled.example ' : 'ann@spelled.example'),
  );
  expect(await tried('2001:db8:0:0:9::1', 'ANN@spelled.example')).toMatch(/^too_many/);
  expect(await tried('2001:db8:0:1::1', 'ann@spelled.example')).toBe('allowed');
});

it('one address that tries many accounts is refused after 60 wrong ones', async () => {
  const answers = await times(70, (index) => tried('192.0.2.2', `person${index}@many.example`));
  expect(amountOf(answers)).toBe(60);
  expect(answers.at(-1)).toBe('too_many 600: Too many wrong sign-ins from this address. Try again in 10 minutes.');
  expect(await tried('192.0.2.3', 'person1@many.example')).toBe('allowed');
});

it('many addresses on one account are refused, but not from where its person signs in', async () => {
  const person = { address: '198.51.100.7', account: 'ann@attacked.example' };
  await beforeSignIn(store, person);
  await afterSignIn(store, person);
  const answers = await times(60, (index) => tried(`203.0.113.${index}`, person.account));
  expect(amountOf(answers)).toBe(50);
  // The same words as for one address: the answer does not tell what others do.
  expect(answers.at(-1)).toMatch(/^too_many 3600: Too many wrong sign-ins to this account\./);
  expect(await tried(person.address, person.account)).toBe('allowed');
});

it('a known place is not free of its own limit', async () => {
  const person = { address: '198.51.100.8', account: 'ann@at-home.example' };
  await beforeSignIn(store, person);
  await afterSignIn(store, person);
  const answers = await times(11, () => tried(person.address, person.account));
  expect(amountOf(answers)).toBe(10);
  expect(answers.at(-1)).toMatch(/^too_many 900: Too many wrong sign-ins to this account\./);
});

it('sign-ins of an office behind one address are not counted when they succeed', async () => {
  const answers = await times(80, async (index) => {
    const attempt = { address: '192.0.2.9', account: `person${index % 20}@office.example` };
    const answer = await tried(attempt.address, attempt.account);
    await afterSignIn(store, attempt);
    return answer;
  });
  expect(amountOf(answers)).toBe(80);
});

it('tries at the same time cannot pass together', async () => {
  const answers = await Promise.all(Array.from({ length: 40 }, () => tried('192.0.2.4', 'a@together.example')));
  expect(amountOf(answers)).toBe(10);
});

it('two processes share the counts', async () => {
  const other = openStore(url);
  try {
    const answers = await times(20, (index) => tried('192.0.2.5', 'a@shared.example', index % 2 ? other : store));
    expect(amountOf(answers)).toBe(10);
  } finally {
    await other.close();
  }
});

it('further tries after a refusal cost no work of the database', async () => {
  await times(11, () => tried('192.0.2.6', 'a@goes-on.example'));
  const query = vi.spyOn(store.pool, 'query');
  expect(amountOf(await times(500, () => tried('192.0.2.6', 'a@goes-on.example')))).toBe(0);
  expect(query).not.toHaveBeenCalled();
});

it('the table of tries names nobody, and old counts are removed', async () => {
  const rows = async () => (await store.pool.query('SELECT * FROM "RateCount"')).rows;
  await tried('192.0.2.8', 'ann@named.example');
  expect(JSON.stringify(await rows())).not.toMatch(/192\.0\.2|named/);
  await removeExpiredCounts(store);
  expect(await rows()).toHaveLength(3);
  later(61);
  await removeExpiredCounts(store);
  expect(await rows()).toEqual([]);
});

it.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['::1', '0:0:0:0'],
  ['2001:db8::1', '2001:db8:0:0'],
  ['2001:0DB8:0:00a1::1', '2001:db8:0:a1'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
])('the client %s counts as %s', (address, place) => {
  expect(placeOf(address)).toBe(place);
});
