import { once } from 'node:events';
import http from 'node:http';
import net from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { settingsSchema } from '@/lib/cards/settings';
import { fakeClock } from '@/lib/testing/fake-clock';
import { modelsWith } from '@/lib/testing/models-with';
import { ask, brief, sampleRequest } from '@/lib/testing/sample-request';
import { AnswerMemory } from './answer-memory';
import { readAnswer } from './openai-stream';

const mebibyte = 1024 * 1024;
let close = (): void => undefined;
afterEach(() => close());

/** A server that answers each request with this function. */
async function served(answer: (response: http.ServerResponse) => void): Promise<string> {
  const server = http.createServer((request, response) => {
    request.resume();
    request.once('end', () => answer(response));
    response.on('error', () => undefined);
  });
  return await listening(server);
}

async function listening(server: net.Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  close = () => void server.close();
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return `http://127.0.0.1:${address.port}/v1`;
}

function modelAt(url: string, maxAnswerBytes?: number) {
  const clock = fakeClock(1_000);
  const limits = maxAnswerBytes === undefined ? {} : { max_answer_bytes: maxAnswerBytes };
  const settings = settingsSchema.parse({ version: 1, limits });
  return modelsWith({ OPENAI_BASE_URL: url }, { ...clock, sleep: (ms) => clock.advance(ms) }, { settings });
}

const request = sampleRequest({ model: 'gpt-test' });

/** Writes `first`, then repeats `more` while the reader accepts it, up to `total` bytes. Counts the accepted bytes. */
function flood(response: http.ServerResponse, first: string, more: string, total: number): { sent: number } {
  const count = { sent: 0 };
  const write = () => {
    while (count.sent < total && !response.destroyed) {
      count.sent += more.length;
      if (!response.write(more)) {
        response.once('drain', write);
        return;
      }
    }
    response.end();
  };
  response.write(first);
  write();
  return count;
}

const delta = (fields: object) => `data: ${JSON.stringify({ choices: [{ index: 0, delta: fields }] })}\n\n`;
const call = (index: number, args: string) => ({ index, id: `c${index}`, function: { name: 'add', arguments: args } });
const letters = 'x'.repeat(16_384);

