/*
 * Splits text into what a reader sees and what a reader does not see:
 *
 *   'DE<U+202E>33 55'  →  'DE' · U+202E right-to-left override · '33 55'
 *
 * Marked are characters that have no shape, look like an ordinary space, end a line unnoticed, or change the order of the text
 * beside them. Some have a good use, which is not marked: a variation selector behind an emoji; and in prose a joiner inside
 * an emoji or between letters of scripts that need it (Unicode Standard Annex 31, section 2.3), and a variant of an ideograph.
 */

/** Code, names and values have to be exact. In prose, joiners are part of words and of emoji. */
export type TextUse = 'exact' | 'prose';

export type HiddenKind = 'direction' | 'invisible' | 'control' | 'line end' | 'space';

/** A character that a reader does not see. */
export interface HiddenCharacter {
  /** `U+202E` */
  readonly code: string;
  /** `right-to-left override` */
  readonly name: string;
  readonly kind: HiddenKind;
}

/** A piece of text. With `hidden`, `text` is that character, once or several times in a row. */
export interface TextPart {
  readonly text: string;
  readonly hidden?: HiddenCharacter;
}

/** Tab, line feed and space are ordinary, and so are format characters of Arabic, Syriac and Kaithi that have a shape. */
const ordinary = String.raw`[\t\n \u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}]`;
const hidden = String.raw`(?!${ordinary}|\r\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Zs}\p{Surrogate}\p{Default_Ignorable_Code_Point}\u2800]`;

const emoji = String.raw`[\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Regional_Indicator}]`;
const emojiStyle = String.raw`(?<=${emoji})[\ufe0e\ufe0f]|(?<=[0-9#*])\ufe0f(?=\u20e3)`;
const emojiJoiner = String.raw`(?<=${emoji}\ufe0f?)\u200d(?=\p{Extended_Pictographic})`;
/** The flags of England, Scotland and Wales: a black flag, their letters as tags, and the end of tags. */
const regionFlags = ['gbeng', 'gbsct', 'gbwls']
  .map((region) => `(?<=\u{1f3f4})${[...region].map(tagOf).join('')}\u{e007f}`)
  .join('|');
const joined = ['Arabic', 'Syriac', 'Mongolian', 'Nko', 'Devanagari', 'Bengali', 'Gurmukhi', 'Gujarati', 'Oriya']
  .concat(['Tamil', 'Telugu', 'Kannada', 'Malayalam', 'Sinhala', 'Khmer', 'Myanmar', 'Tibetan'])
  .map((script) => String.raw`\p{Script_Extensions=${script}}`)
  .join('');
const letter = String.raw`(?=[\p{L}\p{M}])[${joined}]`;
const letterJoiner = String.raw`(?<=${letter})[\u200c\u200d](?=${letter})`;
const ideographVariant = String.raw`(?<=\p{Script=Han})[\ufe00-\ufe02\u{e0100}-\u{e01ef}]`;

const allowed: Readonly<Record<TextUse, string>> = {
  exact: emojiStyle,
  prose: [emojiStyle, emojiJoiner, regionFlags, letterJoiner, ideographVariant].join('|'),
};
const patterns = { exact: runPattern('exact'), prose: runPattern('prose') };

/** Matches what is allowed first, and otherwise a run of one hidden character as the group `run`. */
function runPattern(use: TextUse): RegExp {
  return new RegExp(String.raw`${allowed[use]}|(?<run>(?<one>${hidden})\k<one>*)`, 'gu');
}

/** Returns a new pattern that matches one hidden character at a time, for an editor that looks for them itself. */
export function hiddenPattern(use: TextUse): RegExp {
  // Most characters are none of the hidden ones, so these are looked for first.
  return new RegExp(`(?=${hidden})(?!${allowed[use]})[^]`, 'gu');
}

