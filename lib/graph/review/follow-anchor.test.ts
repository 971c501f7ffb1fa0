import { expect, test } from 'vitest';
import { folderOf } from '@/lib/cards/files';
import { readFolder } from '@/lib/cards/project/read-folder';
import type { ReviewAnchor } from './anchor';
import { anchoredText, followAnchors } from './follow-anchor';

const project = (files: Readonly<Record<string, string>>) => {
  const folder = folderOf(files);
  return { folder, parsed: readFolder(folder) };
};
const writer =
  '---\nname: writer\nmodel: passthrough\n---\nWrite.\nUse short sentences.\nName each source.\nEnd with a list of open questions.\n';
const files = {
  'lead.md':
    '---\nname: lead\nmodel: passthrough\nagents: [writer]\nfunction_tools: [tools.ts:send]\ntool_hooks: [hooks.ts:audit]\n---\nLead.\n',
  'writer.md': writer,
  'tools.ts': 'export function send() {\n  return 1;\n}\n',
  'hooks.ts': 'export function audit(ctx, args, next) {\n  return next(args);\n}\n',
  'fast-agent.yaml': 'mcp:\n  servers:\n    clock:\n      command: clock\n',
};
const anchors: readonly ReviewAnchor[] = [
  { kind: 'review' },
  { kind: 'line', file: 'lead.md', from: 8, to: 8 },
  { kind: 'agent', agent: 'writer' },
  { kind: 'hook', agent: 'lead', hook: 'hooks.ts:audit' },
  { kind: 'tool', agent: 'lead', tool: 'send' },
  { kind: 'edge', from: 'lead', to: 'writer' },
  { kind: 'field', agent: 'lead', field: 'function_tools' },
  { kind: 'server', server: 'clock' },
];

/** Returns the kinds whose anchors are lost. */
function lost(after: Readonly<Record<string, string>>): readonly string[] {
  const found = followAnchors(project(files), project(after), anchors);
  return anchors.flatMap(({ kind }, index) => (found[index] === null ? [kind] : []));
}

test('a comment becomes outdated when what it is about changes, and no other one does', () => {
  expect(lost(files)).toEqual([]);
  expect(lost({ ...files, 'writer.md': writer.replace('Write.', 'Write more.') })).toEqual(['agent']);
  expect(lost({ ...files, 'hooks.ts': files['hooks.ts'].replace('next(args)', 'null') })).toEqual(['hook']);
  expect(lost({ ...files, 'tools.ts': files['tools.ts'].replace('1', '2') })).toEqual(['tool']);
  expect(lost({ ...files, 'lead.md': files['lead.md'].replace('agents: [writer]\n', '') })).toEqual(['edge']);
  expect(lost({ ...files, 'lead.md': files['lead.md'].replace('Lead.', 'Lead!') })).toEqual(['line']);
  expect(lost({ ...files, 'fast-agent.yaml': files['fast-agent.yaml'].replace(': clock', ': watch') })).toEqual([
    'server',
  ]);
  expect(lost({ 'readme.md': 'x' })).toEqual(['line', 'agent', 'hook', 'tool', 'edge', 'field', 'server']);
});

test('comments follow an agent and a file that are renamed', () => {
  const { 'writer.md': _, ...rest } = files;
  const renamed = {
    ...rest,
    'lead.md': files['lead.md'].replace('[writer]', '[author]'),
    'author.md': writer.replace('name: writer', 'name: author'),
  };
  const about: readonly ReviewAnchor[] = [
    { kind: 'agent', agent: 'writer' },
    { kind: 'edge', from: 'lead', to: 'writer' },
    { kind: 'line', file: 'writer.md', from: 5, to: 5 },
  ];
  expect(followAnchors(project(files), project(renamed), about)).toEqual([
    { kind: 'agent', agent: 'author' },
    { kind: 'edge', from: 'lead', to: 'author' },
    { kind: 'line', file: 'author.md', from: 5, to: 5 },
  ]);
});

test('what a folder does not have cannot be commented on', () => {
  const here = project(files);
  for (const anchor of [
    { kind: 'line', file: 'lead.md', from: 99, to: 99 },
    { kind: 'agent', agent: 'nobody' },
    { kind: 'hook', agent: 'lead', hook: 'hooks.ts:other' },
    { kind: 'edge', from: 'writer', to: 'lead' },
  ] as const) {
    expect([anchor, anchoredText(here, anchor)]).toEqual([anchor, undefined]);
  }
});
