import { expect, it } from 'vitest';
import { z } from 'zod';
import { readJson } from './read-body';

const body = z.strictObject({ a: z.unknown() });
const request = (text: string) => new Request('http://localhost/', { method: 'POST', body: text });

it.each([
  ['numbers', `{"a":[${Array(250_001).fill(1).join(',')}]}`],
  ['objects', `{"a":[${Array(250_001).fill('{}').join(',')}]}`],
  ['keys', `{"a":{${Array.from({ length: 250_001 }, (_, index) => `"${index}":1`).join(',')}}}`],
])('a body with many %s is refused before it is parsed', async (_name, text) => {
  await expect(readJson(request(text), body)).rejects.toThrow('The body has more than 250,000 values.');
});

it('a long text is one value', async () => {
  const text = '[{,'.repeat(500_000);
  expect(await readJson(request(JSON.stringify({ a: text })), body)).toEqual({ a: text });
});

it('a body over the limit of its operation is refused, also without a length', async () => {
  const stream = new Blob(['{"a":"', 'x'.repeat(1_000), '"}']).stream();
  const unknownLength = new Request('http://localhost/', {
    method: 'POST',
    body: stream,
    duplex: 'half',
  } as RequestInit);
  for (const each of [request(`{"a":"${'x'.repeat(1_000)}"}`), unknownLength]) {
    await expect(readJson(each, body, 512)).rejects.toThrow('The request is larger than 0.5 KiB.');
  }
});

it('a number that is too large is not called another kind of value', async () => {
  const counts = z.strictObject({ a: z.array(z.int()) });
  const refusal = 'a.1: Use a number between -9007199254740991 and 9007199254740991.';
  await expect(readJson(request('{"a":[1,9007199254740993]}'), counts)).rejects.toThrow(refusal);
  await expect(readJson(request('{"a":[1,"9007199254740993"]}'), counts)).rejects.toThrow('a.1: Use a number.');
});
