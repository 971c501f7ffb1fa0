import { expect, test } from 'vitest';
import { renameAgent } from '@/lib/cards/edit/rename-agent';
import { folderOf } from '@/lib/cards/files';
import { readFolder } from '@/lib/cards/project/read-folder';

const agent = (name: string, more = '') =>
  `---\nname: ${name}\ndescription: Helps with Agent(helper).\n${more}---\nHelp.\n`;
const settings = '{\n  "permissions": {\n    "deny": ["Agent(helper)", "Task(other)"] \n  }\n}\n';
const folder = folderOf({
  '.claude/agents/helper.md': agent('helper'),
  '.claude/agents/other.md': agent('other', 'tools: Read, Agent(helper, other)  # ours\n'),
  '.claude/agents/third.md': agent('third', 'tools:\n  - Read\n  - Task(helper)\n'),
  '.claude/settings.json': settings,
});

test('a rename follows into the settings and the tools of other agents, and nothing else changes', () => {
  const renamed = renameAgent(folder, 'helper', 'assistant');
  if (!renamed.ok) throw new Error(renamed.error.message);
  expect(Object.fromEntries(renamed.value)).toEqual({
    '.claude/agents/helper.md': agent('helper').replace('name: helper', 'name: assistant'),
    '.claude/agents/other.md': agent('other', 'tools: Read, Agent(assistant, other)  # ours\n'),
    '.claude/agents/third.md': agent('third', 'tools:\n  - Read\n  - Task(assistant)\n'),
    '.claude/settings.json': settings.replace('helper', 'assistant'),
  });
  const after = new Map(folder);
  for (const [path, text] of renamed.value) after.set(path, { kind: 'text', text });
  expect(readFolder(after).cards.find(({ name }) => name === 'main')).toMatchObject({ agents: ['third'] });
});

test('a name that Claude Code does not take is refused with one that it does', () => {
  const refused = renameAgent(folder, 'helper', 'Code Reviewer');
  expect(refused).toMatchObject({ ok: false, error: { message: expect.stringContaining("Write 'code-reviewer'") } });
});
