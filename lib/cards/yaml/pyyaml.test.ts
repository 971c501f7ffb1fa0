import { describe, expect, test } from 'vitest';
import { toJson } from '@/lib/cards/read/describe-value';
import { isPlainString, YamlDate } from './pyyaml';
import { parseYaml } from './yaml-source';

function read(text: string): unknown {
  const yaml = parseYaml({ text, offset: 0 });
  return yaml.faults.length > 0 ? yaml.faults.map(({ code, offset }) => `${code}@${offset}`) : yaml.value;
}

describe('plain scalars as PyYAML reads them', () => {
  test.each([
    ['yes', true],
    ['No', false],
    ['on', true],
    ['OFF', false],
    ['y', 'y'],
    ['n', 'n'],
    ['yEs', 'yEs'],
    ['~', null],
    ['NULL', null],
    ['nUll', 'nUll'],
    ['', null],
    ['010', 8],
    ['08', '08'],
    ['0o10', '0o10'],
    ['0x1F', 31],
    ['0b101', 5],
    ['1_000', 1000],
    ['-7', -7],
    ['9007199254740992', 2 ** 53],
    ['9007199254740993', 9007199254740993n],
    ['-9_007_199_254_740_993', -9007199254740993n],
    ['+0x20000000000001', 9007199254740993n],
    ['0400000000000000001', 9007199254740993n],
    ['-0b100000000000000000000000000000000000000000000000000001', -9007199254740993n],
    ['1:30', 90],
    ['1:30.5', 90.5],
    ['1:60', '1:60'],
    ['1e3', '1e3'],
    ['1.0e3', '1.0e3'],
    ['1.0e+3', 1000],
    ['.5', 0.5],
    ['1.', 1],
    ['-.inf', Number.NEGATIVE_INFINITY],
    ['.nan', Number.NaN],
    ['"yes"', 'yes'],
    ["'010'", '010'],
    ['!!str 5', '5'],
    ['!!int "5"', 5],
    ['2026-01-02', new YamlDate('2026-01-02')],
    ['2026-01-02 10:00:00 +1', new YamlDate('2026-01-02 10:00:00 +1')],
    ['2026-1-2', '2026-1-2'],
    ['$system.fast', '$system.fast'],
  ])('%s', (text, value) => {
    expect(read(`key: ${text}`)).toEqual({ key: value });
    expect(isPlainString(text)).toBe(typeof value === 'string' || /^["'!]/.test(text));
  });
});

describe('structure', () => {
  test.each<[string, unknown]>([
    ['a: 1\na: 2', { a: 2 }],
    ['a: &x {q: 1}\nb: {<<: *x, r: 2}', { a: { q: 1 }, b: { r: 2, q: 1 } }],
    ['a: &x {q: 1}\nb: {q: 0, <<: [*x, {q: 3, s: 4}]}', { a: { q: 1 }, b: { q: 0, s: 4 } }],
    ['a: &x [1]\nb: *x', { a: [1], b: [1] }],
    ['1: x\nyes: y', { '1': 'x', yes: 'y' }],
    ['__proto__: {polluted: 1}', JSON.parse('{"__proto__": {"polluted": 1}}')],
    ['', null],
    ['# only a comment', null],
    ['<<: 5', ['yaml-alias@0']],
    ['<<: 2026-01-02', ['yaml-alias@0']],
    ['a: !!float 3', { a: 3 }],
    ['a: &x [*x]', ['yaml-alias@7']],
    ['a: {{b}}', ['yaml-key@3']],
    ['? [a]\n: b', ['yaml-key@0']],
    ['a: =', ['yaml-syntax@3']],
    ['=: a', { '=': 'a' }],
    ['a: <<', ['yaml-syntax@3']],
    ['a: b\tc', ['yaml-syntax@3']],
    ['a: 2026-02-30', ['yaml-syntax@3']],
    ['a: !unknown x', ['yaml-tag@3']],
    ['a: !!python/name:os.system', ['yaml-tag@3']],
    ['a: [', ['yaml-syntax@3']],
    ['x: [a, b\nc: d', ['yaml-syntax@3']],
    ['a: 1\n---\nb: 2', ['yaml-syntax@5']],
    ['['.repeat(50_000), ['yaml-too-deep@0']],
    ['- '.repeat(50_000), ['yaml-too-deep@0']],
  ])('%j', (text, value) => {
    expect(read(text)).toEqual(value);
  });

  test('nested aliases do not expand without bound', () => {
    const lines = ['a0: &a0 [x, x, x, x, x, x, x, x, x]'];
    for (let level = 1; level < 12; level++) {
      lines.push(
        `a${level}: &a${level} [${Array(9)
          .fill(`*a${level - 1}`)
          .join(', ')}]`,
      );
    }
    expect(read(lines.join('\n'))).toEqual([expect.stringMatching(/^yaml-alias@/)]);
  });
});

test('JSON of plain YAML has dates and odd numbers as strings', () => {
  expect(toJson(read('a: 2026-01-02\nb: .inf\nc: [~, 1]'))).toEqual({ a: '2026-01-02', b: 'Infinity', c: [null, 1] });
});
