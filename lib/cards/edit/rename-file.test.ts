import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { folderOf } from '@/lib/cards/files';
import type { Folder } from '@/lib/cards/folder';
import { readFolder } from '@/lib/cards/project/read-folder';
import { joinPath } from '@/lib/cards/references';
import { renameFile, renameFiles } from './rename-file';

const files = {
  'agent-cards/lead.md': `---
name: lead
default: true
agents: [kid]
function_tools:
  - ../tools/add.py:add # adds
  - { entrypoint: "../tools/add.py:sub", variant: code }
tool_hooks:
  before_tool_call: guards/guard.py:check
messages: [history/start.md]
---
Read {{file:notes/rules.md}} and {{file_silent:history/start.md}}.
`,
  'agent-cards/kid.md': '---\nname: kid\ntool_hooks: ["guards/guard.py:check", "../tools/add.py:log"]\n---\nHelp.\n',
  'agent-cards/guards/guard.py': 'def check(ctx):\n    pass\n',
  'agent-cards/history/start.md': '---USER\nHello.\n',
  'tools/add.py': 'def add(a: int): ...\ndef sub(a: int): ...\nasync def log(ctx, args, call_next): ...\n',
  'notes/rules.md': 'Be kind.\n',
  'servers/time.mjs': 'export {};\n',
  'fast-agent.yaml':
    'mcp:\n  servers:\n    time: { command: node, args: [servers/time.mjs] }\n    away: { command: node, args: [./servers/time.mjs], cwd: elsewhere }\n',
  'callboard.yaml':
    'version: 1\nrun_hooks: ["tools/add.py:log"]\nagent_hooks:\n  kid: ["tools/add.py:log", { block: { when: { tool: "tools/add.py:log" } } }]\nhooks:\n  ../tools/add.py:log: { timeout_ms: 5 }\n  agent-cards/guards/guard.py:check: { timeout_ms: 6 }\n',
};
const folder = folderOf(files);

function renamed(from: string, to: string, before: Folder = folder): Record<string, string | undefined> {
  const result = renameFile(before, from, to);
  if (!result.ok) throw new Error(result.error.message);
  return Object.fromEntries(
    [...result.value].map(([path, file]) => [path, file?.kind === 'text' ? file.text : undefined]),
  );
}

const changed = (path: keyof typeof files, ...swaps: (readonly [string, string])[]) =>
  swaps.reduce((text, [a, b]) => text.replaceAll(a, b), files[path]);

describe('renameFile', () => {
  it('takes every card, chain and policy that names the code along', () => {
    expect(renamed('tools/add.py', 'agent-cards/sums.py')).toEqual({
      'tools/add.py': undefined,
      'agent-cards/sums.py': files['tools/add.py'],
      'agent-cards/lead.md': changed('agent-cards/lead.md', ['../tools/add.py', 'sums.py']),
      'agent-cards/kid.md': changed('agent-cards/kid.md', ['../tools/add.py', 'sums.py']),
      'callboard.yaml': changed(
        'callboard.yaml',
        ['run_hooks: ["tools/add.py', 'run_hooks: ["agent-cards/sums.py'],
        ['kid: ["tools/add.py', 'kid: ["agent-cards/sums.py'],
        ['../tools/add.py', 'sums.py'],
      ),
    });
  });

  it('keeps what a card points at when the card moves', () => {
    expect(renamed('agent-cards/lead.md', 'lead.md')).toMatchObject({
      'agent-cards/lead.md': undefined,
      'lead.md': changed(
        'agent-cards/lead.md',
        ['../tools', 'tools'],
        ['guards/guard', 'agent-cards/guards/guard'],
        ['history/start', 'agent-cards/history/start'],
      ),
    });
  });

  it('follows includes, and a server whose argument is the file', () => {
    expect(renamed('notes/rules.md', 'rules.md')['agent-cards/lead.md']).toContain('{{file:rules.md}}');
    expect(renamed('servers/time.mjs', 'clock.mjs')['fast-agent.yaml']).toBe(
      files['fast-agent.yaml'].replace('[servers/time.mjs]', '[clock.mjs]'),
    );
  });

  it('moves a file that is not text', () => {
    const picture = { kind: 'stored', hash: 'a'.repeat(64), size: 3 } as const;
    const result = renameFile(new Map([...folder, ['logo.png', picture]]), 'logo.png', 'images/logo.png');
    expect(result.ok && [...result.value]).toEqual([
      ['logo.png', undefined],
      ['images/logo.png', picture],
    ]);
  });

  it('never adds an error, and there and back again is the same folder', () => {
    const folders = ['', 'agent-cards/', 'tools/', 'deep/er/'];
    fc.assert(
      fc.property(fc.constantFrom(...Object.keys(files).slice(0, 7)), fc.constantFrom(...folders), (from, parent) => {
        const to = `${parent}moved${from.slice(from.lastIndexOf('.'))}`;
        const there = apply(folder, renamed(from, to));
        const codes = (one: Folder) =>
          readFolder(one)
            .issues.flatMap(({ code, severity }) => (severity === 'error' ? [code] : []))
            .sort();
        expect(codes(there)).toEqual(codes(folder));
        const back = apply(there, renamed(to, from, there));
        // References of a moved card may afterwards be relative to the root instead of the card.
        if (from.endsWith('lead.md') || from.endsWith('kid.md')) expect(codes(back)).toEqual(codes(folder));
        else expect(Object.fromEntries(back)).toEqual(Object.fromEntries(folder));
      }),
    );
  });
});

