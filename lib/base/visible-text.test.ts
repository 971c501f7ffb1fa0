import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type TextUse, visibleText } from './visible-text';

const uses = fc.constantFrom<TextUse>('exact', 'prose');
/** Every character that must be marked in a value, whatever stands beside it. */
const alwaysHidden = [
  ...range(0x00, 0x08),
  ...range(0x0b, 0x0c),
  ...range(0x0e, 0x1f),
  ...range(0x7f, 0xa0),
  ...[0xad, 0x061c, 0x115f, 0x1160, 0x180e, 0x2028, 0x2029, 0x202f, 0x205f, 0x2060, 0x3000, 0x3164, 0xfeff, 0xffa0],
  ...range(0x2000, 0x200f),
  ...range(0x202a, 0x202e),
  ...range(0x2066, 0x2069),
  ...range(0xe0000, 0xe007f),
].map((point) => String.fromCodePoint(point));
const selectors = [...range(0xfe00, 0xfe0f), ...range(0xe0100, 0xe01ef)].map((point) => String.fromCodePoint(point));
const ordinary = [
  'a',
  '1',
  ' ',
  '\t',
  '\n',
  '\r\n',
  'é',
  '日',
  'क',
  '्',
  'ع',
  'ש',
  '👩',
  '🏽',
  '❤',
  '🏴',
  '#',
  '\u20e3',
];
const mixed = fc
  .array(fc.constantFrom(...alwaysHidden, ...selectors, ...ordinary, '\r', '\ud800'), { maxLength: 30 })
  .map((all) => all.join(''));

describe('any text', () => {
  test('is the text of its parts, joined', () => {
    fc.assert(
      fc.property(fc.oneof(mixed, fc.string({ unit: 'binary' })), uses, (text, use) => {
        expect(joined(visibleText(text, use))).toBe(text);
      }),
    );
  });

  test('has no character that cannot be seen in a part that is not marked', () => {
    fc.assert(
      fc.property(mixed, (text) => {
        for (const part of visibleText(text)) {
          if (part.hidden !== undefined) continue;
          for (const character of part.text) expect(alwaysHidden).not.toContain(character);
          expect(part.text).not.toMatch(/\r(?!\n)|\p{Surrogate}/u);
          expect(part.text).not.toMatch(/(?<![\p{Extended_Pictographic}\p{Emoji_Modifier}0-9#*])[\ufe00-\ufe0f]/u);
        }
      }),
    );
  });

  test('has marked parts that are one character, once or several times', () => {
    fc.assert(
      fc.property(mixed, uses, (text, use) => {
        for (const part of visibleText(text, use)) {
          if (part.hidden !== undefined) expect(new Set(part.text).size).toBe(1);
        }
      }),
    );
  });
});

test.each([
  ['a\u202eb', ['a', 'U+202E right-to-left override', 'b']],
  ['a\u200b\u200b\u200bb', ['a', 'U+200B zero-width space ×3', 'b']],
  ['// note\rrun()', ['// note', 'U+000D carriage return', 'run()']],
  ['// note\u2028run()', ['// note', 'U+2028 line separator', 'run()']],
  ['two\r\nlines\n', ['two\r\nlines\n']],
  ['DE33\u00a055', ['DE33', 'U+00A0 no-break space', '55']],
  ['a\u{e0061}', ['a', 'U+E0061 tag character']],
  ['a\ufe0f', ['a', 'U+FE0F variation selector']],
  ['', ['']],
])('%j has the parts %j', (text, shown) => {
  expect(visibleText(text).map(shownPart)).toEqual(shown);
});

describe('what has a good use', () => {
  test.each([
    ['a family of emoji', '👨\u200d👩\u200d👧'],
    ['a heart with its style, and a person with a colour', '❤️\u200d🔥 👩🏽\u200d💻'],
    ['Persian words', 'می\u200cخواهم'],
    ['a conjunct of Hindi', 'क्\u200dष'],
    ['the flag of Wales', '🏴\u{e0067}\u{e0062}\u{e0077}\u{e006c}\u{e0073}\u{e007f}'],
    ['a variant of an ideograph', '葛\u{e0100}'],
  ])('%s is not marked in prose, and is in code', (_, text) => {
    expect(visibleText(text, 'prose')).toEqual([{ text }]);
    expect(visibleText(text, 'exact').length).toBeGreaterThan(1);
  });

  test.each(['❤️', '1️⃣', '©️', '☎︎'])('the style of %s is not marked', (text) => {
    expect(visibleText(text, 'exact')).toEqual([{ text }]);
  });

  test.each(['a\u200db', 'pay\u200c', '👩\u200d', '🏴\u{e0068}\u{e0069}\u{e007f}'])(
    '%j is marked in prose too',
    (text) => {
      expect(visibleText(text, 'prose').some((part) => part.hidden !== undefined)).toBe(true);
    },
  );
});

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

function joined(parts: ReturnType<typeof visibleText>): string {
  return parts.map((part) => part.text).join('');
}

function shownPart({ text, hidden }: ReturnType<typeof visibleText>[number]): string {
  if (hidden === undefined) return text;
  const times = [...text].length;
  return `${hidden.code} ${hidden.name}${times > 1 ? ` ×${times}` : ''}`;
}
