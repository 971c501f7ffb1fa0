import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from '@/lib/base/json';
import { splitSource } from '@/lib/cards/source';
import { expectedAfter, sameValue } from '@/lib/cards/yaml/edit-value';
import { parseYaml } from '@/lib/cards/yaml/yaml-source';
import { tries } from '@/lib/testing/tries';
import { type CardEdit, editCard } from './edit';

/** Pieces of YAML that no card needs and some card has. */
const piece = fc.constantFrom(
  ...['? k\n: v\n', '? [a, b]\n: v\n', 'a: &x 1\n', 'b: *x\n', '<<: *x\n', 'm: &y {k: 1}\n', 'n:\n  <<: *y\n  k: 2\n'],
  ...[
    'a: !!str 5\n',
    'l:\n- - a\n  - b\n-\n- c: 1\n  d: 2\n',
    "'q k': 'it''s'\n",
    '"e\\u0041": "x\\ty"\n',
    'f: {a, b: , c: 1}\n',
  ],
  ...[
    't: \ta\n',
    'g: [a, # c\n  b,\n]\n',
    'p: one\n  two\n  three\n',
    '---\n',
    '...\n',
    '%YAML 1.1\n',
    '# c\n',
    '\n',
    '  \n',
  ],
  ...[
    'z: |+\n  keep\n\n\n',
    'z: >-\n  fold\n  ed\n',
    'i: |2\n   in\n',
    'a: 2026-01-02\n',
    'l: []\n',
    'o: {}\n',
    'k:\n',
    '1: x\n',
  ],
  ...[
    'l:\n# c\n- a # x\n\n# d\n- b\n',
    'm:\n    k: &z\n        d: 1\n    e: *z\n',
    '- a\n',
    'text',
    ': x\n',
    '@\n',
    '{',
    'x: "\n',
    '\r\n',
  ],
  ...[
    '---\nname: x\n---\nbody',
    '\uFEFF',
    '+++\n',
    'name: y # c',
    'servers:\n  -   wide\n  -   gap   \n',
    'tools: {time: [a,b],}\n',
  ],
);
const oddText = fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join(''));
const step = fc.constantFrom<string | number>(
  'a',
  'b',
  'm',
  'n',
  'k',
  'l',
  'f',
  'g',
  'z',
  'servers',
  'tools',
  'name',
  0,
  1,
  2,
);
const path = fc.array(step, { maxLength: 3 });
const value = fc.constantFrom<Json[]>(
  'x',
  'on',
  'a\nb',
  5,
  null,
  [],
  {},
  ['a', { b: ['c'] }],
  { d: { e: 'f' } },
  '\u0007',
  ' \n ',
);
const edit: fc.Arbitrary<CardEdit> = fc.oneof(
  fc.record({ op: fc.constant('set' as const), path, value }),
  fc.record({ op: fc.constant('remove' as const), path }),
  fc.record({ op: fc.constant('insert' as const), path, index: fc.nat({ max: 3 }), value }),
  fc.record({ op: fc.constant('move' as const), path, from: fc.nat({ max: 3 }), to: fc.nat({ max: 3 }) }),
  fc.record({ op: fc.constant('rename' as const), path, key: fc.constantFrom('renamed', 'on', 'a: b') }),
  fc.record({
    op: fc.constant('instruction' as const),
    text: fc.constantFrom('', 'x', 'a\r\nb', '---SYSTEM\nx', '---\n'),
  }),
);

function readValue(text: string, file: string): unknown {
  const { yaml } = splitSource(file, text);
  return yaml === undefined ? {} : (parseYaml(yaml).value ?? {});
}

describe('on text of any shape', () => {
  it('an edit takes effect or says why not, and never throws', () => {
    fc.assert(
      fc.property(oddText, fc.constantFrom('a.md', 'a.yaml'), edit, fc.boolean(), (yaml, file, change, fenced) => {
        const text = fenced && file === 'a.md' ? `---\n${yaml}---\n` : yaml;
        const result = editCard(text, file, change);
        if (!result.ok) {
          expect(result.error.message).toMatch(/[.]$/);
          expect(result.error.line).toBeLessThanOrEqual(text.split('\n').length);
        } else if (change.op !== 'instruction') {
          const expected = expectedAfter(readValue(text, file), change);
          expect(expected.ok && sameValue(readValue(result.value, file), expected.value ?? {})).toBe(true);
        }
      }),
      { numRuns: tries(3000) },
    );
  });

  it('setting what is there already changes nothing', () => {
    fc.assert(
      fc.property(oddText, step, (text, key) => {
        const before = readValue(text, 'a.yaml');
        if (typeof before !== 'object' || before === null || !Object.hasOwn(before, key)) return;
        const present: unknown = Reflect.get(before, key);
        const same = JSON.parse(JSON.stringify(present ?? null)) as Json;
        if (!sameValue(same, present)) return;
        const result = editCard(text, 'a.yaml', { op: 'set', path: [key], value: same });
        if (result.ok) expect(result.value).toBe(text);
      }),
      { numRuns: tries(500) },
    );
  });
});
