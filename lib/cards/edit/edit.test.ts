import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from '@/lib/base/json';
import { splitSource } from '@/lib/cards/source';
import { expectedAfter } from '@/lib/cards/yaml/edit-value';
import { editYaml } from '@/lib/cards/yaml/edit-yaml';
import { parseYaml } from '@/lib/cards/yaml/yaml-source';
import { tries } from '@/lib/testing/tries';
import { type CardEdit, editCard } from './edit';

const card = `---
type: agent
name: lead  # boss
servers:   # mine
  - time   # local
  # about b
  - b
tools:
  time: [get_time, "x"]   # f
empty:  # nothing
agents: []
weird: {a: 1, b: [x, y]}
description: |
  hello
    there

max_parallel: 010
---

Do it.
`;

function edited(text: string, edit: CardEdit, file = 'a.md'): string {
  const result = editCard(text, file, edit);
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
}

/** The change as `-` and `+` lines. */
function diff(text: string, edit: CardEdit, file = 'a.md'): string[] {
  const [a, b] = [text.split('\n'), edited(text, edit, file).split('\n')];
  let head = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) head++;
  let tail = 0;
  while (tail < Math.min(a.length, b.length) - head && a.at(-1 - tail) === b.at(-1 - tail)) tail++;
  return [
    ...a.slice(head, a.length - tail).map((line) => `-${line}`),
    ...b.slice(head, b.length - tail).map((line) => `+${line}`),
  ];
}

