import { expect, test } from 'vitest';
import { numberedDiff } from './numbered-diff';

test('each line of the new text has its number, also behind lines that are folded', () => {
  const before = Array.from({ length: 30 }, (_, index) => `line ${index + 1}`);
  const after = [...before.slice(0, 20), 'new', ...before.slice(21), 'end'];
  const shown = numberedDiff(before.join('\n'), after.join('\n'));
  for (const { number, text, kind } of shown) {
    if (number === undefined) expect(['removed', 'skipped']).toContain(kind);
    else expect(after[number - 1]).toBe(text);
  }
  expect(shown.filter(({ kind }) => kind === 'added').map(({ number }) => number)).toEqual([21, 31]);
});
