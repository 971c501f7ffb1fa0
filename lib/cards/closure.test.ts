import { expect, test } from 'vitest';
import { closureOf, coveredBy, hashesOf, withTests } from './closure';
import { folderOf } from './files';
import { readFolder } from './project/read-folder';

const files = {
  'agent-cards/lead.md':
    '---\nname: lead\nservers: [time]\ntool_hooks: [hooks.py:guard]\n---\nLead. Read {{file:prompts/style.txt}}.\n',
  'agent-cards/hooks.py': 'def guard(ctx, args, next):\n    return next(args)\n',
  'prompts/style.txt': 'Be brief. See more-rules.txt.',
  'prompts/more-rules.txt': 'Be kind.',
  'skills/pdf/SKILL.md': '---\nname: pdf\ndescription: Reads PDFs\n---\nUse it.\n',
  'skills/pdf/scripts/read.sh': 'cat',
  'fast-agent.yaml': 'mcp:\n  servers:\n    time: { command: node }\n',
  'callboard.yaml': 'version: 1\n',
  'README.md': '# About\n',
  'notes/2026/holiday.txt': 'Away.',
};

function closure(given: Readonly<Record<string, string>>, offers: Readonly<Record<string, string>> = {}) {
  const folder = folderOf(given);
  const blobs = new Map(Object.entries(given).map(([path, text]) => [path, `hash of ${text}`]));
  return closureOf(coveredBy(folder, readFolder(folder)), blobs, new Map(Object.entries(offers)));
}

test('the files that an approval is for are cards, code, skills, settings, what they name, and lists of servers', () => {
  expect(
    closure(files, { time: 'offers', other: 'of no server here' }).parts.map(([kind, name]) => `${kind} ${name}`),
  ).toEqual([
    'card agent-cards/lead.md',
    'code agent-cards/hooks.py',
    'config fast-agent.yaml',
    'file prompts/more-rules.txt',
    'file prompts/style.txt',
    'server time',
    'settings callboard.yaml',
    'skill skills/pdf/SKILL.md',
    'skill skills/pdf/scripts/read.sh',
  ]);
});

test.each([
  'agent-cards/hooks.py',
  'prompts/style.txt',
  'prompts/more-rules.txt',
  'skills/pdf/scripts/read.sh',
] as const)('a change of %s gives the closure another hash', (path) => {
  expect(closure({ ...files, [path]: `${files[path]}# changed\n` }).hash).not.toBe(closure(files).hash);
});

test('what a server lists counts, a note that nothing names does not', () => {
  expect(closure(files, { time: 'two tools' }).hash).not.toBe(closure(files, { time: 'one tool' }).hash);
  expect(closure({ ...files, 'notes/2026/holiday.txt': 'Back.' }).hash).toBe(closure(files).hash);
});

test.each([
  ['the tools for files', 'runtime_tools: { files: true }\n', ''],
  ['attachments of a delegation', 'delegations: { lead: { kid: { attachments: { max: 1 } } } }\n', ''],
  ['attachments of all delegations', 'delegation_defaults: { attachments: { max: 1 } }\n', ''],
  ['a shell', '', 'shell: true\n'],
])('a note that nothing names counts where a model may choose it: %s', (_, setting, field) => {
  const free = {
    ...files,
    'callboard.yaml': `version: 1\n${setting}`,
    'agent-cards/kid.md': `---\nname: kid\n${field}---\nHelp.\n`,
  };
  expect(closure({ ...free, 'notes/2026/holiday.txt': 'Back.' }).hash).not.toBe(closure(free).hash);
});

test('tests, their recordings and attachments count, and no other file beside them', () => {
  const fixture = 'message: Hello\nexpect:\n  answer: { contains: holiday.txt }\n';
  const tested = {
    ...files,
    'tests/hello.fixture.yaml': fixture,
    'tests/hello.recording.jsonl': '{}\n',
    'tests/hello.files/a.txt': 'a',
    'tests/notes.txt': 'n',
  };
  expect(closure(tested).parts.filter(([, name]) => !(name in files))).toEqual([
    ['test', 'tests/hello.files/a.txt', 'hash of a'],
    ['test', 'tests/hello.fixture.yaml', `hash of ${fixture}`],
    ['test', 'tests/hello.recording.jsonl', 'hash of {}\n'],
  ]);
  const weaker = { ...tested, 'tests/hello.fixture.yaml': 'message: Hello\n' };
  expect(closure(weaker).hash).not.toBe(closure(tested).hash);
  // Without tests the hash is that of releases that did not cover tests.
  expect(closure(files).hash).toBe('49c1278c841d7809648e73f03804bb9d5ca9dabf3cb8ff3296de3df5b461e677');
});

test('an older closure gets the tests of its tree, so that it is equal to a new one of the same files', () => {
  const tested = { ...files, 'tests/hello.fixture.yaml': 'message: Hello\n' };
  const blobs = new Map(Object.entries(tested).map(([path, text]) => [path, `hash of ${text}`]));
  const [old, now] = [closure(files), closure(tested)];
  expect(withTests(old.parts, blobs)).toEqual(now);
  expect(withTests(now.parts, blobs)).toEqual(now);
  expect(hashesOf(now)).toEqual([now.hash, old.hash]);
});

test('settings of callboard.yaml count; the layout, a comment and a default that is written out do not', () => {
  const hashOf = (text: string) => closure({ ...files, 'callboard.yaml': text }).hash;
  const same = hashOf('version: 1\n');
  expect(hashOf('version: 1\nlimits: { max_depth: 3 }\n')).not.toBe(same);
  expect(hashOf('# Careful.\nversion: 1\n')).toBe(same);
  expect(hashOf('version: 1\ntool_naming: agent__\nexample_message: Hello\n')).toBe(same);
  expect(hashOf("version: 1\ncanvas: { positions: { 'agent:lead': { x: 1, y: 2 } } }\n")).toBe(same);
});

test('a callboard.yaml with a fault counts byte by byte, because it is not known what it says', () => {
  const hashOf = (text: string) => closure({ ...files, 'callboard.yaml': text }).hash;
  expect(hashOf('version: 1\nlimit: 3\n')).not.toBe(hashOf('version: 1\nlimit: 4\n'));
});
