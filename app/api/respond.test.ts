import { expect, onTestFinished, test, vi } from 'vitest';
import { AppError, toldSentence } from '@/lib/base/app-error';
import { errorResponse, respondToAnyone } from './respond';
import { unlessSame } from './respond-unless-same';

const request = new Request('http://127.0.0.1:3000/api/v1/projects');

/** What Prisma throws while Postgres starts: the reason is two levels down. */
const starting = Object.assign(new Error('Database error'), {
  code: 'P2039',
  meta: { driverAdapterError: { cause: { originalCode: '57P03', kind: 'postgres' } } },
});
const full = Object.assign(new Error('could not extend file'), { code: '53100' });

function env(name: string, value: string): void {
  vi.stubEnv(name, value);
  onTestFinished(() => void vi.unstubAllEnvs());
}

test('a database that is being started is 503, with the time to wait', async () => {
  const response = errorResponse(starting, request);
  expect(response.status).toBe(503);
  expect(response.headers.get('Retry-After')).toBe('2');
  expect(await response.json()).toEqual({
    error: {
      code: 'unavailable',
      message: 'The database cannot be reached. It is being started again; try once more in a moment.',
    },
  });
});

test('a full disk is 503 with a sentence that names the disk', async () => {
  env('CALLBOARD_DATABASE', 'embedded');
  env('CALLBOARD_DATA', '/tmp');
  const response = errorResponse(full, request);
  expect(response.status).toBe(503);
  expect((await response.json()).error.message).toMatch(
    /^The disk that holds \/tmp is full \([\d,]+ MB free\)\. Free some space/,
  );
  env('CALLBOARD_DATABASE', 'external');
  expect((await errorResponse(full, request).json()).error.message).toMatch(/^The disk of the database server is full/);
});

test('an expected failure says what happened, anything else says nothing of itself', async () => {
  const missing = errorResponse(new AppError('not_found', 'There is no such run.'), request);
  expect(missing.status).toBe(404);
  expect(missing.headers.get('Retry-After')).toBeNull();
  const bug = errorResponse(new TypeError('secret detail'), request);
  expect(bug.status).toBe(500);
  expect(JSON.stringify(await bug.json())).not.toContain('secret');
});

test('the sentence of an outage and of a limit reaches a page, that of anything else does not', () => {
  const full = { code: 'unavailable', sentence: 'The disk is full.' };
  expect(toldSentence(new AppError('unavailable', 'The disk is full.').digest)).toEqual(full);
  const large = { code: 'too_large', sentence: 'Split it: now.' };
  expect(toldSentence(new AppError('too_large', 'Split it: now.').digest)).toEqual(large);
  expect(toldSentence(new AppError('conflict', 'Somebody saved.').digest)).toBeUndefined();
  expect(toldSentence('3141592653')).toBeUndefined();
  expect(toldSentence(undefined)).toBeUndefined();
});

test('a browser keeps no answer that it need not ask about again, whatever a route says', async () => {
  const cachingOf = async (answer: (asked: Request) => Response) => {
    const asked = new Request(request.url, { headers: { host: '127.0.0.1:3000' } });
    const route = respondToAnyone(async (each) => answer(each));
    return (await route(asked, { params: Promise.resolve({}) })).headers.get('Cache-Control');
  };
  const forGood = { 'Cache-Control': 'private, max-age=31536000, immutable' };
  expect(await cachingOf(() => Response.json(1))).toBe('no-store');
  expect(await cachingOf(() => Response.json(1, { headers: forGood }))).toBe('no-store');
  expect(await cachingOf((asked) => unlessSame(asked, '"a"', () => Response.json(1, { headers: forGood })))).toBe(
    'private, no-cache',
  );
});
