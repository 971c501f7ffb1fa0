import { getEventListeners } from 'node:events';
import OpenAI from 'openai';
import { afterEach, expect, test, vi } from 'vitest';
import { type FakeOpenAI, startFakeOpenAI } from '@/lib/testing/fake-openai';
import { createHttpTransport } from './http-transport';
import { RepeatingClient } from './openai-client';

let server: FakeOpenAI;

afterEach(() => server.close());

const transport = createHttpTransport();
const headers = { 'content-type': 'application/json' };

async function clients() {
  server = await startFakeOpenAI({ respond: () => ({ text: 'ok' }) });
  const options = { apiKey: 'sk-test', baseURL: server.url, organization: null, project: null };
  return {
    plain: new OpenAI({ ...options, maxRetries: 0, fetch: transport.fetch }),
    repeating: new RepeatingClient(options, transport),
  };
}

async function ask(client: OpenAI, body: object, signal?: AbortSignal): Promise<void> {
  const response = await client
    .post('/chat/completions', { body: JSON.stringify(body), headers, stream: true, signal })
    .asResponse();
  const stream = transport.bodyOf(response);
  await stream?.resume().toArray();
}

test('every request has the headers that the package gives it, and its own body', async () => {
  const { plain, repeating } = await clients();
  const body = (n: number) => ({ model: `m${n}`, messages: [] });
  await ask(plain, body(1));
  await ask(repeating, body(1));
  await ask(repeating, body(2));
  const [expected, first, second] = server.requests;
  expect(expected?.headers['user-agent']).toMatch(/^OpenAI\/JS /);
  expect(first?.headers).toEqual(expected?.headers);
  expect(second?.headers).toEqual(expected?.headers);
  expect(server.requests.map(({ model }) => model)).toEqual(['m1', 'm1', 'm2']);
});

test('an answered request leaves no listener on the signal', async () => {
  const { repeating } = await clients();
  const { signal } = new AbortController();
  await ask(repeating, {}, signal);
  await vi.waitFor(() => expect(getEventListeners(signal, 'abort')).toEqual([]));
});
