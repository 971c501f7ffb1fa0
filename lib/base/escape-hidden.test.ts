import { expect, test } from 'vitest';
import { escapeHidden } from './escape-hidden';

test.each([
  ['plain text, naïve 日本語 🙂', 'plain text, naïve 日本語 🙂'],
  ['a\u001b[2Kb', 'a\\u{1b}[2Kb'],
  ['rm\rls\n', 'rm\\u{d}ls\\u{a}'],
  ['safe\u202etxt.exe', 'safe\\u{202e}txt.exe'],
  ['zero\u200bwidth\ufeff', 'zero\\u{200b}width\\u{feff}'],
  ['half \ud800', 'half \\u{d800}'],
])('%j', (text, shown) => {
  expect(escapeHidden(text)).toBe(shown);
});
