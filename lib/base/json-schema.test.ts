import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { type Draft, schemaCheck } from './json-schema';

function problemsOf(schema: Parameters<typeof schemaCheck>[0], value: unknown, draft: Draft = 'draft-07') {
  const check = schemaCheck(schema, draft);
  return check.ok ? check.value(value).map(({ instancePath, message }) => `${instancePath} ${message}`) : check.error;
}

describe('a schema', () => {
  test('says what does not fit, and where', () => {
    const schema = { type: 'object', properties: { a: { type: 'number' } }, required: ['b'] };
    expect(problemsOf(schema, { a: 1, b: 2 })).toEqual([]);
    expect(problemsOf(schema, { a: 'x' })).toEqual([" must have required property 'b'", '/a must be number']);
    expect(problemsOf({ prefixItems: [{ type: 'number' }] }, ['x'], '2020-12')).toEqual(['/0 must be number']);
  });

  test('matches patterns in linear time', () => {
    const text = `${'a'.repeat(10_000)}b`;
    expect(problemsOf({ pattern: '^(a+)+$' }, text)).toHaveLength(1);
    expect(problemsOf({ patternProperties: { '^(a|aa)+$': false } }, { [text]: 1 })).toEqual([]);
    expect(problemsOf({ pattern: '^[\\w.-]+@\\d{2}\\/\\u0041$' }, 'a.b-c@12/A')).toEqual([]);
  });

  test.each([
    ['(?=a)b', '(?='],
    ['(a)\\1', '\\1'],
    ['a{2000}', '2000'],
    ['(', 'missing'],
  ])('with the pattern %j cannot be used, and the sentence says why', (pattern, why) => {
    expect(problemsOf({ pattern }, 'a')).toContain('cannot be read by RE2, which matches in linear time');
    expect(problemsOf({ pattern }, 'a')).toContain(why);
  });

  test('finds equal items whatever the order of their members', () => {
    const schema = { uniqueItems: true };
    expect(
      problemsOf(schema, [
        { a: 1, b: [2] },
        { b: [2], a: 1 },
      ]),
    ).toEqual([' must NOT have duplicate items']);
    expect(problemsOf(schema, [1, '1', null, [1]])).toEqual([]);
    expect(problemsOf({ uniqueItems: false }, [1, 1])).toEqual([]);
  });

  test('that refers to itself is followed as deep as the value goes', () => {
    const node = { type: 'object', properties: { next: { $ref: '#/$defs/node' } }, required: ['id'] };
    const schema = { $defs: { node }, $ref: '#/$defs/node' };
    expect(problemsOf(schema, { id: 1, next: { id: 2, next: {} } })).toEqual([
      "/next/next must have required property 'id'",
    ]);
    expect(problemsOf({ items: { $ref: '#' }, type: 'array' }, [[[1]]])).toEqual(['/0/0/0 must be array']);
  });

  test('that refers to itself without an end, or too often, fits nothing', () => {
    const tooOften = [' cannot be checked: the schema refers to itself too often'];
    expect(problemsOf({ $ref: '#' }, 1)).toEqual(tooOften);
    const list = { type: 'array', items: { $ref: '#' } };
    const deep = JSON.parse(`${'['.repeat(60)}1${']'.repeat(60)}`);
    expect(problemsOf({ anyOf: [list, { ...list, title: 'again' }] }, deep)).toEqual(tooOften);
  });

  test('with a promise for an answer is not supported', () => {
    expect(problemsOf({ $async: true }, 1)).toBe("'$async' is not supported");
  });

  test('that is equal to another shares its check', () => {
    const [one, two] = [schemaCheck({ title: 'same' }, 'draft-07'), schemaCheck({ title: 'same' }, 'draft-07')];
    expect(one.ok && two.ok && one.value === two.value).toBe(true);
  });
});

// It starts a process that compiles 2,000 schemas.
test('schemas that nobody holds any more leave nothing behind', { timeout: 60_000 }, () => {
  const script = fileURLToPath(new URL('../testing/schema-memory.ts', import.meta.url));
  const node = spawnSync(process.execPath, ['--expose-gc', '--import', 'tsx', script], { encoding: 'utf8' });
  expect(node.stderr).toBe('');
  const { ours, kept } = JSON.parse(node.stdout);
  // The library alone, to compare with, keeps every schema it has compiled.
  expect(ours).toBeLessThan(kept / 5);
});
