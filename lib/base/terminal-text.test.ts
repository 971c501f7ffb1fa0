import { expect, test } from 'vitest';
import { terminalJson, terminalText } from './terminal-text';

const everyCharacter = Array.from({ length: 0x2100 }, (_, code) => String.fromCharCode(code)).join('');
// ECMA-48 controls, the bidirectional controls of UAX #9, and what has no width.
const obeyed = /[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}\u200b\u2060]/u;

test('nothing that a terminal obeys is left', () => {
  const shown = terminalText(everyCharacter.replace('\r\n', ''));
  expect(shown.replaceAll('\n', '').replaceAll('\t', '')).not.toMatch(obeyed);
  expect(terminalText('\u001b]0;owned\u0007 \u009b31m \u202eabc\u2069 \rhidden')).toBe(
    '\\u001b]0;owned\\u0007 \\u009b31m \\u202eabc\\u2069 \\u000dhidden',
  );
});

test('what nobody sees in a terminal is escaped', () => {
  expect(terminalText('pa\u200by \u2028end \u{e0041}')).toBe('pa\\u200by \\u2028end \\udb40\\udc41');
});

test('ordinary text stays as it is', () => {
  const text = 'Zeile 1\r\n\tZeile 2: ä € 😀 שלום 👩🏽\u200d💻 ❤\ufe0f 5\u00a0km\n';
  expect(terminalText(text)).toBe(text);
});

test('JSON keeps its value', () => {
  const shown = terminalJson(JSON.stringify({ text: everyCharacter }));
  expect(shown).not.toMatch(obeyed);
  expect(JSON.parse(shown)).toEqual({ text: everyCharacter });
});
