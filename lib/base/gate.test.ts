import { expect, test } from 'vitest';
import { overriderWords } from './gate';

const failed = (...who: readonly ('publisher' | 'admin' | 'administrator')[]) =>
  who.map((overriddenBy) => ({ id: 'x', ok: false, sentence: 'It fails.', overriddenBy }));

test('whoever may publish past every check is named', () => {
  expect(overriderWords(failed('publisher'))).toBe('a reviewer of the project');
  expect(overriderWords(failed('publisher', 'admin'))).toBe('an admin of the project');
  expect(overriderWords(failed('admin', 'administrator', 'publisher'))).toBe('an administrator of the installation');
});
