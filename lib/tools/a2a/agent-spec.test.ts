import { expect, test } from 'vitest';
import { a2aCard } from '@/lib/testing/a2a/sample-calls';
import { agentSpec } from './agent-spec';

const policy = { projectEnv: { HOST: 'far.example', KEY: 'sesame-1234' }, secrets: [] };

function specOf(...given: Parameters<typeof a2aCard>) {
  const spec = agentSpec(a2aCard(...given), policy);
  if (typeof spec === 'string') throw new Error(spec);
  return spec;
}

test.each([
  ['http://far.example', undefined, 'http://far.example/.well-known/agent-card.json'],
  ['http://far.example/', undefined, 'http://far.example/.well-known/agent-card.json'],
  ['http://far.example/deep/agent/', undefined, 'http://far.example/deep/agent/.well-known/agent-card.json'],
  ['http://far.example/deep', 'card.json', 'http://far.example/deep/card.json'],
  ['http://far.example/deep', '/card.json', 'http://far.example/deep/card.json'],
  ['http://far.example?key=1', undefined, 'http://far.example/.well-known/agent-card.json?key=1'],
  ['http://far.example/x/agent-card.json', undefined, 'http://far.example/x/agent-card.json'],
  ['http://far.example', 'https://other.example/card.json', 'http://far.example/https://other.example/card.json'],
])('the agent card of %s with the path %s', (url, relativeCardPath, at) => {
  expect(specOf(url, { relativeCardPath }).cardUrl.href).toBe(at);
});

test('variables are filled in, and a password in the address becomes a header', () => {
  const spec = specOf(`https://me:\${KEY}@\${HOST}/`);
  expect(spec).toMatchObject({
    url: new URL('https://far.example/'),
    headers: { Authorization: `Basic ${Buffer.from('me:sesame-1234').toString('base64')}` },
    shown: `https://\${HOST}/`,
  });
  expect(spec.secrets).toContain('sesame-1234');
});

test.each([
  [0, 'request_timeout_seconds must be greater than 0.'],
  [-1, 'request_timeout_seconds must be greater than 0.'],
])('a timeout of %s s', (requestTimeoutSeconds, problem) => {
  expect(agentSpec(a2aCard('http://far.example', { requestTimeoutSeconds }), policy)).toBe(problem);
});

test('a timeout longer than a timer of Node can be is as long as possible', () => {
  expect(specOf('http://far.example', { requestTimeoutSeconds: 1e9 }).timeoutMs).toBe(2_147_483_647);
});