describe('renameFiles', () => {
  const more = {
    'agent-cards/boss.md':
      '---\ndefault: true\nagents: [helper]\nskills: [../skills, skills/own/]\nfunction_tools: ["../code/a.ts:a", "../py/tool.py:run"]\n---\nLead.\n',
    'agent-cards/helper.md': '---\nmodel: passthrough\n---\nHelp.\n',
    'agent-cards/skills/own/SKILL.md': '---\nname: own\ndescription: Own.\n---\nDo.\n',
    'skills/plan/SKILL.md': '---\nname: plan\ndescription: Plan.\n---\nPlan.\n',
    'skills/plan/extra.md': 'More.\n',
    'code/a.ts': "import { b } from './lib/b';\nimport './lib/c.js';\nexport const a = () => b();\n",
    'code/lib/b.ts': "export { c as b } from './c';\n",
    'code/lib/c.ts': 'export function c() {\n  return 1;\n}\n',
    'py/tool.py':
      'import base\nfrom helpers import help_one\n\ndef run(x: int) -> int:\n    return base.add(help_one(x))\n',
    'py/base.py': 'def add(x):\n    return x + 1\n',
    'helpers.py': 'def help_one(x):\n    return x\n',
    'callboard.yaml':
      'version: 1\nentry: boss\ncanvas:\n  positions:\n    agent:helper: { x: 1, y: 2 }\n    function:code/a.ts:a: { x: 3, y: 4 }\n',
  };
  const moved = (moves: Readonly<Record<string, string>>) => {
    const result = renameFiles(folderOf(more), new Map(Object.entries(moves)));
    if (!result.ok) throw new Error(result.error.message);
    return Object.fromEntries(
      [...result.value].map(([path, file]) => [path, file?.kind === 'text' ? file.text : undefined]),
    );
  };
  const text = (path: keyof typeof more, ...swaps: (readonly [string, string])[]) =>
    swaps.reduce((now, [a, b]) => now.replace(a, b), more[path]);

  it('lets references follow the agent of a card that has the name of its file', () => {
    expect(moved({ 'agent-cards/helper.md': 'agent-cards/aide.md' })).toEqual({
      'agent-cards/helper.md': undefined,
      'agent-cards/aide.md': more['agent-cards/helper.md'],
      'agent-cards/boss.md': text('agent-cards/boss.md', ['[helper]', '[aide]']),
      'callboard.yaml': text('callboard.yaml', ['agent:helper', 'agent:aide']),
    });
  });

  it('keeps imports, tools and places of code', () => {
    expect(moved({ 'code/lib/b.ts': 'code/near.ts' })).toEqual({
      'code/lib/b.ts': undefined,
      'code/near.ts': "export { c as b } from './lib/c';\n",
      'code/a.ts': text('code/a.ts', ['./lib/b', './near']),
    });
    expect(moved({ 'code/lib/c.ts': 'code/lib/d.ts' })).toMatchObject({
      'code/a.ts': text('code/a.ts', ['./lib/c.js', './lib/d.js']),
      'code/lib/b.ts': text('code/lib/b.ts', ['./c', './d']),
    });
    expect(moved({ 'code/a.ts': 'a.ts' })).toMatchObject({
      'a.ts': text('code/a.ts', ['./lib/b', './code/lib/b'], ['./lib/c', './code/lib/c']),
      'callboard.yaml': text('callboard.yaml', ['function:code/a.ts:a', 'function:a.ts:a']),
    });
    expect(moved({ 'helpers.py': 'lib/helpers.py', 'py/base.py': 'py/sums.py' })).toMatchObject({
      'py/tool.py': text('py/tool.py', ['import base', 'import sums as base'], ['from helpers', 'from lib.helpers']),
    });
  });

  it('moves a folder with everything that names it', () => {
    const moves = { 'skills/plan/SKILL.md': 'know/plan/SKILL.md', 'skills/plan/extra.md': 'know/plan/extra.md' };
    expect(moved(moves)).toMatchObject({
      'agent-cards/boss.md': text('agent-cards/boss.md', ['../skills', '../know']),
    });
    const up = Object.fromEntries(
      Object.keys(more).flatMap((path) => (path.startsWith('agent-cards/') ? [[path, path.slice(12)]] : [])),
    );
    const boss = moved(up)['boss.md'];
    expect(boss).toBe(text('agent-cards/boss.md', ['../skills', 'skills'], ['../code', 'code'], ['../py', 'py']));
  });

  it('breaks no reference, wherever files go', () => {
    const paths = Object.keys(more).filter((path) => path !== 'callboard.yaml' && !path.endsWith('SKILL.md'));
    const place = fc.tuple(fc.constantFrom('', 'agent-cards/', 'code/', 'deep/er/'), fc.constantFrom('x', 'y', 'z'));
    const errorsOf = (one: Folder) =>
      readFolder(one)
        .issues.filter(({ severity }) => severity === 'error')
        .map(({ code }) => code);
    fc.assert(
      fc.property(fc.constantFrom(...paths), place, (from, [parent, name]) => {
        const to = `${parent}${name}${from.slice(from.lastIndexOf('.'))}`;
        const after = apply(folderOf(more), moved({ [from]: to }));
        expect(errorsOf(after)).toEqual(errorsOf(folderOf(more)));
        for (const [path, file] of after) {
          const imports = file.kind === 'text' && /\.ts$/.test(path) ? file.text.matchAll(/'(\.[^']+)'/g) : [];
          for (const [, written = ''] of imports) {
            const target = joinPath(path, written)?.replace(/\.js$/, '');
            expect([path, written, after.has(`${target}.ts`)]).toEqual([path, written, true]);
          }
        }
      }),
    );
  });
});

