import { expect, test } from 'vitest';
import { folderOf } from '@/lib/cards/files';
import { readFolder } from '@/lib/cards/project/read-folder';

const lead = { 'agent-cards/lead.md': '---\nname: lead\nmodel: passthrough\n---\nPays.\n' };
const issues = (files: Record<string, string>) =>
  readFolder(folderOf({ ...lead, ...files })).issues.filter(({ code }) => code === 'hidden-characters');
const places = (files: Record<string, string>) =>
  issues(files).map(({ severity, file, line, column }) => `${severity} ${file}:${line}:${column}`);

test.each([
  ['a carriage return that ends a comment', '// note\rrun();\n', 'a carriage return'],
  ['a line separator', '// note\u2028run();\n', 'line separator'],
  ['a paragraph separator', '// note\u2029run();\n', 'paragraph separator'],
  ['text that is turned', '/* \u202e } \u2066run();\u2069 */\n', 'right-to-left override'],
  ['a zero-width space in a name', 'const a\u200bb = 1;\n', 'zero-width space'],
  ['a letter that is written as a tag', 'const a = "\u{e0061}";\n', 'tag character'],
  ['a joiner between letters', 'const \u0628\u200d\u0628 = 1;\n', 'zero-width joiner'],
])('code with %s is an issue', (_, text, name) => {
  const [first] = issues({ 'guard.ts': `\n${text}` });
  expect(first).toMatchObject({ severity: 'warning', file: 'guard.ts' });
  expect(first?.message).toContain(name.replace('a ', ''));
});

test('one kind of character is told once for each file, at its first place, with how many there are', () => {
  const found = issues({ 'guard.py': 'x = 1\nab = "\u200b\u200b"\n\u200b\u2060' });
  expect(found.map(({ line, column }) => [line, column])).toEqual([
    [2, 7],
    [3, 2],
  ]);
  expect(found[0]?.message).toContain('U+200B (zero-width space), 3 times, first here');
  expect(issues({ 'guard.py': '\u200b'.repeat(5_000) })[0]?.message).toContain('a thousand times or more');
});

test('an instruction and its agent are named', () => {
  const text = '---\nname: clerk\nmodel: passthrough\n---\nBe kind.\u{e0041}\u{e0042}\n';
  expect(issues({ 'agent-cards/clerk.md': text })).toMatchObject([
    { file: 'agent-cards/clerk.md', line: 5, column: 9, agent: 'clerk' },
  ]);
});

test.each([
  ['an emoji of several', '---\nname: a\nmodel: passthrough\n---\nHello 👩🏽\u200d💻 ❤\ufe0f 1\ufe0f\u20e3\n'],
  [
    'a joiner that a script needs',
    '---\nname: a\nmodel: passthrough\n---\n\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645\n',
  ],
  ['a byte order mark at the start', '\ufeff---\nname: a\nmodel: passthrough\n---\nHello.\n'],
  ['line ends of Windows and no-break spaces', '---\r\nname: a\r\nmodel: passthrough\r\n---\r\n5\u00a0km\r\n'],
])('%s in an instruction is none', (_, text) => {
  expect(places({ 'agent-cards/a.md': text })).toEqual([]);
});

test('a name that is written with an escape is an issue, and a name in the text is told once', () => {
  const card = (name: string) => `---\nname: ${name}\nmodel: passthrough\n---\nHello.\n`;
  const [escaped] = issues({ 'agent-cards/a.md': card('"pa\\u200by"') });
  expect(escaped).toMatchObject({ file: 'agent-cards/a.md', line: 2, agent: 'pa\u200by' });
  expect(escaped?.message).toContain("'pa\\u{200b}y' of the agent");
  expect(issues({ 'agent-cards/a.md': card('pa\u200by') })).toHaveLength(1);
});

test('names of servers and files are checked', () => {
  const servers = 'mcp:\n  servers:\n    "mai\\u2060l": { command: "true" }\n';
  expect(places({ 'fast-agent.yaml': servers, 'ha\u200bt.ts': '' })).toEqual([
    'warning fast-agent.yaml:3:1',
    'warning ha\u200bt.ts:1:1',
  ]);
});

test('data, tests and installed packages are left out', () => {
  const text = 'a\u200bb';
  expect(
    places({ 'rows.csv': text, 'tests/a.recording.jsonl': text, 'node_modules/x/index.js': text, 'run.sh': text }),
  ).toEqual(['warning run.sh:1:2']);
});
