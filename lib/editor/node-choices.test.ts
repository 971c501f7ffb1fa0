import { expect, test } from 'vitest';
import { folderOf } from '@/lib/cards/files';
import { askedKind, newFunctionOf, usualCodeFile } from './node-choices';

test('the words for code ask for code, half-typed too, and names are names', () => {
  const asked = (typed: readonly string[]) => typed.map((one) => askedKind(one));
  expect(asked(['func', 'Function', 'functions', 'function tool', 'New function', 'tool'])).toEqual(
    Array(6).fill('function'),
  );
  expect(asked(['hook', ' hooks ', 'new hook'])).toEqual(Array(3).fill('hook'));
  expect(asked(['', 'fu', 'add_one', 'tools.py:function', 'hook_all', 'toolbox'])).toEqual(Array(6).fill(undefined));
});

test('new code goes to the file that is named after its kind, or to the file that is typed', () => {
  const folder = folderOf({ 'agent-cards/hooks.py': '', 'agent-cards/a/tools.ts': '', 'notes.py': '' });
  const made = (typed: string, kind: 'function' | 'hook', pythonOff = false) =>
    newFunctionOf(folder, typed, kind, pythonOff);
  expect(made('audit', 'hook')).toEqual({ file: 'agent-cards/hooks.py', name: 'audit' });
  expect(made('add_one', 'function')).toEqual({ file: 'agent-cards/a/tools.ts', name: 'add_one' });
  expect(made('more.py: add_one', 'function')).toEqual({ file: 'more.py', name: 'add_one' });
  expect([made('', 'hook'), made('two words', 'hook'), made('notes.md:x', 'hook')]).toEqual(Array(3).fill(undefined));
  expect(usualCodeFile(['a/tools.py', 'tools.py', 'tools.ts'], 'function', 'py')).toBe('tools.py');
  expect(usualCodeFile([], 'hook', 'ts')).toBe('hooks.ts');
});
