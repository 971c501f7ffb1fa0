import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { keyEndpoint } from '@/lib/cards/models/key-endpoint';
import { createAddressGuard } from '@/lib/tools/mcp/address-guard';
import { testKey } from './test-key';

const key = 'sk-right-0123456789';
type Reply = readonly [status: number, body: unknown];
let answer: (path: string, authorization: string | undefined) => Reply;
let asked: string[] = [];
const server = http.createServer((request, response) => {
  const authorization = request.headers.authorization ?? request.headers['api-key']?.toString();
  asked.push(`${request.method} ${request.url} ${authorization ?? 'no key'}`);
  const [status, body] = answer(request.url ?? '', authorization);
  request.resume();
  response.writeHead(status, { 'content-type': 'application/json', location: '/elsewhere' });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const { port } = server.address() as AddressInfo;
const address = `http://127.0.0.1:${port}/v1`;

afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  asked = [];
});

const models = { object: 'list', data: [{ id: 'large' }, { id: 'small' }] };
const refusal: Reply = [401, { error: { message: `Incorrect API key provided: ${key}` } }];

async function tried(variables: Record<string, string> = { OPENAI_BASE_URL: address }, name = 'OPENAI_API_KEY') {
  const found = keyEndpoint(name, key, variables);
  if (!found.ok) throw new Error(found.error);
  return await testKey(found.value, createAddressGuard(undefined), new AbortController().signal);
}

test('a key that its provider takes works, with some of the models', async () => {
  answer = (_, authorization) => (authorization === `Bearer ${key}` ? [200, models] : refusal);
  expect(await tried()).toEqual({
    outcome: 'works',
    message: `127.0.0.1:${port} takes the key and lists 2 models.`,
    models: ['large', 'small'],
  });
  expect(asked).toEqual([`GET /v1/models Bearer ${key}`, 'GET /v1/models no key']);
});

test.each<[outcome: string, Reply]>([
  ['refused', refusal],
  ['refused', [403, { error: { message: key } }]],
  ['refused', [400, [{ error: { message: 'API key not valid. Please pass a valid API key.' } }]]],
  ['no credit', [429, { error: { code: 'insufficient_quota', message: key } }]],
  ['no credit', [402, {}]],
  ['failed', [503, 'upstream']],
  ['wrong address', [404, 'no such path']],
  ['wrong address', [302, '']],
  ['wrong address', [200, '<html>a page</html>']],
  ['wrong address', [200, { models: 3 }]],
])('the result %s is recognised, and the answer does not repeat the key: %j', async (outcome, reply) => {
  answer = () => reply;
  const report = await tried();
  expect(report.outcome).toBe(outcome);
  expect(JSON.stringify(report)).not.toContain(key);
  expect(report.message).toMatch(/^127\.0\.0\.1:\d+ .*\.$/);
});

test('a server that lists its models to everybody shows nothing about the key', async () => {
  answer = () => [200, models];
  expect(await tried()).toMatchObject({ outcome: 'unproved', models: ['large', 'small'] });
});

test('an address where nobody listens and an address that may not be called are reported as not reached', async () => {
  expect(await tried({ OPENAI_BASE_URL: 'http://127.0.0.1:9/v1' })).toMatchObject({ outcome: 'not reached' });
  const none = await tried({ OPENAI_BASE_URL: 'http://no-such-host.invalid/v1' });
  expect(none).toMatchObject({ outcome: 'not reached', message: expect.stringContaining('no-such-host.invalid') });
});

test('Azure gets the key in its own header and lists models beside the deployments', async () => {
  answer = (_, authorization) => (authorization === key ? [200, models] : refusal);
  const report = await tried({ AZURE_BASE_URL: `http://127.0.0.1:${port}` }, 'AZURE_API_KEY');
  expect(report.outcome).toBe('works');
  expect(asked[0]).toMatch(/^GET \/openai\/models\?api-version=[\d-]+ sk-right/);
});

test.each([`http://127.0.0.1:${port}`, address])("Anthropic's models are listed at /v1 of %s", async (base) => {
  answer = (_, authorization) => (authorization === `Bearer ${key}` ? [200, models] : refusal);
  const report = await tried({ ANTHROPIC_BASE_URL: base }, 'ANTHROPIC_API_KEY');
  expect(report.outcome).toBe('works');
  expect(asked[0]).toMatch(/^GET \/v1\/models /);
});

test('a key goes to its own provider, and to the address of the operator', () => {
  const own = keyEndpoint('GROQ_API_KEY', key, { OPENAI_BASE_URL: address, OPENAI_API_KEY: 'another' });
  expect(own.ok && [own.value.endpoint.address, own.value.endpoint.key]).toEqual([
    'https://api.groq.com/openai/v1',
    key,
  ]);
  expect(keyEndpoint('BEDROCK_API_KEY', key, {}).ok).toBe(false);
  expect(keyEndpoint('GITHUB_TOKEN', key, {}).ok).toBe(false);
});
