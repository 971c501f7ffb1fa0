import { expect, test } from 'vitest';
import { z } from 'zod';
import { recordOf } from './record-of';

const schema = z.object({ files: recordOf(z.union([z.string(), z.strictObject({ n: z.number() })])) });

test('every key is one like any other', () => {
  const text = '{"files":{"__proto__":"a","constructor":{"n":1},"toString":"b"}}';
  const read = schema.parse(JSON.parse(text));
  expect(JSON.stringify(read)).toBe(text);
  expect(Object.keys(read.files)).toEqual(['__proto__', 'constructor', 'toString']);
});

test('a fault names its member', () => {
  const read = z.object({ files: recordOf(recordOf(z.strictObject({ n: z.number() }))) }).safeParse({
    files: { a: { __b: { n: 'x' }, c: { n: 1, o: 2 } } },
  });
  expect(read.error?.issues.map(({ code, path }) => [code, path.join('.')])).toEqual([
    ['custom', 'files.a.__b.n'],
    ['unrecognized_keys', 'files.a.c'],
  ]);
  expect(schema.safeParse({ files: [] }).error?.issues[0]?.path).toEqual(['files']);
});
