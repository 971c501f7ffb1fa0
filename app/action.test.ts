import { afterEach, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { AppError } from '@/lib/base/app-error';
import { action } from './action';

const sent = vi.hoisted(() => ({ headers: new Headers() }));
vi.mock('next/headers', () => ({ headers: () => Promise.resolve(sent.headers) }));

const ours = { host: '127.0.0.1:3000', origin: 'http://127.0.0.1:3000' };
const double = action(z.strictObject({ n: z.number() }), async ({ n }) => n * 2);

afterEach(() => vi.unstubAllEnvs());

test('an action answers with its value', async () => {
  sent.headers = new Headers(ours);
  expect(await double({ n: 4 })).toEqual({ ok: true, value: 8 });
});

test('an action is refused to other sites and to people who are not signed in', async () => {
  sent.headers = new Headers({ ...ours, origin: 'http://chat.example' });
  expect(await double({ n: 4 })).toMatchObject({ ok: false, code: 'not_allowed' });
  vi.stubEnv('CALLBOARD_OPEN', '0');
  sent.headers = new Headers(ours);
  expect(await double({ n: 4 })).toMatchObject({ ok: false, code: 'not_signed_in' });
});

test('an action names the field that is wrong, and what it was not made for', async () => {
  sent.headers = new Headers(ours);
  const wrong: unknown = { n: 'four' };
  expect(await double(wrong as never)).toMatchObject({
    ok: false,
    code: 'bad_request',
    message: expect.stringMatching(/^n: /),
  });
  expect(await double({ n: 4, m: 5 } as never)).toMatchObject({ ok: false, code: 'bad_request' });
});

test('an expected failure has its code and sentence, a bug one fixed sentence', async () => {
  sent.headers = new Headers(ours);
  const expected = action(z.null(), () => Promise.reject(new AppError('conflict', 'Somebody was faster.')));
  expect(await expected(null)).toEqual({ ok: false, code: 'conflict', message: 'Somebody was faster.' });
  const bug = action(z.null(), () => Promise.reject(new Error('secret detail')));
  const answer = await bug(null);
  expect(answer).toMatchObject({ ok: false, code: 'internal' });
  expect(JSON.stringify(answer)).not.toContain('secret detail');
});
