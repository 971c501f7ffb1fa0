import { expect, test } from 'vitest';
import { folderOf } from '@/lib/cards/files';
import { readFolder } from '@/lib/cards/project/read-folder';
import { hookPlace } from './hook-place';
import { projectGraph } from './project';

const folder = folderOf({
  'lead.v2.md': '---\nname: lead.v2\ntool_hooks: [hooks.py:guard]\n---\n',
  'hooks.py': 'import json\n\n\nasync def guard(call, next):\n    return await next(call)\n',
  'callboard.yaml': [
    'version: 1',
    'run_hooks:',
    '  - truncate: { max_chars: 10 }',
    'agent_hooks:',
    '  lead.v2:',
    '    - log: {}',
    '    - clamp: { argument: x, max: 3 }',
    '',
  ].join('\n'),
});

test("a hook is found at its function's line, or at its entry in callboard.yaml", () => {
  const entries = projectGraph(readFolder(folder)).chains['agent:lead.v2'] ?? [];
  expect(entries.map((entry) => [entry.file, hookPlace(folder, entry, 'lead.v2').line])).toEqual([
    ['callboard.yaml', 3],
    ['callboard.yaml', 6],
    ['callboard.yaml', 7],
    ['hooks.py', 4],
  ]);
});
