import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openWritten } from '@/lib/cards/dialects/open-text';
import { folderOf } from '@/lib/cards/files';
import type { Folder } from '@/lib/cards/folder';
import type { ImportReport } from '@/lib/cards/import-report';
import { tries } from '@/lib/testing/tries';
import { readFolder } from './read-folder';
import { reportOfFolder } from './report-of-folder';

function reportOf(folder: Folder): ImportReport {
  return reportOfFolder(folder, readFolder(folder));
}

/** A report in short: what each file becomes, with what is said of it and of its fields. */
function short(record: Readonly<Record<string, string>>): readonly string[] {
  const head = (text: string) => text.slice(0, 40);
  return reportOf(folderOf(record)).files.flatMap(({ file, becomes, names, notes, fields }) => [
    `${file}: ${[becomes, ...names].join(' ')}`,
    ...notes.map(({ line, message }) => `  ${line} ${head(message)}`),
    ...fields.map(
      ({ field, line, use, notes: said }) =>
        `  ${line} ${[field, use, ...said.map((one) => head(one.message))].join(' | ')}`,
    ),
  ]);
}

const claudeCode = {
  'CLAUDE.md': 'Read @docs/style.md and `@not/this.md`.\n',
  'CLAUDE.local.md': 'Mine.\n',
  '.mcp.json': '{\n  "mcpServers": {"wiki": {"command": "npx"}},\n  "notes": 1\n}\n',
  '.claude/CLAUDE.md': 'More.\n',
  '.claude/agents/README.md': 'Ours.\n',
  '.claude/agents/writer.md':
    '---\nname: writer\ndescription: Writes.\ntools: Read, mcp__wiki\ncolor: red\nodd: 1\nhooks: {}\n---\nYou write.\n',
  '.claude/agents/z/writer.md': '---\nname: writer\ndescription: Again.\n---\nYou write.\n',
  '.claude/commands/ship.md': 'Ship.\n',
  '.claude/rules/tests.md': 'Test.\n',
  '.claude/settings.json':
    '{\n  "model": "opus",\n  "permissions": {\n    "allow": ["Read"],\n    "deny": ["Agent(x)"]\n  },\n  "hooks": {"Stop": []}\n}\n',
  '.claude/settings.local.json': '{}',
  '.claude/skills/style/SKILL.md': '---\nname: style\ndescription: How.\nallowed-tools: Read\n---\nShort.\n',
  '.claude/skills/style/words.txt': 'a\n',
  '.claude-plugin/plugin.json': '{"name": "p"}',
  'src/tool.py': 'def f(): pass\n',
};

test('every file of a Claude Code folder is named, with what is lost', () => {
  const report = reportOf(folderOf(claudeCode));
  expect([report.format, report.withoutFile]).toEqual(['Claude Code', []]);
  expect(short(claudeCode)).toEqual([
    '.claude-plugin/plugin.json: not-read',
    '  1 A plugin is kept and not read here. Copy',
    '.claude/CLAUDE.md: not-read',
    '  1 The instruction of .claude/CLAUDE.md is ',
    '.claude/agents/README.md: kept',
    "  1 A document: without 'name' in its front ",
    '.claude/agents/writer.md: agent writer',
    '  2 name | works',
    '  3 description | works',
    '  4 tools | cannot-run | Tools of Claude Code itself cannot run h',
    "  5 color | kept | 'color' is kept and has no effect here: ",
    "  6 odd | kept | 'odd': no field that Claude Code documen",
    "  7 hooks | cannot-run | 'hooks' is kept and cannot run here: the",
    '.claude/agents/z/writer.md: not-read',
    '  1 This agent is not read. Correct what is ',
    '  2 name | cannot-run | Another file has an agent of this name, ',
    '  3 description | works',
    '.claude/commands/ship.md: kept',
    '  1 A command of .claude/commands is kept an',
    '.claude/rules/tests.md: not-read',
    '  1 Rules of .claude/rules are not read into',
    '.claude/settings.json: settings',
    '  1 Settings that everyone shares. What they',
    "  2 model | kept | 'model' is kept and has no effect here: ",
    "  3 permissions | kept | Of 'permissions', only 'deny' has an eff",
    '  7 hooks | cannot-run | The hooks of .claude/settings.json are k',
    '.claude/settings.local.json: not-read',
    '  1 The own settings of one person are kept ',
    '.claude/skills/style/SKILL.md: skill',
    '  2 name | works',
    '  3 description | works',
    "  4 allowed-tools | kept | 'allowed-tools' is kept and has no effec",
    '.claude/skills/style/words.txt: skill',
    '  1 A file of a skill. An agent that has the',
    '.mcp.json: servers wiki',
    "  2 mcpServers | works | Server 'wiki' runs 'npx' without naming ",
    "  3 notes | kept | 'notes' is kept and has no effect here: ",
    'CLAUDE.local.md: not-read',
    '  1 CLAUDE.local.md has the own instructions',
    'CLAUDE.md: instruction main',
    "  1 A file that CLAUDE.md imports with '@' i",
    'src/tool.py: script',
  ]);
});

