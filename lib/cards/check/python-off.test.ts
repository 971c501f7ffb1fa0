import { expect, test } from 'vitest';
import { folderOf } from '@/lib/cards/files';
import { readFolder } from '@/lib/cards/project/read-folder';
import { pythonOffIssues } from './python-off';

test('where Python is off, each tool and hook in Python is a warning at its line', () => {
  const folder = folderOf({
    'lead.md': '---\nname: lead\nfunction_tools: [tools.py:add, more.ts:sub]\ntool_hooks:\n  - hooks.py:guard\n---\n',
    'tools.py': 'def add(a: int) -> int:\n    """Adds."""\n    return a\n',
    'hooks.py': 'async def guard(ctx, args, call_next):\n    return await call_next(args)\n',
    'more.ts': '/** Less. */\nexport function sub() {}\n',
  });
  const parsed = readFolder(folder);
  const added = pythonOffIssues(folder, parsed);
  expect(
    added.map(({ code, severity, file, line, column, agent }) => [code, severity, file, line, column, agent]),
  ).toEqual([
    ['python-off', 'warning', 'lead.md', 3, 18, 'lead'],
    ['python-off', 'warning', 'lead.md', 5, 5, 'lead'],
  ]);
  const plain = readFolder(folderOf({ 'lead.md': '---\nname: lead\n---\n' }));
  expect(pythonOffIssues(new Map(), plain)).toEqual([]);
});
