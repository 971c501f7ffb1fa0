import { parse } from '@babel/parser';
import { describe, expect, it } from 'vitest';
import { languageOf, scanCode } from '@/lib/cards/code/code-scan';
import { folderOf } from '@/lib/cards/files';
import type { FunctionKind } from './function-skeleton';
import { functionPhases } from './function-skeleton';
import { addFunction, definitionLine } from './new-function';

const kinds: readonly FunctionKind[] = ['tool', 'hook', ...functionPhases];
const files = ['f.py', 'f.ts', 'f.mts', 'f.cts', 'f.js', 'f.mjs', 'f.cjs'];

function added(text: string | undefined, file: string, name: string, kind: FunctionKind = 'tool'): string {
  const changes = addFunction(folderOf(text === undefined ? {} : { [file]: text }), { file, name, kind });
  if (!changes.ok) throw new Error(changes.error.message);
  expect([...changes.value.keys()]).toEqual([file]);
  return changes.value.get(file) ?? '';
}

function refusal(text: string | undefined, file: string, name: string): string {
  const changes = addFunction(folderOf(text === undefined ? {} : { [file]: text }), { file, name, kind: 'tool' });
  if (changes.ok) throw new Error('It was added.');
  return `${changes.error.code}: ${changes.error.message}`;
}

describe('a new function', () => {
  it.each(files.flatMap((file) => kinds.map((kind) => [file, kind] as const)))(
    'in %s as %s is what hooks and tools must be',
    (file, kind) => {
      const text = added(undefined, file, 'made', kind);
      const language = languageOf(file);
      if (language === undefined) throw new Error('no code');
      const found = scanCode(language, text).known.get('made');
      if (file.endsWith('.cjs') || file.endsWith('.cts')) {
        expect(text).toContain('module.exports.made = made;');
        expect(text).not.toMatch(/^export /m);
      } else if (language === 'python') {
        expect(found).toMatchObject({ kind: 'function', isAsync: kind !== 'tool' });
      } else expect(found).toMatchObject({ kind: 'function', isExported: true });
      const count = kind === 'hook' ? 3 : 1;
      if (found?.kind === 'function') expect(found.positional).toEqual({ least: count, most: count });
      if (language === 'javascript') {
        const plugins = /ts$/.test(file) ? (['typescript'] as const) : [];
        expect(() => parse(text, { sourceType: 'unambiguous', plugins: [...plugins] })).not.toThrow();
      }
    },
  );

  it('is appended with the line ends and blank lines of the file, and changes nothing before', () => {
    const before = 'import os\r\n\r\ndef one():\r\n    return 1';
    const text = added(before, 'tools.py', 'two');
    expect(text.startsWith(`${before}\r\n\r\n\r\ndef two(text: str) -> str:\r\n`)).toBe(true);
    expect(text.replaceAll('\r\n', '')).not.toContain('\n');
    expect(added('a = 1\n\n\n\n', 'tools.py', 'two').startsWith('a = 1\n\n\n\ndef two')).toBe(true);
    expect(added('const a = 1;\n', 'tools.ts', 'two').startsWith('const a = 1;\n\n/**\n')).toBe(true);
    expect(added('\uFEFF', 'tools.ts', 'two').startsWith('\uFEFF/**\n')).toBe(true);
    expect(added('module.exports.one = () => 1;\n', 'tools.js', 'two')).toMatch(/module\.exports\.two = two;\n$/);
  });

  it('does not overwrite a name, and is refused where it could not be a function', () => {
    expect(refusal('def one():\n    pass\n', 'tools.py', 'one')).toBe(
      "name-taken: tools.py uses the name 'one' already. Choose another name.",
    );
    expect(refusal('from other import one\n', 'tools.py', 'one')).toMatch(/^name-taken/);
    expect(refusal("export * from './other';\nexport { one } from './more';\n", 'tools.ts', 'one')).toMatch(
      /^name-taken/,
    );
    expect(added("export * from './other';\n", 'tools.ts', 'one')).toContain('function one');
    expect(refusal('def one(:\n  """', 'tools.py', 'two')).toMatch(/^cannot-edit: Quotes or brackets/);
    expect(refusal(undefined, 'tools.py', 'class')).toMatch(/^bad-name/);
    expect(refusal(undefined, 'tools.py', 'a-b')).toMatch(/^bad-name/);
    expect(refusal(undefined, 'tools.md', 'one')).toMatch(/^code-kind/);
    expect(refusal(undefined, '../tools.py', 'one')).toMatch(/^bad-path/);
  });

  it('is found at its line', () => {
    const text = added('import os\n', 'tools.py', 'two');
    expect(definitionLine(folderOf({ 'tools.py': text }), 'tools.py', 'two')).toBe(4);
    expect(definitionLine(folderOf({}), 'tools.py', 'two')).toBeUndefined();
  });
});
