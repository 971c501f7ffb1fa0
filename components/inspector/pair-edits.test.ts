import { expect, it } from 'vitest';
import { folderOf } from '@/lib/cards/files';
import { fieldEdits } from '@/lib/editor/card-commands';
import { type Pair, pairEdits } from './pair-edits';

const headers = 'headers:\n  Accept: text # why\n  X-Team: blue\n';

function after(written: string, value: unknown, pairs: readonly Pair[]): string | null | undefined {
  const folder = folderOf({ 'a.md': `---\ntype: a2a\n${written}---\n` });
  const edited = fieldEdits(folder, 'a.md', pairEdits(['headers'], value, pairs));
  if (!edited.ok) throw new Error(edited.error.message);
  return edited.value.get('a.md');
}

const both = { Accept: 'text', 'X-Team': 'blue' };

it.each<[string, readonly Pair[], string]>([
  [
    'changes a value',
    [
      ['Accept', 'json'],
      ['X-Team', 'blue'],
    ],
    'headers:\n  Accept: json # why\n  X-Team: blue\n',
  ],
  [
    'renames one in its place',
    [
      ['Accept', 'text'],
      ['X-Group', 'blue'],
    ],
    'headers:\n  Accept: text # why\n  X-Group: blue\n',
  ],
  [
    'renames and changes one',
    [
      ['Accept', 'text'],
      ['X-Group', 'red'],
    ],
    'headers:\n  Accept: text # why\n  X-Group: red\n',
  ],
  ['removes one', [['Accept', 'text']], 'headers:\n  Accept: text # why\n'],
  ['adds one', [...Object.entries(both), ['New', 'x']], `${headers}  New: x\n`],
  ['removes all', [], ''],
])('%s and keeps the other lines', (_, pairs, expected) => {
  expect(after(headers, both, pairs)).toBe(`---\ntype: a2a\n${expected}---\n`);
});

it('writes the first pair', () => {
  expect(after('', undefined, [['X-Team', 'red']])).toBe('---\ntype: a2a\nheaders:\n  X-Team: red\n---\n');
});
