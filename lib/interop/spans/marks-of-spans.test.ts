import { expect, test } from 'vitest';
import { brandAs, type RunId } from '@/lib/base/ids';
import type { Json } from '@/lib/base/json';
import { runOfSpans } from '@/lib/interop/run-of-spans';
import { marksOfSpans } from './marks-of-spans';

type Given = Readonly<Record<string, Json>>;

const span = (attributes: Given, more: { readonly parentId?: string; readonly resource?: Given } = {}) => ({
  ...{ traceId: 'a'.repeat(32), spanId: more.parentId === undefined ? '1' : '2', name: 'work', start: 1e12 },
  ...{ end: 1e12 + 5, attributes, events: [], failed: false, scope: '', resource: {} },
  ...more,
});

test.each<[string, Given]>([
  ['OpenInference', { 'user.id': 'ada', 'tag.tags': ['a', 'b'], metadata: '{"tier":"gold","n":3,"deep":{"x":1}}' }],
  [
    'Langfuse',
    {
      ...{ 'langfuse.user.id': 'ada', 'langfuse.trace.tags': '["a","b"]' },
      ...{ 'langfuse.trace.metadata.tier': 'gold', 'langfuse.trace.metadata.n': 3 },
    },
  ],
  [
    'LangSmith',
    {
      ...{ 'langsmith.metadata.user_id': 'ada', 'langsmith.span.tags': 'a, b' },
      ...{ 'langsmith.metadata.tier': 'gold', 'langsmith.metadata.n': '3' },
    },
  ],
  [
    'the Vercel AI SDK',
    {
      ...{ 'ai.telemetry.metadata.userId': 'ada', 'ai.telemetry.metadata.tags': ['a', 'b', 'a'] },
      ...{ 'ai.telemetry.metadata.tier': 'gold', 'ai.telemetry.metadata.n': 3 },
    },
  ],
])('user, tags and metadata are read as %s writes them', (_convention, attributes) => {
  const expected = { user: 'ada', tags: ['a', 'b'], metadata: { tier: 'gold', n: '3' } };
  expect(marksOfSpans([span(attributes)])).toEqual(expected);
  const [first] = runOfSpans(brandAs<RunId>('r'), [span(attributes)])?.events ?? [];
  expect(first).toMatchObject({ kind: 'run.started', marks: expected });
});

test('the root goes before other spans, and spans before the resource', () => {
  const resource = { 'user.id': 'nobody', 'deployment.environment.name': 'test' };
  const child = span(
    { 'user.id': 'ben', 'tag.tags': ['child'], metadata: { tier: 'silver' } },
    { parentId: '1', resource },
  );
  const root = span({ 'user.id': 'ada', 'tag.tags': ['root'], metadata: { tier: 'gold' } }, { resource });
  expect(marksOfSpans([child, root])).toEqual({
    user: 'ada',
    tags: ['root', 'child'],
    metadata: { tier: 'gold', environment: 'test' },
  });
});

test('a trace that says nothing of itself has no marks, and what is too much is left out', () => {
  expect(marksOfSpans([span({ 'user.id': '', 'tag.tags': [1, ' '], metadata: 'no JSON' })])).toEqual({});
  const many = Object.fromEntries(Array.from({ length: 80 }, (_, n) => [`langsmith.metadata.k${n}`, 'x'.repeat(900)]));
  const { metadata = {} } = marksOfSpans([span(many)]);
  expect(Object.keys(metadata)).toHaveLength(50);
  expect(metadata.k0).toHaveLength(500);
});

test('metadata with the name of a secret is left out, and secrets within values are redacted', () => {
  const attributes = {
    ...{ 'langsmith.metadata.openai_api_key': 'sk-1', 'langsmith.metadata.tier': 'gold' },
    ...{ metadata: '{"Password":"p","given":"{\\"token\\":\\"t\\"}"}' },
  };
  expect(marksOfSpans([span(attributes)])).toEqual({ metadata: { tier: 'gold', given: '{"token":"[redacted]"}' } });
});
