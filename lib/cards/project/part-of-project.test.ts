import { expect, test } from 'vitest';
import { folderOf } from '@/lib/cards/files';
import { partOfProject } from './part-of-project';
import { readFolder } from './read-folder';

test('a part with agents of Claude Code has the rules of their main agent', () => {
  const folder = folderOf({
    'CLAUDE.md': 'Be brief.\n',
    '.claude/agents/a.md': '---\nname: a\ndescription: Does it.\n---\nDo it.\n',
    '.claude/agents/b.md': '---\nname: b\ndescription: Does it too.\n---\nDo it.\n',
  });
  for (const part of ['.claude/', '.claude/agents/']) {
    const { cards } = readFolder(partOfProject(folder, (file) => file.startsWith(part)));
    expect(cards.map(({ name }) => name).sort()).toEqual(['a', 'b', 'main']);
    expect(cards.find(({ name }) => name === 'main')).toMatchObject({ instruction: 'Be brief.' });
  }
  const one = readFolder(partOfProject(folder, (file) => file === '.claude/agents/a.md'));
  expect(one.cards).toMatchObject([{ name: 'a' }, { name: 'main', instruction: 'Be brief.', agents: ['a'] }]);
});
