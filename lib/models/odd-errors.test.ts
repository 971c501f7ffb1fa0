import { once } from 'node:events';
import http from 'node:http';
import { afterEach, describe, expect, test } from 'vitest';
import { brandAs, type EpochMs } from '@/lib/base/ids';
import { fakeClock } from '@/lib/testing/fake-clock';
import { modelsWith } from '@/lib/testing/models-with';
import { ask, brief, sampleRequest } from '@/lib/testing/sample-request';

let close = (): void => undefined;
afterEach(() => close());

/** A server that answers the n-th request. */
async function served(answer: (response: http.ServerResponse, n: number) => void) {
  const urls: string[] = [];
  const server = http.createServer((request, response) => {
    urls.push(request.url ?? '');
    request.resume();
    request.once('end', () => answer(response, urls.length));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  close = () => {
    server.close();
    server.closeAllConnections();
  };
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return { url: `http://127.0.0.1:${address.port}/v1`, urls };
}

/** The clock advances by `tickMs` whenever it is read. */
function modelAt(url: string, tickMs = 0) {
  const clock = fakeClock(Date.UTC(2026, 0, 1));
  const slept: number[] = [];
  let read = 0;
  const now = () => {
    read += tickMs;
    return brandAs<EpochMs>(clock.now() + read);
  };
  const sleep = async (ms: number) => {
    slept.push(ms);
    await clock.advance(ms);
  };
  return { model: modelsWith({ OPENAI_BASE_URL: url }, { ...clock, now, sleep }), slept };
}

const chunk = (delta: object, finish: string | null = null) =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
const fine = `${chunk({ content: 'Fine.' })}${chunk({}, 'stop')}data: [DONE]\n\n`;
const request = sampleRequest({ model: 'gpt-test' });
const retryInfo = (retryDelay: string) => [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay }];

describe('the words of an error', () => {
  test.each([
    ['OpenAI', 400, { error: { message: 'No such thing.' } }, 'No such thing.'],
    [
      'Google, in a list',
      400,
      [{ error: { code: 400, message: 'Invalid value for tools.', status: 'INVALID_ARGUMENT' } }],
      'Invalid value for tools.',
    ],
    [
      'vLLM',
      400,
      { object: 'error', message: 'This model takes no tools.', type: 'BadRequestError', code: 400 },
      'This model takes no tools.',
    ],
    [
      'FastAPI',
      422,
      { detail: [{ loc: ['body', 'model'], msg: 'field required', type: 'value_error' }] },
      'model: field required',
    ],
    ['FastAPI, one sentence', 400, { detail: 'The model is not loaded.' }, 'The model is not loaded.'],
    ['an error that is text', 400, { error: 'model not loaded' }, 'model not loaded'],
    ['a list of errors', 400, { errors: [{ message: 'Wrong.' }] }, 'Wrong.'],
    ['msg', 400, { code: 1302, msg: 'Wrong.' }, 'Wrong.'],
    [
      'OpenRouter',
      400,
      { error: { message: 'Provider returned error', metadata: { raw: '{"error":{"message":"Too hot."}}' } } },
      'Provider returned error: Too hot.',
    ],
    ['text', 400, 'Bad gateway from nginx', 'Bad gateway from nginx'],
    ['nothing', 400, '', 'no message'],
    ['an unknown form', 400, { problem: 7 }, '{"problem":7}'],
  ])('are told: %s', async (_, status, body, said) => {
    const { url } = await served((response) => {
      response.writeHead(status).end(typeof body === 'string' ? body : JSON.stringify(body));
    });
    const { response } = await ask(modelAt(url).model, request);
    const { host } = new URL(url);
    expect(brief(response)).toBe(`! model_rejected: ${host} rejected the request (status ${status}): ${said}`);
  });
});

describe('the delay before a retry', () => {
  const quota = (details: object[]) => ({
    error: { code: 429, message: 'Quota.', status: 'RESOURCE_EXHAUSTED', details },
  });
  const says = (message: string) => ({ error: { message } });
  test.each([
    ['Retry-After', says('Slow down.'), { 'retry-after': '7' }, 7_000],
    ['RetryInfo in a list', [quota(retryInfo('7s'))], {}, 7_000],
    ['RetryInfo in an object', quota(retryInfo('1.5s')), {}, 1_500],
    ['words of OpenAI', says('Rate limit reached. Please try again in 6.2s.'), {}, 6_200],
    ['words with minutes', says('Please try again in 1m2.5s.'), {}, 62_500],
    ['words with milliseconds', says('Please try again in 350ms.'), {}, 350],
    ['words of Azure', says('Please retry after 20 seconds.'), {}, 20_000],
    ['words of Google', says('Please retry in 7.5s.'), {}, 7_500],
    [
      'a limit that is used up',
      says('Slow down.'),
      {
        'x-ratelimit-reset-requests': '6s',
        'x-ratelimit-remaining-requests': '0',
        'x-ratelimit-reset-tokens': '9m',
        'x-ratelimit-remaining-tokens': '100',
      },
      6_000,
    ],
    ['a reset at a time', says('Slow down.'), { 'x-ratelimit-reset': String(Date.UTC(2026, 0, 1) + 4_000) }, 4_000],
    ['a header before words', says('Please try again in 6.2s.'), { 'retry-after': '2' }, 2_000],
  ])('is the one that the server asks for: %s', async (_, body, headers, wanted) => {
    const { url, urls } = await served((response, n) => {
      if (n > 1) response.end(fine);
      else response.writeHead(429, { ...headers }).end(JSON.stringify(body));
    });
    const { model, slept } = modelAt(url);
    const { response } = await ask(model, request);
    expect([brief(response), slept, urls.length]).toEqual(['Fine.', [wanted], 2]);
  });

  test('is not waited for when it is long, which the error says', async () => {
    const { url, urls } = await served((response) => {
      response.writeHead(429, { 'retry-after': '3600' }).end('{"error":{"message":"Daily quota."}}');
    });
    const { model, slept } = modelAt(url);
    const { response } = await ask(model, request);
    expect(brief(response)).toMatch(
      /Daily quota\. The server asks to wait 60 minutes\. Callboard waits 5 minutes at most\.$/,
    );
    expect([slept, urls.length]).toEqual([[], 1]);
  });
});

test.each(['?tenant=a', '/?tenant=a&x=%20b', '/'])('a base URL keeps its query: %s', async (end) => {
  const { url, urls } = await served((response) => response.end(fine));
  const { response } = await ask(modelAt(`${url}${end}`).model, request);
  expect(brief(response)).toBe('Fine.');
  const { pathname, searchParams } = new URL(urls[0] ?? '', url);
  expect([pathname, [...searchParams]]).toEqual(['/v1/chat/completions', [...new URL(`${url}${end}`).searchParams]]);
});

describe('streaming_timeout', () => {
  const patient = sampleRequest({ model: 'gpt-test', requestParams: { streaming_timeout: 0.05 } });

  test('counts before the first byte', async () => {
    const { url, urls } = await served((response, n) => {
      if (n > 2) response.end(fine);
    });
    const { response, logs } = await ask(modelAt(url).model, patient);
    expect([brief(response), urls.length]).toEqual(['Fine.', 3]);
    expect(logs[0]).toContain('no byte came within 0.05 s');
  });

  test('counts while comments alone keep the connection busy', async () => {
    const { url } = await served((response, n) => {
      if (n > 1) return void response.end(fine);
      const write = () => {
        if (!response.destroyed) response.write(': ping\n\n', () => setImmediate(write));
      };
      write();
    });
    const { response, logs } = await ask(modelAt(url, 10).model, patient);
    expect(brief(response)).toBe('Fine.');
    expect(logs[0]).toContain('sent nothing of an answer for 0.05 s');
  });
});

test('text that came before the connection broke is in the response', async () => {
  const { url } = await served((response) => {
    response.write(chunk({ content: 'half of a long answer' }), () => setImmediate(() => response.destroy()));
  });
  const { response } = await ask(modelAt(url).model, request);
  expect(response).toMatchObject({
    ok: false,
    error: { code: 'model_stream_ended' },
    received: 'half of a long answer',
  });
});

test.each([
  [{ prompt_tokens: -1, completion_tokens: '7' }, [0, 7]],
  [{ prompt_tokens: '12', completion_tokens: 'many' }, [12, 0]],
  [{ prompt_tokens: null, completion_tokens: 2.6 }, [0, 3]],
])('counts of tokens are numbers of 0 or more: %j', async (usage, wanted) => {
  const { url } = await served((response) => {
    response.end(
      `${chunk({ content: 'x' }, 'stop')}data: ${JSON.stringify({ choices: [], usage })}\n\ndata: [DONE]\n\n`,
    );
  });
  const { response } = await ask(modelAt(url).model, request);
  expect([response.usage.inputTokens, response.usage.outputTokens]).toEqual(wanted);
});