test('the main agent without a file is named', () => {
  const { '.claude/agents/writer.md': writer } = claudeCode;
  expect(reportOf(folderOf({ '.claude/agents/writer.md': writer })).withoutFile).toEqual(['main']);
});

test('a folder of AgentCards names each file, and the fields with a remark', () => {
  const record = {
    'agent-cards/lead.md':
      '---\nname: lead\nmodel: passthrough\nservers: [time]\nharness_tools: true\ncolour: red\n---\nLead.\n',
    'agent-cards/broken.md': '---\nname: [\n---\n',
    '.claude/agents/own.md': '---\nname: own\ndescription: Helps.\n---\nReview.\n',
    'fast-agent.yaml': 'mcp:\n  servers:\n    time: {command: time}\n',
    'notes.md': 'Text.\n',
  };
  expect(short(record)).toEqual([
    '.claude/agents/own.md: not-read',
    '  1 A file of Claude Code. It is kept and no',
    'agent-cards/broken.md: not-read',
    '  1 This agent is not read. Correct what is ',
    expect.stringMatching(/^ {2}2 The YAML cannot be read/),
    'agent-cards/lead.md: agent lead',
    '  2 name | works',
    '  3 model | works',
    '  4 servers | works',
    "  5 harness_tools | kept | 'harness_tools' has no effect in Callboa",
    expect.stringMatching(/^ {2}6 colour \| cannot-run/),
    'fast-agent.yaml: servers time',
    '  1 mcp | works',
    'notes.md: kept',
  ]);
});

const path = fc.constantFrom(
  ...[
    'CLAUDE.md',
    '.mcp.json',
    '.claude/settings.json',
    '.claude/rules/a.md',
    '.claude/skills/s/SKILL.md',
    'x/CLAUDE.md',
  ],
  ...['.claude/agents/a.md', '.claude/agents/b/c.md', 'agents/a.md', 'agent-cards/l.md', 'a.py', 'fast-agent.yaml'],
  ...['.claude/commands/c.md', 'sub/.claude/agents/d.md', 'callboard.yaml', 'fast-agent.secrets.yaml', 'notes.txt'],
);
const field = fc.constantFrom(
  ...'name description tools model color hooks memory mcpServers skills odd servers type permissions mcp'.split(' '),
);
const value = fc.constantFrom('a', 'Read, Bash', '[a, b]', '{a: 1}', '', 'Use it: now', '*', '"', '3');
const fields = fc.array(fc.tuple(field, value), { maxLength: 6 });
const text = fc.oneof(
  fields.map((pairs) => `---\n${pairs.map(([key, one]) => `${key}: ${one}\n`).join('')}---\nText @a/b.md.\n`),
  fields.map((pairs) => JSON.stringify(Object.fromEntries(pairs), null, 2)),
  fields.map((pairs) => pairs.map(([key, one]) => `${key}: ${one}\n`).join('')),
  fc.string(),
);

test('no file, and no field of an agent, is missing in a report', () => {
  const files = fc.dictionary(path, text, { maxKeys: 8 });
  fc.assert(
    fc.property(files, (record) => {
      const folder = folderOf(record);
      const parsed = readFolder(folder);
      const report = reportOfFolder(folder, parsed);
      expect(report.files.map(({ file }) => file)).toEqual([...folder.keys()].sort());
      for (const { file, becomes, notes, fields: told } of report.files) {
        for (const one of told) expect([one.use === 'works', one.notes.length > 0]).toContain(true);
        if (becomes === 'not-read') expect(notes.length).toBeGreaterThan(0);
        if (becomes !== 'agent' && becomes !== 'servers') continue;
        const { written = {} } = openWritten(file, record[file] ?? '') ?? {};
        expect(told.map((one) => one.field).sort()).toEqual(Object.keys(written).sort());
      }
      // What Callboard would tell of a file, its row tells too.
      for (const issue of parsed.issues.filter(({ severity }) => severity === 'error')) {
        const row = report.files.find(({ file }) => file === issue.file);
        const said = [...(row?.notes ?? []), ...(row?.fields ?? []).flatMap((one) => one.notes)];
        if (row !== undefined) expect(said.map(({ message }) => message)).toContain(issue.message);
      }
    }),
    { numRuns: tries(400) },
  );
});