describe('an answer without end is an error of the call, and the connection is closed', () => {
  test.each([
    ['a line', 'data: {"choices":[{"delta":{"content":"', letters],
    ['text in pieces', '', delta({ content: letters })],
    ['reasoning', '', delta({ reasoning_content: letters })],
    ['refusal', '', delta({ refusal: letters })],
    ['arguments', '', delta({ tool_calls: [call(0, letters)] })],
    ['a plain answer on one line', '{"choices":[{"message":{"content":"', letters],
    ['a plain answer of many lines', '{"choices":[{"message":{"content":"\n', `${letters}\n`],
  ])('%s', async (_, first, more) => {
    let count = { sent: 0 };
    const url = await served((response) => {
      count = flood(response, first, more, 64 * mebibyte);
    });
    const { response } = await ask(modelAt(url, mebibyte), request);
    expect(brief(response)).toMatch(
      /^! model_answer_too_large: The model's answer is larger than 1 MiB, so it was not read/,
    );
    expect(response.requests).toBe(1);
    // The limit of a megabyte, the extra bytes of a line, and the buffers of the sockets.
    expect(count.sent).toBeLessThan(24 * mebibyte);
  });

  test('600 MB without a newline, with the default limit, take memory for 32 MiB', async () => {
    let count = { sent: 0 };
    const url = await served((response) => {
      count = flood(response, 'data: {"choices":[{"delta":{"content":"', letters, 600 * mebibyte);
    });
    const { response } = await ask(modelAt(url), request);
    expect(brief(response)).toMatch(/^! model_answer_too_large: .* larger than 32 MiB/);
    expect(count.sent).toBeLessThan(64 * mebibyte);
  });

  test('more calls than an answer may ask for', async () => {
    const url = await served((response) => {
      const calls = Array.from({ length: 5_000 }, (__, index) => call(index, '{}'));
      response.end(delta({ tool_calls: calls }));
    });
    const { response } = await ask(modelAt(url), request);
    expect(brief(response)).toMatch(/^! model_answer_too_large: The model asked for more than 4096 calls/);
  });

  test.each([
    ['values', `data: {"choices":[${'{},'.repeat(600_000)}{}]}\n`],
    ['levels', `data: {"choices":${'['.repeat(5_000)}${']'.repeat(5_000)}}\n`],
  ])('JSON of too many %s is not parsed', async (_, text) => {
    const url = await served((response) => response.end(text));
    const { response } = await ask(modelAt(url), request);
    expect(brief(response)).toMatch(/^! model_bad_response: .*more than 500000 values or 1000 levels: \{"choices"/);
  });
});

test('an answer of the largest size passes, in pieces of a letter too', async () => {
  const url = await served((response) => {
    response.write(Array.from({ length: 100_000 }, () => delta({ content: 'ä' })).join(''));
    response.end('data: {"choices":[{"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n');
  });
  const { response } = await ask(modelAt(url, 200_000), request);
  expect(brief(response)).toBe('ä'.repeat(100_000));
  expect(brief((await ask(modelAt(url, 199_999), request)).response)).toMatch(/^! model_answer_too_large/);
});

test('a line that comes byte by byte is read whole', async () => {
  const url = await served((response) => {
    const text = `${delta({ content: letters.repeat(4) })}data: {"choices":[{"delta":{},"finish_reason":"stop"}]}\n`;
    for (const letter of text) response.write(letter);
    response.end();
  });
  const { response } = await ask(modelAt(url), request);
  expect(brief(response)).toBe(letters.repeat(4));
});

test('a server that goes on after its answer is hung up on', async () => {
  let closed: Promise<unknown> = Promise.resolve();
  const url = await served((response) => {
    closed = once(response, 'close');
    const end = `data: ${JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })}\n\n`;
    flood(response, `${delta({ content: 'Done.' })}${end}data: [DONE]\n\n`, ': more\n'.repeat(1_000), 600 * mebibyte);
  });
  expect(brief((await ask(modelAt(url), request)).response)).toBe('Done.');
  await closed;
});

test('signs of life without an answer are waited for ten minutes', async () => {
  const url = await served((response) => {
    flood(response, '', ': still connected\n\n', 600 * mebibyte);
  });
  const body = await new Promise<http.IncomingMessage>((resolve) => http.get(url, resolve));
  let now = 0;
  const answer = await readAnswer(body, {
    idleMs: undefined,
    maxBytes: mebibyte,
    memory: new AnswerMemory(),
    idPrefix: 'x',
    fromWire: new Map(),
    origin: 'chat test',
    // Each line advances the clock by a second.
    now: () => {
      now += 1_000;
      return now;
    },
    onFirst: () => undefined,
    onDelta: () => undefined,
  });
  expect(answer.ok === false && answer.fault).toMatchObject({
    code: 'model_stream_ended',
    message: expect.stringMatching(/nothing of an answer for 600 s/),
  });
  expect(now).toBeLessThan(700_000);
  expect(body.destroyed).toBe(true);
});

test('all answers that are received at once share one memory, and give it back', async () => {
  const memory = new AnswerMemory(mebibyte);
  const open: http.ServerResponse[] = [];
  const url = await served((response) => {
    open.push(response);
    response.write(delta({ content: letters.repeat(40) }));
    // The first closed connection ends the others.
    response.once('close', () => {
      for (const each of open) each.end();
    });
  });
  const read = async () => {
    const body = await new Promise<http.IncomingMessage>((resolve) => http.get(url, { agent: false }, resolve));
    return await readAnswer(body, {
      idleMs: undefined,
      maxBytes: 8 * mebibyte,
      memory,
      idPrefix: 'x',
      fromWire: new Map(),
      origin: 'chat test',
      now: () => 0,
      onFirst: () => undefined,
      onDelta: () => undefined,
    });
  };
  const answers = await Promise.all(Array.from({ length: 8 }, read));
  const codes = answers.map((answer) => (answer.ok ? 'ok' : answer.fault.code));
  expect(codes).toContain('model_answer_too_large');
  expect(memory.taken).toBe(0);
});

test('what servers send in place of words does not end the process', async () => {
  const odd = { toString: 1, valueOf: 1 };
  const url = await served((response) =>
    response.end(`data: ${JSON.stringify({ error: { code: odd, type: odd } })}\n`),
  );
  expect(brief((await ask(modelAt(url), request)).response)).toMatch(/^! model_failed: /);
});

describe('before the answer', () => {
  test('an endless error page is read a few KB far', async () => {
    let count = { sent: 0 };
    const url = await served((response) => {
      response.writeHead(400);
      count = flood(response, '', letters, 600 * mebibyte);
    });
    const { response } = await ask(modelAt(url), request);
    expect(brief(response)).toMatch(/^! model_rejected: .*status 400/);
    expect(JSON.stringify(response).length).toBeLessThan(2_000);
    expect(count.sent).toBeLessThan(24 * mebibyte);
  });

  test.each([
    ['a header without end', 'HTTP/1.1 200 OK\r\nx: ', letters, /HPE_HEADER_OVERFLOW/],
    ['headers without end', 'HTTP/1.1 200 OK\r\n', 'a: b\r\n'.repeat(1_000), /HPE_HEADER_OVERFLOW/],
    ['1xx answers without end', '', 'HTTP/1.1 102 Processing\r\n\r\n'.repeat(100), /sends only 1xx answers/],
  ])('%s ends the request', async (_, first, more, expected) => {
    const server = net.createServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => {
        socket.write(first);
        const write = () => {
          while (!socket.destroyed) if (!socket.write(more)) return void socket.once('drain', write);
        };
        write();
      });
    });
    const { response } = await ask(modelAt(await listening(server)), request);
    expect(brief(response)).toMatch(/^! model_unreachable: /);
    expect(brief(response)).toMatch(expected);
  });

  test('a compressed body that was not asked for is not unpacked', async () => {
    let asked: unknown;
    const url = await served((response) => {
      asked = response.req.headers['accept-encoding'];
      response.writeHead(200, { 'content-encoding': 'gzip' });
      response.end(Buffer.from([0x1f, 0x8b, 8, 0]));
    });
    expect(brief((await ask(modelAt(url), request)).response)).toMatch(/^! model_bad_response: .*not JSON/);
    expect(asked).toBe('identity');
  });

  test('a server that wants a year of patience is not asked again', async () => {
    const url = await served((response) => response.writeHead(429, { 'retry-after': '31536000' }).end('{}'));
    const { response } = await ask(modelAt(url), request);
    expect([brief(response).slice(0, 20), response.requests]).toEqual(['! model_rate_limited', 1]);
  });
});
