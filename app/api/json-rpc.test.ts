import { expect, test } from 'vitest';
import { jsonEvents, lateJson, readRequestObject } from './json-rpc';

test('a late answer is JSON after spaces, which keep the connection open', async () => {
  let resolve = (_: unknown) => {};
  const response = lateJson(
    new Promise((done) => {
      resolve = done;
    }),
    1,
  );
  const reader = response.body?.getReader();
  const first = await reader?.read();
  expect(new TextDecoder().decode(first?.value)).toBe(' ');
  resolve({ a: 1 });
  let rest = '';
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true, value: undefined };
    if (done) break;
    rest += new TextDecoder().decode(value);
  }
  expect(rest.trim()).toBe('{"a":1}');
});

test('an answer that nobody waits for is dropped', async () => {
  let resolve = (_: unknown) => {};
  const answer = new Promise((done) => {
    resolve = done;
  });
  await lateJson(answer, 1).body?.cancel();
  resolve({ a: 1 });
  await expect(answer).resolves.toEqual({ a: 1 });
});

test('an error of a stream is its last event', async () => {
  async function* values() {
    yield { n: 1 };
    throw new Error('broken');
  }
  const response = jsonEvents(
    values(),
    (error) => ({ error: String(error) }),
    () => undefined,
  );
  const events = (await response.text()).split('\n').filter((line) => line.startsWith('data:'));
  expect(events).toEqual(['data: {"n":1}', 'data: {"error":"Error: broken"}']);
});

test.each([['[]'], ['3'], ['{'], [''], [`{"a":${'['.repeat(2_000)}${']'.repeat(2_000)}}`]])(
  'a body that is no object counts as an empty one: %.10s',
  (text) => {
    expect(readRequestObject(new TextEncoder().encode(text))).toEqual({});
  },
);
