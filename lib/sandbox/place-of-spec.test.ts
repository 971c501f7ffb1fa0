import { expect, test } from 'vitest';
import { codeCard } from '@/lib/testing/code-card';
import { placeOfSpec } from './place-of-spec';

test('finds the line that names a function, in the card or in callboard.yaml', () => {
  const { folder, card } = codeCard('function_tools:\n  # t.py:add is old\n  - t.py:add_one\n  - "t.py:add"', {
    't.py': 'def add(): ...\ndef add_one(): ...\n',
    'callboard.yaml': 'version: 1\nrun_hooks:\n  - h.py:audit\n',
    'h.py': 'async def audit(ctx, args, call_next): ...\n',
  });
  expect(
    ['t.py:add', 't.py:add_one', 'h.py:audit', 'gone.py:x'].map((spec) => placeOfSpec(folder, card, spec)),
  ).toEqual([
    { file: 'coder.md', line: 7, column: 6 },
    { file: 'coder.md', line: 6, column: 5 },
    { file: 'callboard.yaml', line: 3, column: 5 },
    { file: 'coder.md', line: 1, column: 1 },
  ]);
});
