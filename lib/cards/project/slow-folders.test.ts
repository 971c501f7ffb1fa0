import { expect, test } from 'vitest';
import { folderOf } from '@/lib/cards/files';
import { projectGraph } from '@/lib/graph/project';
import { readFolder } from './read-folder';

/** Folders that were slow to read report the right issues. Their time is tested with generated inputs. */

const issuesOf = (files: Record<string, string>) =>
  readFolder(folderOf(files)).issues.map(({ code, message }) => ({ code, message }));

test('a code file larger than 1 MB is kept, and its functions are not looked at', () => {
  const issues = issuesOf({
    'lead.md': '---\nfunction_tools: [big.ts:nothing]\n---\nHi.\n',
    'big.ts': 'const a = 1;\n'.repeat(90_000),
  });
  expect(issues.map(({ code }) => code)).toEqual(['file-too-large', 'code-not-python']);
  expect(issues[0]?.message).toContain('the functions it defines are not looked at');
});

test('templates nested a hundred thousand times are read', () => {
  const depth = 100_000;
  const code = `export const deep = ${'`${'.repeat(depth)}1${'}`'.repeat(depth)};\nexport function f(ctx, args, next) {}\n`;
  expect(
    issuesOf({ 'lead.md': '---\ntool_hooks: [a.ts:f]\n---\nHi.\n', 'a.ts': code }).map(({ code }) => code),
  ).toEqual(['hook-list', 'code-not-python']);
});

test('a chain of three thousand workflows has the schema of its last step', () => {
  const files: Record<string, string> = {
    'lead.md': '---\nagents: [w0]\n---\nHi.\n',
    'last.md': '---\nname: w3000\ntool_input_schema: {type: object, properties: {}}\n---\nHi.\n',
  };
  for (let i = 0; i < 3_000; i += 1) files[`w${i}.md`] = `---\ntype: chain\nname: w${i}\nsequence: [w${i + 1}]\n---\n`;
  const graph = projectGraph(readFolder(folderOf(files)));
  expect(graph.edges.find(({ source }) => source === 'agent:lead')?.marks).toEqual(['schema']);
});

test('aliases of one long text are refused', () => {
  const issues = issuesOf({
    'lead.md': `---\ndescription: &d ${'x'.repeat(100_000)}\nagents: [${'*d, '.repeat(10_000)}]\n---\nHi.\n`,
  });
  expect(issues.map(({ code }) => code)).toEqual(['yaml-alias']);
});

test('a position too far out to have a size is an issue', () => {
  const [issue] = issuesOf({
    'lead.md': '---\nname: lead\n---\nHi.\n',
    'callboard.yaml': 'version: 1\ncanvas: {positions: {"agent:lead": {x: 1.0e+300, y: 0}}}\n',
  });
  expect(issue?.code).toBe('settings-invalid');
});

test('all agents calling each other are some cycles, not millions', () => {
  const names = Array.from({ length: 60 }, (_, i) => `a${i}`);
  const files = Object.fromEntries(
    names.map((name) => [
      `${name}.md`,
      `---\nagents: [${names.filter((other) => other !== name).join(', ')}]\n---\nHi.\n`,
    ]),
  );
  const cycles = issuesOf(files).filter(({ code }) => code === 'cycle');
  expect(cycles).toHaveLength(200);
  expect(cycles.every(({ message }) => message.length < 300)).toBe(true);
});

test('names of objects are names of servers and references too', () => {
  const files = {
    'agent-cards/lead.md': '---\nservers: [constructor, __proto__]\nmodel: $__proto__.constructor\n---\nHi.\n',
    'fast-agent.yaml':
      'mcp: {servers: {constructor: {command: a}, __proto__: {command: b}}}\nmodel_references: {__proto__: {constructor: gpt-5}}\n',
  };
  expect(issuesOf(files)).toEqual([]);
  expect(projectGraph(readFolder(folderOf(files))).edges.map(({ target, marks }) => [target, marks])).toEqual([
    ['server:constructor', []],
    ['server:__proto__', []],
  ]);
});
