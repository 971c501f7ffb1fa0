import { expect, test } from 'vitest';
import { dialectFormOf } from '@/lib/cards/dialects/find-dialect';
import { instructionIn, sourceIn } from '@/lib/cards/dialects/open-text';
import { urlsOf } from '@/lib/cards/url-placeholder';
import type { CardEdit } from './edit';
import { editCard } from './edit';

const agent = '.claude/agents/writer.md';
const text = `---
# Our writer.
name: writer
description: Writes notes. Use it when: a release is near   
tools: Read, mcp__tracker__list_issues, Bash   # few
model: inherit
color: cyan   # ours
skills:
  - house-style
odd: {a: 1}
---

You write.

## How
`;

function edited(edit: CardEdit, from = text, file = agent): string {
  const result = editCard(from, file, edit);
  return result.ok ? result.value : `refused: ${result.error.message}`;
}

/** The lines that an edit has removed and added. */
function changed(edit: CardEdit, from = text, file = agent): readonly string[] {
  const after = edited(edit, from, file);
  if (after.startsWith('refused')) return [after];
  const [old, now] = [from.split('\n'), after.split('\n')];
  return [
    ...old.filter((line) => !now.includes(line)).map((line) => `- ${line}`),
    ...now.filter((line) => !old.includes(line)).map((line) => `+ ${line}`),
  ];
}

test.each<[string, CardEdit, readonly string[]]>([
  ['the model', { op: 'set', path: ['model'], value: 'haiku' }, ['- model: inherit', '+ model: haiku']],
  ['no model', { op: 'remove', path: ['model'] }, []],
  ['the name', { op: 'set', path: ['name'], value: 'author' }, ['- name: writer', '+ name: author']],
  [
    'a description that was no YAML',
    { op: 'set', path: ['description'], value: 'Writes: notes' },
    ['- description: Writes notes. Use it when: a release is near   ', '+ description: "Writes: notes"   '],
  ],
  [
    'one more tool of a server',
    { op: 'insert', path: ['tools', 'tracker'], index: 1, value: 'get_issue' },
    [
      '- tools: Read, mcp__tracker__list_issues, Bash   # few',
      '+ tools: Read, mcp__tracker__list_issues, Bash, mcp__tracker__get_issue   # few',
    ],
  ],
  [
    'one more server',
    { op: 'insert', path: ['servers'], index: 1, value: 'wiki' },
    [
      '- tools: Read, mcp__tracker__list_issues, Bash   # few',
      '+ tools: Read, mcp__tracker__list_issues, Bash, mcp__wiki   # few',
    ],
  ],
  [
    'no shell',
    { op: 'remove', path: ['shell'] },
    ['- tools: Read, mcp__tracker__list_issues, Bash   # few', '+ tools: Read, mcp__tracker__list_issues   # few'],
  ],
  ['a skill', { op: 'insert', path: ['skills'], index: 1, value: '.claude/skills/facts' }, ['+   - facts']],
  ['the most turns', { op: 'set', path: ['request_params', 'max_iterations'], value: 5 }, ['+ maxTurns: 5']],
  [
    'the instruction',
    { op: 'instruction', text: 'You {{write}} well.\n\n## How' },
    ['- You write.', '+ You {{write}} well.'],
  ],
])('an edit changes only its line: %s', (_, edit, lines) => {
  const next = edit.op === 'instruction' ? { ...edit, text: edit.text.replace('{{', '\\{{') } : edit;
  expect(changed(next)).toEqual(lines);
});

test.each<[string, string, CardEdit, string]>([
  [
    'a narrowed shell, beside a new server',
    'tools: Read, Bash(git:*), mcp__tracker',
    { op: 'insert', path: ['servers'], index: 1, value: 'wiki' },
    'tools: Read, Bash(git:*), mcp__tracker, mcp__wiki',
  ],
  [
    'a narrowed shell, beside the whole one',
    'tools: Read, Bash(git:*)',
    { op: 'set', path: ['shell'], value: true },
    'tools: Read, Bash(git:*), Bash',
  ],
  [
    'names that are denied',
    'tools: Bash, mcp__tracker, mcp__wiki__a, mcp__wiki__b\ndisallowedTools: Bash, mcp__wiki__b',
    { op: 'insert', path: ['tools', 'wiki'], index: 1, value: 'c' },
    'tools: Bash, mcp__tracker, mcp__wiki__a, mcp__wiki__b, mcp__wiki__c\ndisallowedTools: Bash, mcp__wiki__b',
  ],
  [
    'a name that says the same twice',
    'tools: mcp__tracker, mcp__tracker__list, Bash',
    { op: 'remove', path: ['shell'] },
    'tools: mcp__tracker, mcp__tracker__list',
  ],
  ['no shell where there is none', 'tools: Read', { op: 'set', path: ['shell'], value: false }, 'tools: Read'],
])('names that an edit does not touch stay: %s', (_, fields, edit, after) => {
  const file = (lines: string) => `---\nname: one\n${lines}\n---\nText.\n`;
  expect(edited(edit, file(fields))).toBe(file(after));
});

test('what another field denies is refused, with that field', () => {
  const denied = '---\nname: one\ntools: Read, Bash\ndisallowedTools: Bash\n---\nText.\n';
  expect(edited({ op: 'set', path: ['shell'], value: true }, denied)).toBe(
    "refused: 'disallowedTools' of this agent denies 'Bash'. Remove it in the text.",
  );
});

