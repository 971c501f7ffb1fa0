import { expect, test } from 'vitest';
import { folderOf } from '@/lib/cards/files';
import { readWithCode } from '@/lib/cards/project/read-with-code';
import { createCompiler } from '@/lib/sandbox/js/compile';

type Files = Readonly<Record<string, string>>;

const sound = 'export function add(args: { a: number }): number { return args.a; }\n';
const card = 'function_tools: [tools.ts:add]\n';

function issuesOf(files: Files, fields = card): string[] {
  const folder = folderOf({ 'lead.md': `---\nname: lead\nmodel: passthrough\n${fields}---\n`, ...files });
  const found = readWithCode(folder).issues.filter(({ code }) => code === 'code-syntax');
  return found.map(({ file, line, column, message }) => `${file}:${line}:${column} ${message}`);
}

const broken: readonly (readonly [what: string, files: Files, expected: string])[] = [
  [
    'no value',
    { 'tools.ts': `${sound}let x = ;\n` },
    'tools.ts:2:9 The code cannot be read: Unexpected token. Correct this place.',
  ],
  [
    'a name twice',
    { 'tools.ts': `${sound}let x = 1;\nlet x = 2;\n` },
    "tools.ts:3:5 The code cannot be read: Identifier 'x' has already been declared.",
  ],
  [
    'a statement outside strict mode',
    { 'tools.ts': `${sound}with (a) {}\n` },
    'tools.ts:2:1 The code cannot be read: ',
  ],
  ['a return at the top', { 'tools.ts': `${sound}return 1;\n` }, 'tools.ts:2:1 The code cannot be read: '],
  [
    'an export of nothing',
    { 'tools.ts': `${sound}export { gone };\n` },
    "tools.ts:2:10 The code cannot be read: Export 'gone' is not defined.",
  ],
  [
    'a pattern that is not closed',
    { 'tools.ts': `${sound}export const p = /(/;\n` },
    'tools.ts:2:18 The pattern /(/ cannot be read.',
  ],
  [
    'a module that it imports',
    { 'tools.ts': `import { x } from './lib/x';\n${sound}x();\n`, 'lib/x.js': 'export const x = {;\n' },
    'lib/x.js:1:19 ',
  ],
  [
    'a module that is not there',
    { 'tools.ts': `import { x } from './x';\n${sound}x();\n` },
    "tools.ts:1:1 './x' is not a file of the project.",
  ],
  ['a module for its effects', { 'tools.ts': `${sound}import './x';\n` }, "tools.ts:2:1 './x' is not"],
  ['exports of another module', { 'tools.ts': `${sound}export * from './x.js';\n` }, "tools.ts:2:1 './x.js' is not"],
  [
    'a package',
    { 'tools.ts': `import fs from 'node:fs';\n${sound}fs.x();\n` },
    "tools.ts:1:1 'node:fs' cannot be imported here",
  ],
  ['brackets without end', { 'tools.ts': `${sound}${'('.repeat(100_000)}` }, 'tools.ts:'],
];

test.each(broken)('%s: the sandbox finds the same', async (_, files, expected) => {
  const [first, ...others] = issuesOf(files);
  expect(first).toContain(expected);
  expect(others).toEqual([]);
  const program = await createCompiler(folderOf(files)).programOf('tools.ts');
  expect(
    program.ok ? '' : `${program.place.file}:${program.place.line}:${program.place.column} ${program.message}`,
  ).toBe(first);
});

const fine: readonly (readonly [what: string, text: string])[] = [
  ['a type from a file that is not there', `import type { X } from './x';\nimport { type Y } from './y';\n${sound}`],
  [
    'a type that is only exported again',
    `import { X } from './x';\nexport type { X };\nexport { type X as Y };\n${sound}`,
  ],
  ['an import that only types use', `import { X } from './x';\nexport const y = (x: X) => x as X;\n${sound}`],
  ['a name of a property', `import { X } from './x';\nexport const y = (a: { X: X }) => [a.X, { X: 1 }];\n${sound}`],
  [
    'syntax of TypeScript',
    `enum A { B }\nabstract class C<T> { constructor(private x: T) {} }\nexport const y = <A>(a: A) => a!;\n${sound}`,
  ],
  ['an import whose name is computed', `export const y = (name: string) => import(name);\n${sound}`],
  ['CommonJS', `module.exports = { add(a) { return a; } };\n`],
];

test.each(fine)('%s is no fault, and the sandbox compiles it', async (_, text) => {
  const files = { 'tools.ts': text };
  expect(issuesOf(files)).toEqual([]);
  expect(await createCompiler(folderOf(files)).programOf('tools.ts')).toMatchObject({ ok: true });
});

test.each([
  ['a chain', 'tool_hooks: [tools.ts:add]\n', {}],
  ['a phase', 'tool_hooks: {before_llm_call: tools.ts:add}\n', {}],
  ['a start', 'lifecycle_hooks: {on_start: tools.ts:add}\n', {}],
  ['hooks of every run', '', { 'callboard.yaml': "version: 1\nrun_hooks: ['tools.ts:add']\n" }],
  ['hooks of one agent', '', { 'callboard.yaml': "version: 1\nagent_hooks: {lead: ['tools.ts:add']}\n" }],
])('a file is parsed for %s', (_, fields, files: Files) => {
  expect(issuesOf({ 'tools.ts': 'let x = ;', ...files }, fields)).toHaveLength(1);
});

test('a file that nothing loads is not parsed', () => {
  expect(issuesOf({ 'tools.ts': sound, 'other.ts': 'let x = ;' })).toEqual([]);
});