describe('editCard: set', () => {
  it.each<[CardEdit, string[]]>([
    [{ op: 'set', path: ['name'], value: 'boss' }, ['-name: lead  # boss', '+name: boss  # boss']],
    [{ op: 'set', path: ['name'], value: 'on' }, ['-name: lead  # boss', '+name: "on"  # boss']],
    [{ op: 'set', path: ['name'], value: 'a\nb' }, ['-name: lead  # boss', '+name: |-  # boss', '+  a', '+  b']],
    [{ op: 'set', path: ['servers', 0], value: 'x: y' }, ['-  - time   # local', '+  - "x: y"   # local']],
    [{ op: 'set', path: ['servers'], value: ['time', 'b', 'c'] }, ['+  - c']],
    [
      { op: 'set', path: ['tools', 'time', 1], value: 'y' },
      ['-  time: [get_time, "x"]   # f', '+  time: [get_time, "y"]   # f'],
    ],
    [{ op: 'set', path: ['tools', 'b'], value: [] }, ['+  b: []']],
    [{ op: 'set', path: ['empty'], value: 5 }, ['-empty:  # nothing', '+empty: 5  # nothing']],
    [{ op: 'set', path: ['empty'], value: ['a.py:f'] }, ['+  - a.py:f']],
    [
      { op: 'set', path: ['weird', 'b', 1], value: 'a, b' },
      ['-weird: {a: 1, b: [x, y]}', '+weird: {a: 1, b: [x, "a, b"]}'],
    ],
    [{ op: 'set', path: ['description'], value: 'hello\n  you\n' }, ['-    there', '+    you']],
    [{ op: 'set', path: ['model'], value: 'gpt-5' }, ['+model: gpt-5']],
    [{ op: 'set', path: ['request_params', 'max_tokens'], value: 5 }, ['+request_params:', '+  max_tokens: 5']],
  ])('%j', (edit, lines) => {
    expect(diff(card, edit)).toEqual(lines);
  });

  it('puts a new key after its sensible neighbour', () => {
    expect(edited('---\nservers: [a]\nagents: [b]\n---\n', { op: 'set', path: ['model'], value: 'm' })).toBe(
      '---\nmodel: m\nservers: [a]\nagents: [b]\n---\n',
    );
    expect(edited('---\nname: x\nagents: [b]\nown: 1\n---\n', { op: 'set', path: ['skills'], value: [] })).toBe(
      '---\nname: x\nskills: []\nagents: [b]\nown: 1\n---\n',
    );
  });

  it.each([
    'on',
    'No',
    '010',
    '1:30',
    '2026-01-02',
    '1_000',
    '',
    ' x',
    '- a',
    'a: b',
    'a #b',
    '*x',
    '{{y}}',
    '=',
    '~',
    '@a',
    'a\tb',
  ])('quotes %j so that YAML 1.1 reads a string', (value) => {
    const text = edited(card, { op: 'set', path: ['name'], value });
    expect(text.split('\n')[2]).toMatch(/^name: ".*" {2}# boss$/);
  });

  it('quotes in flow collections what PyYAML stops at', () => {
    const text = edited('a: [x]\n', { op: 'set', path: ['a'], value: ['is it?', 'k:v', 'a}'] }, 'a.yaml');
    expect(text).toBe('a: ["is it?", k:v, "a}"]\n');
  });

  it('keeps the quotes a string had', () => {
    expect(edited("a: 'x' # c\n", { op: 'set', path: ['a'], value: "it's" }, 'a.yaml')).toBe("a: 'it''s' # c\n");
    expect(edited('a: "x"\n', { op: 'set', path: ['a'], value: 'y' }, 'a.yaml')).toBe('a: "y"\n');
  });

  it('takes away the quotes that only the first letters of a typed word needed', () => {
    const typed = ['n', 'no', 'nod', 'node'].reduce(
      (text, value) => edited(text, { op: 'set', path: ['command'], value }, 'a.yaml'),
      'command: npx # c\n',
    );
    expect(typed).toBe('command: node # c\n');
    expect(edited('a: {b: "[x"}\n', { op: 'set', path: ['a', 'b'], value: 'x' }, 'a.yaml')).toBe('a: {b: x}\n');
  });

  it('keeps CRLF and BOM', () => {
    const text = `\uFEFF${card.replaceAll('\n', '\r\n')}`;
    const result = edited(text, { op: 'set', path: ['model'], value: 'a\nb' });
    expect(result.startsWith('\uFEFF---\r\n')).toBe(true);
    expect(result.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
    expect(result).toContain('model: |-\r\n  a\r\n  b\r\n');
  });

  it('gives front matter to a card without any', () => {
    expect(edited('Hello\n', { op: 'set', path: ['name'], value: 'x' })).toBe('---\nname: x\n---\nHello\n');
    expect(edited('---\n---\nHi', { op: 'set', path: ['name'], value: 'x' })).toBe('---\nname: x\n---\nHi');
  });
});

describe('editCard: insert, move, remove', () => {
  it.each<[CardEdit, string[]]>([
    [{ op: 'insert', path: ['servers'], index: 1, value: 'c' }, ['+  - c']],
    [{ op: 'insert', path: ['agents'], index: 0, value: 'kid' }, ['-agents: []', '+agents: [kid]']],
    [{ op: 'insert', path: ['function_tools'], index: 0, value: 'a.py:f' }, ['+function_tools:', '+  - a.py:f']],
    [
      { op: 'insert', path: ['name'], index: 1, value: 'b' },
      ['-name: lead  # boss', '+name:  # boss', '+  - lead', '+  - b'],
    ],
    [
      { op: 'move', path: ['servers'], from: 1, to: 0 },
      ['-  - time   # local', '-  # about b', '-  - b', '+  # about b', '+  - b', '+  - time   # local'],
    ],
    [{ op: 'remove', path: ['servers', 1] }, ['-  - b']],
    [{ op: 'remove', path: ['tools', 'time'] }, ['-tools:', '-  time: [get_time, "x"]   # f', '+tools: {}']],
    [{ op: 'remove', path: ['max_parallel'] }, ['-max_parallel: 010']],
    [{ op: 'remove', path: ['absent', 'too'] }, []],
    [{ op: 'remove', path: ['weird', 'b', 1] }, ['-weird: {a: 1, b: [x, y]}', '+weird: {a: 1, b: [x]}']],
  ])('%j', (edit, lines) => {
    expect(diff(card, edit)).toEqual(lines);
  });

  it('leaves empty front matter when the last key goes', () => {
    expect(edited('---\nname: x\n---\nHi\n', { op: 'remove', path: ['name'] })).toBe('---\n---\nHi\n');
  });

  it('gives entries of a spread flow list lines of their own', () => {
    const text = 'a: [\n  x,  # one\n  y\n]\n';
    expect(edited(text, { op: 'insert', path: ['a'], index: 2, value: 'z' }, 'a.yaml')).toBe(
      'a: [\n  x,  # one\n  y,\n  z\n]\n',
    );
  });
});

describe('editCard: instruction', () => {
  it.each([
    [card, 'New.\nText.', card.replace('Do it.', 'New.\nText.')],
    ['---\na: 1\n---', 'x', '---\na: 1\n---\nx\n'],
    ['---\na: 1\n---\n', 'x', '---\na: 1\n---\nx\n'],
    ['---\na: 1\n---\n\n---SYSTEM\nold\n\n', 'x', '---\na: 1\n---\n\n---SYSTEM\nx\n\n'],
    ['---\na: 1\n---\r\nold\r\n', 'x\ny', '---\na: 1\n---\r\nx\ny\r\n'],
    ['---\ninstruction: old # c\n---\n', 'x', '---\ninstruction: x # c\n---\n'],
    ['plain', 'x', 'x'],
  ])('%j', (text, instruction, result) => {
    expect(edited(text, { op: 'instruction', text: instruction })).toBe(result);
  });

  it('is a field in a YAML card', () => {
    const first = edited('name: a\n', { op: 'instruction', text: 'x\ny' }, 'a.yaml');
    expect(first).toBe('name: a\ninstruction: |-\n  x\n  y\n');
    expect(edited(first, { op: 'instruction', text: '' }, 'a.yaml')).toBe('name: a\n');
    expect(edited('instruction: |\n    a\n    b\n', { op: 'instruction', text: 'a\nc' }, 'a.yml')).toBe(
      'instruction: |\n    a\n    c\n',
    );
  });

  it('refuses text that the card format would swallow', () => {
    expect(editCard(card, 'a.md', { op: 'instruction', text: '---SYSTEM\nx' }).ok).toBe(false);
  });
});

describe('what cannot be edited in place', () => {
  it.each<[string, CardEdit, number]>([
    ['a: &x 1\nb: *x\n', { op: 'set', path: ['b'], value: 2 }, 2],
    ['a: &x 1\nb: *x\n', { op: 'set', path: ['a'], value: 2 }, 1],
    ['d: &x {k: 1}\nm:\n  <<: *x\n  k: 2\n', { op: 'remove', path: ['m', 'k'] }, 4],
    ['a: 1\nb: [\n', { op: 'set', path: ['a'], value: 2 }, 2],
    ['a: 1\na: 2\n', { op: 'remove', path: ['a'] }, 2],
    ['a: x\n', { op: 'set', path: ['a', 'b'], value: 2 }, 1],
    ['- a\n', { op: 'set', path: ['a'], value: 2 }, 1],
  ])('%j %j names the line', (text, edit, line) => {
    const result = editCard(text, 'a.yaml', edit);
    expect(result.ok).toBe(false);
    if (!result.ok) expect(result.error).toMatchObject({ code: 'cannot-edit', file: 'a.yaml', line });
  });

  it('edits beside aliases', () => {
    expect(edited('a: &x 1\nb: *x\nc: 3\n', { op: 'set', path: ['c'], value: 4 }, 'a.yaml')).toBe(
      'a: &x 1\nb: *x\nc: 4\n',
    );
  });

  it('counts lines from the top of a Markdown card', () => {
    const result = editCard('---\na: &x 1\nb: *x\n---\n', 'a.md', { op: 'set', path: ['b'], value: 2 });
    expect(!result.ok && result.error.line).toBe(3);
  });
});

describe('editYaml', () => {
  it('makes a file from nothing', () => {
    const position = { x: 1, y: 2 };
    expect(editYaml('', { op: 'set', path: ['canvas', 'positions', 'agent:a'], value: position })).toEqual({
      ok: true,
      value: 'canvas:\n  positions:\n    agent:a: { x: 1, y: 2 }\n',
    });
  });

  it('keeps comments of a file that has nothing else', () => {
    expect(editYaml('# mine', { op: 'set', path: ['version'], value: 1 })).toEqual({
      ok: true,
      value: '# mine\nversion: 1\n',
    });
  });
});

// Properties of edits, on random documents in many styles.

const word = fc.constantFrom('alpha', 'b c', 'get_*', 'x/y', 'gpt-4.1', 'a.py:f', 'ü');
const scalar = fc.oneof(
  word,
  word.map((text) => `'${text}'`),
  word.map((text) => `"${text}"`),
  fc.constantFrom('12', 'true', '1.5', 'null', 'on', '0x1F'),
);
const comment = fc.constantFrom('', '', '  # note', ' # x: [y]');
const between = fc.constantFrom('', '', '', '\n', '# comment\n', '\n# one\n# two\n\n');

function valueText(indent: string): fc.Arbitrary<string> {
  const deeper = fc.constantFrom(`${indent}  `, `${indent}    `);
  const lines = (dash: string, items: readonly [string, string, string][]) =>
    items.map(([item, note, gap]) => `${gap.replaceAll(/^(?=#)/gm, dash)}${dash}- ${item}${note}\n`).join('');
  const entries = fc.array(fc.tuple(scalar, comment, between), { minLength: 1, maxLength: 4 });
  return fc.oneof(
    fc.tuple(scalar, comment).map(([text, note]) => ` ${text}${note}\n`),
    comment.map((note) => `${note}\n`),
    fc
      .tuple(fc.constantFrom(indent, `${indent}  `), comment, entries)
      .map(([dash, note, items]) => `${note}\n${lines(dash, items)}`),
    fc.tuple(fc.array(scalar, { maxLength: 3 }), comment).map(([items, note]) => ` [${items.join(', ')}]${note}\n`),
    fc.tuple(scalar, scalar, comment).map(([a, b, note]) => ` { p: ${a}, q: ${b} }${note}\n`),
    fc
      .tuple(deeper, fc.constantFrom('|', '|-', '>'))
      .map(([pad, head]) => ` ${head}\n${pad}one\n${pad}  two\n\n${pad}three\n`),
    fc
      .tuple(deeper, scalar, scalar, comment)
      .map(
        ([pad, a, b, note]) => `${note}\n${pad}p: ${a}\n${pad}q:\n${pad}  - ${b}\n${pad}  - r: 1\n${pad}    s: ${a}\n`,
      ),
  );
}

const document = fc
  .tuple(
    fc.uniqueArray(fc.constantFrom('name', 'type', 'servers', 'agents', 'tools', 'own', 'x y'), { minLength: 1 }),
    fc.array(fc.tuple(between, valueText('')), { minLength: 7, maxLength: 7 }),
    fc.constantFrom('\n', '\r\n'),
    fc.constantFrom('', '\uFEFF'),
    fc.constantFrom('md', 'yaml', 'bare'),
  )
  .map(([keys, values, eol, bom, shape]) => {
    const yaml = keys.map((key, at) => `${values[at]?.[0] ?? ''}${key}:${values[at]?.[1] ?? '\n'}`).join('');
    const whole =
      shape === 'md' ? `---\n${yaml}---\nBody # here\n` : shape === 'bare' ? yaml.replace(/\n+$/, '') : yaml;
    return { file: shape === 'md' ? 'a.md' : 'a.yaml', text: bom + whole.replaceAll('\n', eol) };
  });

const json = fc.oneof(
  word,
  fc.string({ maxLength: 8 }),
  fc.constantFrom('on', 'a\nb', 'a\n\n b\n', ' lead\nx', 'x\n\n', '010'),
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
  fc.array(word, { maxLength: 3 }),
  fc.constantFrom<Json[]>(
    { x: 1, y: 2 },
    { k: ['a', { b: 'c', d: ['e'] }] },
    [{ entrypoint: 'a.py:f', variant: 'code' }],
    {},
    [],
  ),
);

function readValue(text: string, file: string): unknown {
  const { yaml } = splitSource(file, text);
  return yaml === undefined ? undefined : (parseYaml(yaml).value ?? {});
}

interface Found {
  readonly path: (string | number)[];
  readonly value: unknown;
}

function places(value: unknown, path: (string | number)[] = []): Found[] {
  const here = path.length === 0 ? [] : [{ path, value }];
  if (Array.isArray(value)) return [...here, ...value.flatMap((item, at) => places(item, [...path, at]))];
  if (typeof value !== 'object' || value === null) return here;
  return [...here, ...Object.entries(value).flatMap(([key, item]) => places(item, [...path, key]))];
}

function pick<T>(items: readonly T[], at: number): T | undefined {
  return items[at % Math.max(1, items.length)];
}

function lines(text: string): string[] {
  return text.replace('\uFEFF', '').split(/\r?\n/);
}

/** True if all lines of `part` appear in `whole`, in order. */
function isWithin(part: readonly string[], whole: readonly string[]): boolean {
  let at = 0;
  for (const line of whole) if (at < part.length && part[at] === line) at++;
  return at === part.length;
}

describe('for every document', () => {
  it('an edit takes effect and nothing else changes', () => {
    fc.assert(
      fc.property(document, fc.nat(), json, fc.nat({ max: 3 }), ({ text, file }, at, value, kind) => {
        const before = readValue(text, file);
        const found = pick(places(before), at);
        if (found === undefined) return;
        const list = Array.isArray(found.value) ? found.value.length : 0;
        const edits: CardEdit[] = [
          { op: 'set', path: found.path, value },
          { op: 'remove', path: found.path },
          ...(list > 0 ? [{ op: 'insert', path: found.path, index: at % (list + 1), value } as const] : []),
          ...(list > 0 ? [{ op: 'move', path: found.path, from: at % list, to: (at >> 3) % list } as const] : []),
        ];
        const edit = pick(edits, kind);
        if (edit === undefined || edit.op === 'instruction') return;
        const result = edited(text, edit, file);
        const expected = expectedAfter(before, edit);
        expect(expected.ok && readValue(result, file)).toEqual(expected.ok && expected.value);
        expect(result.startsWith('\uFEFF')).toBe(text.startsWith('\uFEFF'));
        if (text.includes('\r\n')) expect(result.replaceAll('\r\n', '')).not.toContain('\n');
        // Lines before the edited top-level key and from the next key on are unchanged.
        const [key] = found.path;
        const [old, now] = [lines(text), lines(result)];
        const start = old.findIndex((line) => line.startsWith(`${key}:`));
        const length = old.slice(start + 1).findIndex((line) => /^(?:[a-z]|---)/.test(line));
        expect(now.slice(0, start)).toEqual(old.slice(0, start));
        if (length !== -1) {
          const rest = old.slice(start + 1 + length);
          expect(now.slice(now.length - rest.length)).toEqual(rest);
        }
        if (edit.op === 'move' && !/[[{]/.test(old[start] ?? ''))
          expect(now.map((line) => line.trim()).sort()).toEqual(old.map((line) => line.trim()).sort());
        if (edit.op === 'insert' && !/[[{]/.test(old[start] ?? '')) expect(isWithin(old, now)).toBe(true);
      }),
      { numRuns: tries(600) },
    );
  });

  it('an insertion and its removal give the text back', () => {
    fc.assert(
      fc.property(document, fc.nat(), json, ({ text, file }, at, value) => {
        const lists = places(readValue(text, file)).filter(({ value: list }) => Array.isArray(list) && list.length > 0);
        const found = pick(lists, at);
        if (found === undefined || !Array.isArray(found.value)) return;
        const index = at % (found.value.length + 1);
        const there = edited(text, { op: 'insert', path: found.path, index, value }, file);
        expect(edited(there, { op: 'remove', path: [...found.path, index] }, file)).toBe(text);
      }),
      { numRuns: tries(300) },
    );
  });

  it('a new key and its removal give the text back', () => {
    fc.assert(
      fc.property(
        document,
        fc.nat(),
        json,
        fc.constantFrom('model', 'zzz', 'skills'),
        ({ text, file }, at, value, key) => {
          const isMap = (item: unknown) => typeof item === 'object' && item !== null && !Array.isArray(item);
          const maps = [{ path: [] }, ...places(readValue(text, file)).filter((found) => isMap(found.value))];
          const path = [...(pick(maps, at)?.path ?? []), key];
          const there = edited(text, { op: 'set', path, value }, file);
          expect(edited(there, { op: 'remove', path }, file)).toBe(text);
        },
      ),
      { numRuns: tries(300) },
    );
  });

  it('moving there and back gives the text back', () => {
    fc.assert(
      fc.property(document, fc.nat(), fc.nat(), ({ text, file }, at, where) => {
        const lists = places(readValue(text, file)).filter(({ value }) => Array.isArray(value) && value.length > 1);
        const found = pick(lists, at);
        if (found === undefined || !Array.isArray(found.value)) return;
        const [from, to] = [at % found.value.length, where % found.value.length];
        const there = edited(text, { op: 'move', path: found.path, from, to }, file);
        expect(edited(there, { op: 'move', path: found.path, from: to, to: from }, file)).toBe(text);
      }),
      { numRuns: tries(300) },
    );
  });

  it('setting a word and setting it back gives the text back', () => {
    fc.assert(
      fc.property(document, fc.nat(), word, ({ text, file }, at, value) => {
        const words = places(readValue(text, file)).filter(
          (found) => typeof found.value === 'string' && !found.value.includes('\n'),
        );
        const found = pick(words, at);
        if (found === undefined || typeof found.value !== 'string') return;
        const there = edited(text, { op: 'set', path: found.path, value }, file);
        expect(edited(there, { op: 'set', path: found.path, value: found.value }, file)).toBe(text);
      }),
      { numRuns: tries(300) },
    );
  });
});
