import { expect, test } from 'vitest';
import { folderOf } from '@/lib/cards/files';
import { whoNames } from './who-names';

const folder = folderOf({
  'agent-cards/lead.md':
    '---\nname: lead\nagents: [kid]\nfunction_tools: ["../tools.py:add"]\n---\nSee {{file:notes.md}}.\n',
  'agent-cards/kid.md': '---\nname: kid\n---\nHelp.\n',
  'tools.py': 'from base import one\n\ndef add(x: int):\n    return x + one\n',
  'base.py': 'one = 1\n',
  'notes.md': 'Notes.\n',
  'callboard.yaml': 'version: 1\nrun_hooks: ["tools.py:add"]\n',
});

test.each([
  [['tools.py'], ['agent-cards/lead.md', 'callboard.yaml']],
  [['base.py'], ['tools.py']],
  [['notes.md'], ['agent-cards/lead.md']],
  [['agent-cards/kid.md'], ['agent-cards/lead.md']],
  [['agent-cards/kid.md', 'agent-cards/lead.md'], []],
  [['callboard.yaml'], []],
])('%j is named by %j', (paths, expected) => {
  expect(whoNames(folder, paths)).toEqual(expected);
});
