import { expect, it } from 'vitest';
import { folderOf } from '@/lib/cards/files';
import { readDocument } from '@/lib/cards/read/read-field';
import { fieldEdits } from '@/lib/editor/card-commands';
import { type FunctionToolKey, findFunctionTool, functionToolEdit } from './function-tool-options';

function after(tools: string, key: FunctionToolKey, value: string | undefined): string | null | undefined {
  const text = `---\nname: a\nfunction_tools: ${tools}\n---\n`;
  const entry = findFunctionTool(readDocument(text, 'a.md'), 't.py:run');
  if (entry === undefined) throw new Error('not found');
  const edited = fieldEdits(folderOf({ 'a.md': text }), 'a.md', [functionToolEdit(entry, key, value)]);
  if (!edited.ok) throw new Error(edited.error.message);
  const changed = edited.value.get('a.md') ?? text;
  return changed.slice('---\nname: a\nfunction_tools: '.length, -'\n---\n'.length);
}

it.each<[string, string, FunctionToolKey, string | undefined, string]>([
  [
    'a text becomes a mapping',
    '[o.py:x, "t.py:run"]',
    'variant',
    'code',
    '[o.py:x, { entrypoint: t.py:run, variant: code }]',
  ],
  [
    'one more key',
    '[{ entrypoint: "t.py:run", variant: code }]',
    'code_arg',
    'source',
    '[{ entrypoint: "t.py:run", variant: code, code_arg: source }]',
  ],
  [
    'one key less',
    '[{ entrypoint: "t.py:run", variant: code, language: js }]',
    'language',
    undefined,
    '[{ entrypoint: "t.py:run", variant: code }]',
  ],
  [
    'the last key goes, and it is a text again',
    '[{ entrypoint: "t.py:run", variant: code }]',
    'variant',
    undefined,
    '[t.py:run]',
  ],
  ['nothing to remove', '[t.py:run]', 'variant', undefined, '[t.py:run]'],
])('%s', (_, tools, key, value, expected) => {
  expect(after(tools, key, value)).toBe(expected);
});

it('a single text becomes a list with one mapping', () => {
  const text = '---\nname: a\nfunction_tools: t.py:run\n---\n';
  const entry = findFunctionTool(readDocument(text, 'a.md'), 't.py:run');
  expect(entry && functionToolEdit(entry, 'variant', 'code')).toEqual({
    op: 'set',
    path: ['function_tools'],
    value: [{ entrypoint: 't.py:run', variant: 'code' }],
  });
});
