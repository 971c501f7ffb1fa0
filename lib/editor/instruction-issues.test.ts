import { expect, test } from 'vitest';
import { folderOf } from '@/lib/cards/files';
import { readFolder } from '@/lib/cards/project/read-folder';
import { instructionIssues } from './instruction-issues';

function issuesOf(file: string, text: string) {
  const folder = folderOf({ [file]: text });
  const parsed = readFolder(folder);
  const [card] = parsed.cards;
  if (card === undefined) throw new Error('No card');
  return instructionIssues(folder, card, parsed.issues).map(({ issue, at }) => [issue.code, at]);
}

test('issues of the instruction come with their place in it', () => {
  const text = '---\nname: a\nmodle: x\n---\nHello {{nobody}}.\n<!-- fast-agent-subagents -->\n';
  expect(issuesOf('a.md', text)).toEqual([
    ['placeholder-unknown', 6],
    ['directive-ignored', 18],
  ]);
});

test('without a place where the file has the text in another form', () => {
  const text = 'type: agent\nname: a\ninstruction: "Hello\\n{{nobody}}"\n';
  expect(issuesOf('a.yaml', text)).toEqual([['placeholder-unknown', undefined]]);
});
