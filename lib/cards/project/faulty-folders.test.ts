import { expect, test } from 'vitest';
import type { FolderFile } from '@/lib/cards/folder';
import { readFolder } from './read-folder';

/** Folders with one fault each, and the issue with its position. Fields of cards are tested in read-card.test.ts. */

type Files = Readonly<Record<string, string | Uint8Array>>;

const bytes = (...values: number[]) => new Uint8Array(values);
const utf8 = (text: string) => new TextEncoder().encode(text);
const utf16 = (text: string) => bytes(0xff, 0xfe, ...[...text].flatMap((one) => [one.charCodeAt(0), 0]));
const card = (name: string, more = '') => `---\nname: ${name}\n${more}---\nDo it.\n`;
const server = 'mcp:\n  servers:\n    time:\n      ';

const corpus: readonly (readonly [what: string, files: Files, expected: readonly string[]])[] = [
  ['YAML that does not parse', { 'c/a.md': '---\nname: a\n  b: 1\n---\n' }, ['c/a.md:3:3 yaml-syntax']],
  ['a key indented below a text', { 'c/a.md': '---\nname: a\n  b\n  c: d\n---\n' }, ['c/a.md:4:3 yaml-syntax']],
  ['a tab as indentation', { 'c/a.md': '---\nagents:\n\t- b\n---\n' }, ['c/a.md:3:1 yaml-syntax']],
  ['an unclosed quote', { 'c/a.md': '---\nname: "a\n---\nx\n' }, ['c/a.md:2:7 yaml-syntax']],
  [
    'a YAML card with two documents',
    { 'agent-cards/a.yaml': 'name: a\n---\nname: b\n' },
    ['agent-cards/a.yaml:2:1 yaml-syntax'],
  ],
  ['an unclosed list', { 'c/a.md': '---\nname: a\nagents: [b, c\nmodel: x\n---\n' }, ['c/a.md:3:9 yaml-syntax']],
  ['a YAML card that is a list', { 'agent-cards/a.yaml': '- a\n' }, ['agent-cards/a.yaml:1:1 yaml-not-mapping']],
  ['front matter without an end', { 'a.md': '---\nname: a\nDo it.\n' }, ['a.md:1:1 front-matter-not-closed']],
  [
    'TOML front matter among cards',
    { 'agent-cards/a.md': '+++\nname = "a"\n+++\n' },
    ['agent-cards/a.md:1:1 toml-front-matter'],
  ],
  [
    'a dataset README among cards',
    { 'cards/a.md': card('a'), 'cards/README.md': '---\nlicense: mit\nname: x\npretty_name: y\n---\n' },
    ['cards/README.md:2:1 foreign-front-matter'],
  ],
  [
    'a card that has become text',
    {
      'cards/a.md': card('a', 'agents: [b]\n'),
      'cards/b.md': 'Hello\n',
      'cards/README.md': 'Hello\n',
      'docs/b.md': 'Hello\n',
    },
    ['cards/a.md:3:10 missing-agent', 'cards/b.md:1:1 card-without-front-matter'],
  ],
  [
    'an entry that has become text',
    { 'cards/a.md': card('a'), 'cards/b.md': 'Hello\n', 'callboard.yaml': 'version: 1\nentry: b\n' },
    ['callboard.yaml:2:8 entry-unknown', 'cards/b.md:1:1 card-without-front-matter'],
  ],
  [
    'a skill among cards',
    { 'cards/a.md': card('a'), 'cards/SKILL.md': '---\nname: s\n---\n' },
    ['cards/SKILL.md:1:1 skill-beside-cards'],
  ],
  [
    'the config among cards',
    { 'cards/a.md': card('a'), 'cards/fast-agent.yaml': 'default_model: x\n' },
    ['cards/fast-agent.yaml:1:1 config-beside-cards'],
  ],
  [
    'two names of the config',
    { 'fast-agent.yaml': '', 'fastagent.config.yaml': 'mcp: 5\n' },
    ['fastagent.config.yaml:1:1 config-twice'],
  ],
  [
    'a second config elsewhere',
    { 'fast-agent.yaml': '', 'x/fast-agent.yaml': 'mcp: 5\n' },
    ['x/fast-agent.yaml:1:1 config-unused'],
  ],
  [
    'secrets',
    { 'fast-agent.secrets.yaml': 'openai: {api_key: x}\n' },
    ['fast-agent.secrets.yaml:1:1 secrets-in-folder'],
  ],
  ['settings in a folder', { 'x/callboard.yaml': 'version: 1\n' }, ['x/callboard.yaml:1:1 settings-misplaced']],
  ['a UTF-16 card', { 'a.md': utf16(card('a')) }, ['a.md:1:1 utf16']],
  ['a Latin-1 card', { 'a.md': bytes(...utf8('---\nname: é'), 0xe9, ...utf8('\n---\n')) }, ['a.md:2:9 not-utf8']],
  ['bytes with a NUL', { 'a.md': bytes(...utf8('---\nname: a'), 0) }, ['a.md:2:8 nul-characters']],
  ['UTF-16 without a mark', { 'a.md': [...card('a')].map((one) => `${one}\0`).join('') }, ['a.md:1:2 nul-characters']],
  ['a UTF-16 document', { 'a.md': bytes(0xff, 0xfe, 0x2d, 0) }, ['a.md:1:1 file-not-text']],
  ['a Latin-1 document', { 'a.md': bytes(0x2d, 0x0a, 0xc3, 0xa9, 0xe9, 0x0a) }, ['a.md:2:3 file-not-text']],
  ['a document with a NUL', { 'a.md': bytes(0x61, 0x0a, 0x62, 0) }, ['a.md:2:2 file-not-text']],
  ['code with a NUL', { 'a.ts': 'a\n\0b\0' }, ['a.ts:2:1 file-not-text']],
  ['a document of 5 MB', { 'a.md': 'Hello\n'.repeat(1_000_000) }, ['a.md:1:1 file-too-large']],
  [
    'secrets that are no YAML',
    { 'fast-agent.secrets.yaml': 'openai: {\n' },
    ['fast-agent.secrets.yaml:1:1 secrets-in-folder', 'fast-agent.secrets.yaml:1:9 yaml-syntax'],
  ],
  ['a card of 5 MB', { 'a.md': card('a').repeat(200_000) }, ['a.md:1:1 card-too-large']],
  ['a data file of 5 MB', { 'a.csv': 'a;b\n'.repeat(1_250_000) }, ['a.csv:1:1 file-too-large']],
  ['a binary of 2 MB', { 'a.bin': new Uint8Array(2_000_000).fill(0xff) }, ['a.bin:1:1 file-too-large']],
  ['two cards of one name', { 'a.md': card('same'), 'b.md': card('same') }, ['b.md:2:7 duplicate-name']],
  ['a name equal to a file stem', { 'a.md': '---\n---\n', 'b.md': card('a') }, ['b.md:2:7 duplicate-name']],
  [
    'two defaults',
    { 'a.md': card('a', 'default: true\n'), 'b.md': card('b', 'default: true\n') },
    ['b.md:2:7 several-defaults'],
  ],
  [
    'working folders that are not there',
    {
      'a.md': card('a', 'servers: [here, gone, sub]\ncwd: nowhere\n'),
      'b.md': card('b', 'cwd: ./tools\n'),
      'tools/x.txt': 'x\n',
      'config/fast-agent.yaml': `mcp:\n  servers:\n    here: {command: x, cwd: tools}\n    gone:\n      command: x\n      cwd: tool\n    sub: {command: x, cwd: "\${DIR}/x"}\n    unused: {command: x, cwd: none}\n`,
    },
    ['a.md:4:1 cwd-missing', 'a.md:4:1 no-effect', 'b.md:3:1 no-effect', 'config/fast-agent.yaml:6:1 cwd-missing'],
  ],
  [
    'fields without effect beside a fault',
    { 'a.md': card('a', 'harness_tools: true\ncolour: red\napi_key: sk-1\n') },
    ['a.md:3:1 no-effect', 'a.md:4:1 unknown-field', 'a.md:5:1 no-effect'],
  ],
  [
    'fields of another kind in a folder of cards',
    { 'agent-cards/a.md': '---\nlayout: post\n---\nText\n', 'b.md': '---\nlayout: post\n---\nText\n' },
    ['agent-cards/a.md:2:1 unknown-field'],
  ],
  ['the only field misspelt', { 'a.md': '---\nnaem: lead\n---\nLead.\n' }, ['a.md:2:1 unknown-field']],
  [
    'shapes that are no card in a folder of cards',
    { 'agent-cards/a.yaml': '- a\n', 'agent-cards/b.yaml': 'text\n', 'agent-cards/c.yaml': '', 'notes.yaml': '- a\n' },
    [
      'agent-cards/a.yaml:1:1 yaml-not-mapping',
      'agent-cards/b.yaml:1:1 yaml-not-mapping',
      'agent-cards/c.yaml:1:1 yaml-not-mapping',
    ],
  ],
  [
    'a tool card that nobody calls',
    {
      '.fast-agent/agent-cards/a.md': card('a', 'agents: [b]\n'),
      '.fast-agent/tool-cards/b.md': card('b'),
      '.fast-agent/tool-cards/c.md': card('c'),
    },
    ['.fast-agent/tool-cards/c.md:1:1 tool-card-unused'],
  ],
  [
    'a config in fast-agent’s home and one at the top',
    { '.fast-agent/fast-agent.yaml': '', 'fast-agent.yaml': 'mcp: 5\n' },
    ['fast-agent.yaml:1:1 config-unused'],
  ],
  [
    'a cycle of three',
    { 'a.md': card('a', 'agents: [b]\n'), 'b.md': card('b', 'agents: [c]\n'), 'c.md': card('c', 'agents: [a]\n') },
    ['a.md:3:10 cycle'],
  ],
  [
    'a cycle through a workflow',
    { 'a.md': card('a', 'type: router\nagents: [w]\n'), 'w.md': card('w', 'type: MAKER\nworker: a\n') },
    ['a.md:4:10 cycle'],
  ],
  [
    'children deeper than they may run',
    {
      'a.md': card('a', 'agents: [b]\n'),
      'b.md': card('b', 'agents: [c]\n'),
      'c.md': card('c'),
      'callboard.yaml': 'version: 1\nlimits: {max_depth: 1}\n',
    },
    ['b.md:3:10 delegation-depth'],
  ],
  [
    'steps deeper than they may run',
    {
      'a.md': card('a', 'type: chain\nsequence: [b]\n'),
      'b.md': card('b', 'type: parallel\nfan_out: [c]\n'),
      'c.md': card('c'),
      'callboard.yaml': 'version: 1\nlimits: {max_depth: 1}\n',
    },
    ['b.md:4:11 delegation-depth'],
  ],
  [
    'a name that was normalised',
    { 'a.md': card('a', 'agents: ["My Kid"]\n'), 'b.md': card('My Kid') },
    ['a.md:3:10 missing-agent'],
  ],
  ['no config at all', { 'a.md': card('a', 'servers: [time]\n') }, ['a.md:3:11 unknown-server']],
  ['a config that does not parse', { 'fast-agent.yaml': 'mcp: {servers: [}\n' }, ['fast-agent.yaml:1:16 yaml-syntax']],
  ['a config that is a list', { 'fast-agent.yaml': '- mcp\n' }, ['fast-agent.yaml:1:1 config-invalid']],
  ['mcp.targets', { 'fast-agent.yaml': 'mcp:\n  targets: []\n' }, ['fast-agent.yaml:2:3 config-invalid']],
  ['an empty server', { 'fast-agent.yaml': 'mcp:\n  servers:\n    time:\n' }, ['fast-agent.yaml:3:5 config-invalid']],
  ['a server without a command', { 'fast-agent.yaml': `${server}args: [x]\n` }, ['fast-agent.yaml:3:5 config-invalid']],
  [
    'a server with target and command',
    { 'fast-agent.yaml': `${server}target: x\n      command: y\n` },
    ['fast-agent.yaml:5:7 config-invalid'],
  ],
  [
    'a server with url and command',
    { 'fast-agent.yaml': `${server}url: http://x\n      command: y\n` },
    ['fast-agent.yaml:5:7 server-url-and-command'],
  ],
  [
    'npx with nothing to run',
    { 'fast-agent.yaml': `${server}command: npx\n      args: ['-y']\n` },
    ['fast-agent.yaml:4:16 server-without-arguments'],
  ],
  [
    'a server of unknown transport',
    { 'fast-agent.yaml': `${server}command: x\n      transport: pipe\n` },
    ['fast-agent.yaml:5:18 config-invalid'],
  ],
  [
    'an env value that is a number',
    { 'fast-agent.yaml': `${server}command: x\n      env: {PORT: 80}\n` },
    ['fast-agent.yaml:5:19 config-invalid'],
  ],
  [
    'a timeout of zero',
    { 'fast-agent.yaml': `${server}command: x\n      read_timeout_seconds: 0\n` },
    ['fast-agent.yaml:5:29 config-invalid'],
  ],
  [
    'model references in a cycle',
    { 'fast-agent.yaml': 'model_references:\n  s:\n    a: $s.a\n' },
    ['fast-agent.yaml:3:8 model-reference'],
  ],
  ['a bad default model', { 'fast-agent.yaml': 'default_model: gpt-5.low\n' }, ['fast-agent.yaml:1:16 model-invalid']],
  ['settings of the wrong version', { 'callboard.yaml': 'version: 2\n' }, ['callboard.yaml:1:10 settings-invalid']],
  ['an unknown entry', { 'callboard.yaml': 'version: 1\nentry: boss\n' }, ['callboard.yaml:2:8 entry-unknown']],
  [
    'a script for nobody',
    { 'callboard.yaml': 'version: 1\nscripts:\n  boss:\n    - turns: [{text: hi}]\n' },
    ['callboard.yaml:3:3 settings-unknown-agent'],
  ],
  [
    'options of no edge',
    {
      'a.md': card('a'),
      'b.md': card('b'),
      'callboard.yaml': 'version: 1\ndelegations:\n  a:\n    b: {timeout_ms: 5}\n',
    },
    ['callboard.yaml:4:5 settings-unused-delegation'],
  ],
  [
    'a position of nobody',
    { 'callboard.yaml': 'version: 1\ncanvas:\n  positions:\n    agent:boss: {x: 1, y: 1}\n' },
    ['callboard.yaml:4:5 settings-unknown-agent'],
  ],
  [
    'a broken card others name',
    { 'a.md': card('a', 'agents: [b]\n'), 'b.md': '---\nname: b\ntype: [\n---\n' },
    ['b.md:3:7 yaml-syntax'],
  ],
  [
    'a broken card beside a good one',
    { 'a.md': card('a', 'agents: [ghost]\n'), 'b.md': '---\nname: [\n---\n' },
    ['a.md:3:10 missing-agent', 'b.md:2:7 yaml-syntax'],
  ],
];

test.each(corpus)('%s', (_, files, expected) => {
  const folder = new Map(
    Object.entries(files).map(([path, content]): [string, FolderFile] => [
      path,
      typeof content === 'string' ? { kind: 'text', text: content } : { kind: 'binary', bytes: content },
    ]),
  );
  const { issues } = readFolder(folder);
  expect(issues.map(({ file, line, column, code }) => `${file}:${line}:${column} ${code}`)).toEqual(expected);
});
