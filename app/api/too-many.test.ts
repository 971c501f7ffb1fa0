import { expect, test } from 'vitest';
import { tooMany } from '@/lib/server/limits/too-many';
import { errorResponse } from './respond';

test('what is over a limit is answered with 429, and says when to try again', async () => {
  const request = new Request('http://127.0.0.1:3000/api/v1/runs');
  const response = errorResponse(tooMany('runs were started', 41_500), request);
  expect([response.status, response.headers.get('Retry-After'), await response.json()]).toEqual([
    429,
    '42',
    {
      error: { code: 'too_many', message: 'Too many runs were started. Try again in 42 seconds.', retryAfter: '42' },
    },
  ]);
});