/** Returns the parts of a text, in order. Joined they are the text. */
export function visibleText(text: string, use: TextUse = 'exact'): readonly TextPart[] {
  const parts: TextPart[] = [];
  let from = 0;
  for (const { index, groups } of text.matchAll(patterns[use])) {
    const { run, one } = groups ?? {};
    if (run === undefined || one === undefined) continue;
    if (index > from) parts.push({ text: text.slice(from, index) });
    parts.push({ text: run, hidden: hiddenCharacter(one) });
    from = index + run.length;
  }
  if (from < text.length || parts.length === 0) parts.push({ text: text.slice(from) });
  return parts;
}

/** Describes one character, whether it is hidden or not. */
export function hiddenCharacter(character: string): HiddenCharacter {
  const point = character.codePointAt(0) ?? 0;
  const code = `U+${point.toString(16).toUpperCase().padStart(4, '0')}`;
  const known = names.get(point);
  if (known !== undefined) return { code, name: known, kind: kindOf(character) };
  return { code, name: nameOf(character, point), kind: kindOf(character) };
}

const names: ReadonlyMap<number, string> = new Map([
  [0x00, 'null'],
  [0x07, 'bell'],
  [0x08, 'backspace'],
  [0x09, 'tab'],
  [0x0a, 'line feed'],
  [0x0b, 'vertical tab'],
  [0x0c, 'form feed'],
  [0x0d, 'carriage return'],
  [0x1b, 'escape'],
  [0x7f, 'delete'],
  [0x85, 'next line'],
  [0xa0, 'no-break space'],
  [0xad, 'soft hyphen'],
  [0x034f, 'combining grapheme joiner'],
  [0x061c, 'Arabic letter mark'],
  [0x115f, 'Hangul choseong filler'],
  [0x1160, 'Hangul jungseong filler'],
  [0x180e, 'Mongolian vowel separator'],
  [0x200b, 'zero-width space'],
  [0x200c, 'zero-width non-joiner'],
  [0x200d, 'zero-width joiner'],
  [0x200e, 'left-to-right mark'],
  [0x200f, 'right-to-left mark'],
  [0x2028, 'line separator'],
  [0x2029, 'paragraph separator'],
  [0x202a, 'left-to-right embedding'],
  [0x202b, 'right-to-left embedding'],
  [0x202c, 'pop directional formatting'],
  [0x202d, 'left-to-right override'],
  [0x202e, 'right-to-left override'],
  [0x202f, 'narrow no-break space'],
  [0x2060, 'word joiner'],
  [0x2066, 'left-to-right isolate'],
  [0x2067, 'right-to-left isolate'],
  [0x2068, 'first strong isolate'],
  [0x2069, 'pop directional isolate'],
  [0x2800, 'braille pattern blank'],
  [0x3000, 'ideographic space'],
  [0x3164, 'Hangul filler'],
  [0xfeff, 'zero-width no-break space'],
  [0xffa0, 'halfwidth Hangul filler'],
]);

function nameOf(character: string, point: number): string {
  if (point >= 0xe0000 && point <= 0xe007f) return 'tag character';
  if (/\p{Variation_Selector}/u.test(character)) return 'variation selector';
  if (/\p{Zs}/u.test(character)) return 'space';
  if (/\p{Cc}/u.test(character)) return 'control character';
  if (/\p{Surrogate}/u.test(character)) return 'half of a character';
  return 'invisible character';
}

function kindOf(character: string): HiddenKind {
  if (/\p{Bidi_Control}/u.test(character)) return 'direction';
  if (/[\n\r\u0085\u2028\u2029]/u.test(character)) return 'line end';
  if (/[\p{Zs}\u2800]/u.test(character)) return 'space';
  return /[\p{Cc}\p{Surrogate}]/u.test(character) ? 'control' : 'invisible';
}

function tagOf(letterOfRegion: string): string {
  return String.fromCodePoint(0xe0000 + letterOfRegion.charCodeAt(0));
}
