import { expect, test } from 'vitest';
import { folderOf } from '@/lib/cards/files';
import { readFolder } from '@/lib/cards/project/read-folder';
import { projectGraph } from '@/lib/graph/project';
import { partsIn, partsRenamedBy } from './parts-of-files';

const files = folderOf({
  'cards/lead.md': '---\nname: lead\nagents: [writer]\ntool_hooks: [../hooks.ts:audit]\n---\nLead.\n',
  'cards/writer.md':
    '---\nservers: [mail]\nfunction_tools: [../hooks.ts:count]\nskills: [skills/letters, skills/plain]\n---\nWrite.\n',
  'hooks.ts':
    'export function audit(ctx, args, next) {\n  return next(args);\n}\nexport function count() {\n  return 1;\n}\n',
  'skills/letters/SKILL.md': '---\nname: letters\ndescription: Letters\n---\n',
  'skills/letters/form.txt': 'Dear',
  'skills/plain/SKILL.md': '---\ndescription: Plain\n---\n',
  'fast-agent.yaml': 'mcp:\n  servers:\n    mail: { url: "https://mail.example.org/mcp" }\n',
  'callboard.yaml': 'version: 1\nagent_hooks:\n  lead:\n    - redact: { keys: [password] }\n',
  'notes.md.txt': 'Nothing.',
});
const parsed = readFolder(files);
const graph = projectGraph(parsed);
const words = (parts: readonly { readonly kind: string; readonly name: string }[]) =>
  parts.map(({ kind, name }) => `${kind} ${name}`).sort();
const goneWith = (...paths: readonly string[]) => words(partsIn(files, parsed, graph, paths));
const renamedBy = (moves: Readonly<Record<string, string>>) =>
  words(partsRenamedBy(files, parsed, graph, new Map(Object.entries(moves))));

test('files that are deleted take their agents, code, skills, servers and hooks with them', () => {
  expect(goneWith('cards/lead.md')).toEqual(['agent lead']);
  expect(goneWith('hooks.ts')).toEqual(['hook hooks.ts:audit', 'tool hooks.ts:count']);
  expect(goneWith('skills/letters/SKILL.md')).toEqual(['skill letters']);
  expect(goneWith('skills/letters/form.txt')).toEqual(['skill letters']);
  expect(goneWith('fast-agent.yaml')).toEqual(['server mail']);
  expect(goneWith('callboard.yaml')).toEqual(['hook redact']);
  expect(goneWith('notes.md.txt', 'no-such-file.ts')).toEqual([]);
});

test('files that move rename parts that are named by their path, and no part with a name inside the file', () => {
  expect(renamedBy({ 'hooks.ts': 'lib/hooks.ts' })).toEqual(['hook hooks.ts:audit', 'tool hooks.ts:count']);
  expect(renamedBy({ 'cards/lead.md': 'cards/head.md' })).toEqual([]);
  expect(renamedBy({ 'cards/writer.md': 'cards/author.md' })).toEqual(['agent writer']);
  expect(renamedBy({ 'cards/writer.md': 'agents/writer.md' })).toEqual([]);
  expect(renamedBy({ 'skills/plain/SKILL.md': 'skills/easy/SKILL.md' })).toEqual(['skill plain']);
  expect(renamedBy({ 'skills/letters/SKILL.md': 'skills/post/SKILL.md' })).toEqual([]);
  expect(renamedBy({ 'hooks.ts': 'hooks.ts', 'fast-agent.yaml': 'sub/fast-agent.yaml' })).toEqual([]);
});