test.each(['{{url:https://x.example/}}', '{{{url:https://x.example/}}}', '{{{{url:https://x.example/}}}}'])(
  'braces of an instruction stay text: %s',
  (body) => {
    const file = `---\nname: one\n---\n${body}\n`;
    const form = dialectFormOf(agent);
    if (form === undefined) throw new Error('It is a file of an agent.');
    const instruction = instructionIn(sourceIn(form, agent, file));
    expect(urlsOf(instruction)).toEqual([]);
    expect(instruction.replaceAll('\\{{', '{{')).toBe(body);
    expect(edited({ op: 'instruction', text: `${instruction} More.` }, file)).toBe(file.replace(body, `${body} More.`));
  },
);

test('what the program has no place for is refused, with the reason', () => {
  expect(edited({ op: 'insert', path: ['agents'], index: 0, value: 'helper' })).toBe(
    'refused: In Claude Code only the main agent calls others, and it may call each of them.',
  );
  expect(edited({ op: 'set', path: ['use_history'], value: false })).toBe(
    "refused: An agent of Claude Code has no place for 'use_history'.",
  );
  expect(edited({ op: 'set', path: ['type'], value: 'chain' })).toMatch(
    /^refused: An agent of Claude Code is a plain agent/,
  );
});

test('a tool for an agent that names none would take the others away, so it is refused', () => {
  const free = '---\nname: free\n---\nText.\n';
  expect(edited({ op: 'set', path: ['shell'], value: true }, free)).toMatch(/^refused: An agent without 'tools'/);
});

test('the last tool leaves an empty list, because no list means every tool', () => {
  const one = '---\nname: one\ntools: Bash\n---\nText.\n';
  expect(edited({ op: 'remove', path: ['shell'] }, one)).toBe('---\nname: one\ntools: []\n---\nText.\n');
});

test('CLAUDE.md is the instruction of the main agent, with the blank lines around it', () => {
  expect(edited({ op: 'instruction', text: 'Be kind.' }, '\n# Rules\r\n\r\nBe brief.\r\n', 'CLAUDE.md')).toBe(
    '\nBe kind.\r\n',
  );
  expect(edited({ op: 'instruction', text: 'Be kind.' }, '', 'CLAUDE.md')).toBe('Be kind.\n');
  expect(edited({ op: 'set', path: ['model'], value: 'haiku' }, '', 'CLAUDE.md')).toMatch(/^refused: The main agent/);
});

const servers = `{
\t"mcpServers": {
\t\t"tracker": {"type": "http", "url": "https://tracker.example/mcp?a=\${A:-b}"},
\t\t"wiki": {
\t\t\t"command": "npx",
\t\t\t"args": ["-y", "wiki-mcp"]
\t\t}
\t},
\t"other": 1
}
`;

test.each<[string, CardEdit, readonly string[]]>([
  [
    'an address',
    { op: 'set', path: ['mcp', 'servers', 'tracker', 'url'], value: 'https://x.example/' },
    [
      '- \t\t"tracker": {"type": "http", "url": "https://tracker.example/mcp?a=${A:-b}"},',
      '+ \t\t"tracker": {"type": "http", "url": "https://x.example/"},',
    ],
  ],
  [
    'a variable',
    { op: 'set', path: ['mcp', 'servers', 'wiki', 'env'], value: { KEY: '${KEY:none}' } },
    [
      '- \t\t\t"args": ["-y", "wiki-mcp"]',
      '+ \t\t\t"args": ["-y", "wiki-mcp"],',
      '+ \t\t\t"env": {',
      '+ \t\t\t\t"KEY": "${KEY:-none}"',
      '+ \t\t\t}',
    ],
  ],
  [
    'a removed server',
    { op: 'remove', path: ['mcp', 'servers', 'wiki'] },
    [
      '- \t\t"tracker": {"type": "http", "url": "https://tracker.example/mcp?a=${A:-b}"},',
      '- \t\t"wiki": {',
      '- \t\t\t"command": "npx",',
      '- \t\t\t"args": ["-y", "wiki-mcp"]',
      '- \t\t}',
      '+ \t\t"tracker": {"type": "http", "url": "https://tracker.example/mcp?a=${A:-b}"}',
    ],
  ],
  [
    'no model',
    { op: 'set', path: ['default_model'], value: 'haiku' },
    ["refused: .mcp.json holds servers alone, and no 'default_model'."],
  ],
])('an edit of .mcp.json changes only its lines: %s', (_, edit, lines) => {
  expect(changed(edit, servers, '.mcp.json')).toEqual(lines);
});

test('an edit of .mcp.json leaves other servers, and other variables of the same server, as they are written', () => {
  const odd =
    '{"mcpServers": {"a": {"command": "x", "args": ["${A:b}", "${FLAGS:--x}"]}, "b": {"type": "streamable-http", "url": "https://b.example/${B:c}"}}}\n';
  const edit: CardEdit = { op: 'set', path: ['mcp', 'servers', 'a', 'command'], value: 'y' };
  expect(edited(edit, odd, '.mcp.json')).toBe(odd.replace('"x"', '"y"'));
  expect(edited(edit, `\uFEFF${odd}`, '.mcp.json')).toBe(`\uFEFF${odd.replace('"x"', '"y"')}`);
  const dashed: CardEdit = { op: 'set', path: ['mcp', 'servers', 'b', 'url'], value: 'https://b.example/${B:-c}' };
  expect(edited(dashed, odd, '.mcp.json')).toBe(odd.replace('${B:c}', '${B:--c}'));
});

test('the first server makes .mcp.json', () => {
  const edit: CardEdit = { op: 'set', path: ['mcp', 'servers', 'wiki'], value: { url: 'https://wiki.example/mcp' } };
  expect(JSON.parse(edited(edit, '', '.mcp.json'))).toEqual({
    mcpServers: { wiki: { type: 'http', url: 'https://wiki.example/mcp' } },
  });
});
