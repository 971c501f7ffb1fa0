import { expect, test } from 'vitest';
import { folderOf } from '@/lib/cards/files';
import { readFolder } from '@/lib/cards/project/read-folder';

const directives = (files: Record<string, string>) =>
  readFolder(folderOf(files))
    .issues.filter(({ code }) => code === 'directive-ignored')
    .map(({ file, line, column, severity }) => `${severity} ${file}:${line}:${column}`);

const card = (body: string, front = '') => ({
  'agent-cards/a.md': `---\nname: a\nmodel: passthrough\n${front}---\n${body}`,
});

test.each([
  ['Be kind.\n<!-- fast-agent-subagents -->\n', 'warning agent-cards/a.md:6:1'],
  ['<!--fast-agent-subagents\nuse terra\n-->', 'warning agent-cards/a.md:5:1'],
  ['Text <!-- fast-agent-anything-new -->', 'warning agent-cards/a.md:5:6'],
  ['<!-- fast-agent subagents -->', 'warning agent-cards/a.md:5:1'],
  ['Be kind.\r\n  fast-agent-subagents \r\nBe brief.', 'warning agent-cards/a.md:6:1'],
])('a directive of fast-agent in an instruction is an issue: %j', (body, issue) => {
  expect(directives(card(body))).toEqual([issue]);
});

test.each([
  'This project does not use fast-agent-subagents.',
  '<!-- we use fast-agent here -->',
  'The fast-agent-subagents-disabled setting',
  '<!-- a note -->',
  '`fast-agent-mcp`',
])('other words are none: %j', (body) => {
  expect(directives(card(body))).toEqual([]);
});

test('a directive is found in the field and in an included file, not in a file that nothing includes', () => {
  const files = {
    'agent-cards/a.md':
      '---\nname: a\nmodel: passthrough\ninstruction: |\n  Hello\n  <!-- fast-agent-subagents -->\n---\n',
    'agent-cards/b.md':
      '---\nname: b\nmodel: passthrough\n---\nRules: {{file:docs/rules.md}} {{file_silent:AGENTS.md}}',
    'docs/rules.md': 'Rules\n\n<!-- fast-agent-subagents -->\n',
    'AGENTS.md': 'fast-agent-subagents',
    'docs/other.md': '<!-- fast-agent-subagents -->',
  };
  expect(directives(files)).toEqual([
    'warning AGENTS.md:1:1',
    'warning agent-cards/a.md:6:3',
    'warning docs/rules.md:3:1',
  ]);
});

test('an instruction that begins a thousand directives and ends none is read once', () => {
  const hostile = `${'<!--'.repeat(50_000)}${'<!-- '.repeat(50_000)}${' '.repeat(100_000)}fast-agent${'-'.repeat(100_000)}`;
  expect(directives(card(hostile))).toEqual([]);
});

test('a card without an instruction of its own is told what AGENTS.md says', () => {
  const files = {
    'agent-cards/a.md': '---\nname: a\nmodel: passthrough\n---\n',
    'AGENTS.md': '<!-- fast-agent-subagents -->',
  };
  expect(directives(files)).toEqual(['warning AGENTS.md:1:1']);
});