function apply(before: Folder, changes: Record<string, string | undefined>): Folder {
  const after = new Map(before);
  for (const [path, text] of Object.entries(changes)) {
    if (text === undefined) after.delete(path);
    else after.set(path, { kind: 'text', text });
  }
  return after;
}

it.each([
  ['agent-cards/bad.md', '---\nname: bad\ntool_hooks: [../hooks.py:g\n---\n', 'hooks.py', 'guards.py'],
  ['callboard.yaml', 'run_hooks: ["hooks.py:g"]\nlimits: [\n', 'hooks.py', 'guards.py'],
  ['fast-agent.yaml', 'mcp: {servers: {s: {command: python, args: [hooks.py]}}}\nx: [\n', 'hooks.py', 'guards.py'],
  ['agent-cards/bad.md', '---\nskills: [skills/style\n---\n', 'skills/style/SKILL.md', 'skills/tone/SKILL.md'],
])('is refused while a file that may name it cannot be read: %s', (file, text, from, to) => {
  const there = {
    'hooks.py': 'async def g(ctx, args, next): ...\n',
    'skills/style/SKILL.md': '---\nname: style\n---\n',
  };
  const renamed = renameFile(folderOf({ ...there, [file]: text }), from, to);
  if (renamed.ok) throw new Error('renamed');
  expect(renamed.error.file).toBe(file);
  expect(renamed.error.message).toContain(`and may name '${from}'. Correct it before renaming.`);
  expect(renameFile(folderOf({ ...there, [file]: text, 'other.txt': '' }), 'other.txt', 'more.txt').ok).toBe(true);
});
