import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { decodeFile } from '@/lib/cards/files';
import type { Folder, FolderFile } from '@/lib/cards/folder';
import { readFolder } from '@/lib/cards/project/read-folder';
import { exportForFastAgent } from './export-for-fast-agent';
import { isComplete } from './export-report';

function folderOf(files: Record<string, string | Uint8Array>): Folder {
  return new Map(
    Object.entries(files).map(([name, data]): [string, FolderFile] => [
      name,
      typeof data === 'string' ? { kind: 'text', text: data } : { kind: 'binary', bytes: data },
    ]),
  );
}

function textOf(folder: Folder, name: string): string | undefined {
  const file = folder.get(name);
  return file?.kind === 'text' ? file.text : undefined;
}

const hooks = 'async def audit(ctx, args, call_next):\n    return await call_next(args)\n';

describe('exportForFastAgent', () => {
  test('an entry that is the one default card is carried by the card', () => {
    const settings = 'version: 1\nentry: lead\n';
    const lead = (more: string) => `---\nname: lead\n${more}---\nLead.\n`;
    const notes = (files: Record<string, string>) =>
      exportForFastAgent(folderOf({ 'callboard.yaml': settings, ...files })).report.notes;
    expect(notes({ 'lead.md': lead('default: true\n') })).toEqual([]);
    const said = [expect.objectContaining({ message: expect.stringContaining("'entry' is not exported") })];
    expect(notes({ 'lead.md': lead('') })).toEqual(said);
    expect(notes({ 'lead.md': lead(''), 'other.md': '---\nname: other\ndefault: true\n---\nOther.\n' })).toEqual(said);
  });

  test('a list of hooks becomes two phases of a generated module; nothing else of the card changes', () => {
    const card = `---\r\n# who\r\nname: Lead One\r\ntool_hooks:   # the chain\r\n  - hooks.py:audit\r\nmodel:  gpt-4.1 # kept\r\n---\r\nLead.\r\n`;
    const image = new Uint8Array([0, 255]);
    const { folder, report } = exportForFastAgent(folderOf({ 'lead.md': card, 'hooks.py': hooks, 'a.png': image }));
    expect(textOf(folder, 'lead.md')).toBe(
      card.replace(
        /tool_hooks:.*\r\n.*\r\n/,
        'tool_hooks:   # the chain\r\n  before_tool_call: callboard_hooks.py:lead_one_before_tool_call\r\n  after_tool_call: callboard_hooks.py:lead_one_after_tool_call\r\n',
      ),
    );
    expect([...folder.keys()].sort()).toEqual(['a.png', 'callboard_hooks.py', 'hooks.py', 'lead.md']);
    expect(folder.get('a.png')).toEqual({ kind: 'binary', bytes: image });
    expect(textOf(folder, 'callboard_hooks.py')).toContain('hooks=["hooks.py:audit"],');
    expect(report.notes).toEqual([
      {
        kind: 'moved',
        file: 'lead.md',
        line: 5,
        message:
          'The hook of tool_hooks runs in callboard_hooks.py, in the same order. All calls of a batch wait until each has reached its tool.',
      },
    ]);
    expect(report.problems).toEqual([]);
    expect(isComplete(report)).toBe(true);
  });

  test('what is not Python is taken out and told', () => {
    const card = `---
function_tools:
  - one.py:one
  - entrypoint: two.ts:two
tool_hooks:
  - guard.ts:guard
  - ../hooks.py:audit
lifecycle_hooks:
  on_start: guard.ts:begin
---
Lead.
`;
    const other = '---\nfunction_tools: two.ts:two\ntool_hooks:\n  after_tool_call: guard.ts:begin\n---\nHelp.\n';
    const files = { 'cards/lead.md': card, 'cards/other.md': other, 'hooks.py': hooks };
    const code = {
      'cards/one.py': 'def one(): pass\n',
      'cards/two.ts': 'export const two = () => 2;\n',
      'cards/guard.ts': 'export async function guard(ctx, args, next) {}\nexport async function begin(ctx) {}\n',
    };
    const { folder, report } = exportForFastAgent(folderOf({ ...files, ...code }));
    expect(textOf(folder, 'cards/lead.md')).not.toContain('.ts');
    expect(textOf(folder, 'cards/lead.md')).toContain('function_tools:\n  - one.py:one\n');
    expect(textOf(folder, 'cards/other.md')).toBe('---\nfunction_tools: []\n---\nHelp.\n');
    expect(textOf(folder, 'cards/two.ts')).toBe(code['cards/two.ts']);
    const lost = report.notes.filter((note) => note.kind === 'lost');
    expect(lost.map(({ file, line, message }) => `${file}:${line} ${message.split(' is not')[0]}`)).toEqual([
      "cards/lead.md:4 The function tool 'two.ts:two'",
      "cards/lead.md:6 The hook 'guard.ts:guard'",
      "cards/lead.md:9 The hook 'guard.ts:begin'",
      "cards/other.md:2 The function tool 'two.ts:two'",
      "cards/other.md:4 The hook 'guard.ts:begin'",
    ]);
    expect(report.problems).toEqual([]);
    expect(isComplete(report)).toBe(false);
  });

  test('callboard.yaml is left out and each of its options named; canvas positions are none', () => {
    const settings = `version: 1
canvas: {positions: {lead: {x: 1, y: 2}}}
tool_naming: plain
limits:
  max_depth: 2
delegations:
  lead:
    kid: {timeout_ms: 5, isolation: shared}
`;
    const { folder, report } = exportForFastAgent(
      folderOf({
        'callboard.yaml': settings,
        'a/lead.md': '---\nname: lead\nagents: [kid]\n---\nL',
        'a/kid.md': '---\nname: kid\n---\nK',
      }),
    );
    expect(folder.has('callboard.yaml')).toBe(false);
    expect(report.notes.map(({ line, message }) => `${line} ${message.split(' is not')[0]}`)).toEqual([
      "3 'tool_naming'",
      "5 'limits.max_depth'",
      "8 'delegations.lead.kid.timeout_ms'",
      "8 'delegations.lead.kid.isolation'",
    ]);
  });

  test('hooks that are not there, and places that cannot be changed, are problems', () => {
    const card = '---\nx: &h [gone.py:audit]\ntool_hooks: *h\n---\nL';
    const { report } = exportForFastAgent(
      folderOf({ 'a/lead.md': card, 'a/two.md': '---\ntool_hooks: [gone.py:a]\n---\nT' }),
    );
    expect(new Set(report.problems.map((issue) => issue.code))).toEqual(
      new Set(['unknown-field', 'hook-list', 'hook-file-missing']),
    );
  });

  test('a taken name is not overwritten, and cards of one name in code have functions of their own', () => {
    const card = (name: string) => `---\nname: ${name}\ntool_hooks: [hooks.py:audit]\n---\nL`;
    const files = {
      'c/a.md': card('a-b'),
      'c/b.md': card('a.b'),
      'd/1.md': card('1'),
      'c/hooks.py': hooks,
      'd/hooks.py': hooks,
    };
    const { folder } = exportForFastAgent(folderOf({ ...files, 'c/callboard_hooks.py': '# mine\n' }));
    expect(textOf(folder, 'c/callboard_hooks.py')).toBe('# mine\n');
    expect(textOf(folder, 'c/a.md')).toContain('callboard_hooks_2.py:a_b_before_tool_call');
    expect(textOf(folder, 'c/b.md')).toContain('callboard_hooks_2.py:a_b_2_before_tool_call');
    expect(folder.has('d/callboard_hooks.py')).toBe(true);
  });

  test("attributes that fast-agent's results do not have are named", () => {
    const reading =
      'async def audit(ctx, args, call_next):\n    r = await call_next(args)\n    r.isError = False\n    return r\n';
    const { report } = exportForFastAgent(
      folderOf({ 'a.md': '---\ntool_hooks: [h.py:audit]\n---\nL', 'h.py': reading }),
    );
    expect(report.notes.find((note) => note.kind === 'differs')).toMatchObject({ file: 'h.py', line: 3 });
  });

  test('every example exports to cards that fast-agent does not refuse, the same each time', () => {
    const root = path.join(import.meta.dirname, '../../../examples');
    const projects = readdirSync(root, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    expect(projects.length).toBeGreaterThan(5);
    for (const { name } of projects) {
      const folder = diskFolder(path.join(root, name));
      const first = exportForFastAgent(folder);
      expect(first.report.problems, name).toEqual([]);
      expect(exportForFastAgent(new Map([...folder].reverse()))).toEqual(first);
      for (const card of readFolder(first.folder).cards) {
        if (card.type === 'agent') expect(card.toolHooks.form, card.file).not.toBe('chain');
      }
    }
  });
});

function diskFolder(root: string): Folder {
  const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return new Map(
    files.map((entry) => {
      const file = path.join(entry.parentPath, entry.name);
      return [path.relative(root, file).split(path.sep).join('/'), decodeFile(readFileSync(file))];
    }),
  );
}
