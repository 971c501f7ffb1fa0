import { expect, test } from 'vitest';
import type { Folder } from '@/lib/cards/folder';
import { textFile } from './document';
import { type Found, findInProject, mostCounted } from './find';
import { drawPicture } from './picture';

const folder = (files: Record<string, string>): Folder =>
  new Map(Object.entries(files).map(([path, text]) => [path, textFile(text)]));

function find(files: Folder, query: string): Record<string, string[]> {
  const groups = findInProject(files, drawPicture(files, undefined), query);
  return Object.fromEntries(groups.map(({ kind, found }) => [kind, found.map(words)]));
}

function words(found: Found): string {
  switch (found.is) {
    case 'node':
      return found.id;
    case 'hook':
      return `${found.name} of ${found.agent}`;
    case 'line':
      return `${found.file}:${found.line}:${found.column} ${found.text.slice(0, found.from)}[${found.text.slice(found.from, found.to)}]${found.text.slice(found.to)}`;
  }
}

const project = folder({
  'agent-cards/audit.md':
    '---\nname: audit\ndescription: Audits\ntool_hooks: [h.py:audit_hook]\n---\nFirst.\nDo an AUDIT twice: audit.\n',
  'agent-cards/h.py': 'async def audit_hook(ctx, args, next):\n    return await next(args)\n',
  'fast-agent.yaml': 'mcp:\n  servers:\n    audit-log: { command: node, args: [log.mjs] }\n',
  'notes.txt': 'nothing\n  about audits\n',
});

test('finds names, prompts, settings, code and other files, each in its group with its line', () => {
  expect(find(project, ' audit ')).toEqual({
    names: ['agent:audit', 'server:audit-log', 'h.py:audit_hook of audit'],
    prompts: ['agent-cards/audit.md:7:7 Do an [AUDIT] twice: audit.'],
    settings: [
      'agent-cards/audit.md:2:7 name: [audit]',
      'agent-cards/audit.md:3:14 description: [Audit]s',
      'agent-cards/audit.md:4:19 tool_hooks: [h.py:[audit]_hook]',
      'fast-agent.yaml:3:5 [audit]-log: { command: node, args: [log.mjs] }',
    ],
    code: ['agent-cards/h.py:1:11 async def [audit]_hook(ctx, args, next):'],
    other: ['notes.txt:2:9 about [audit]s'],
  });
});

test('signs of patterns are text, and nothing is found for nothing', () => {
  expect(find(project, '(ctx, args')).toEqual({
    code: ['agent-cards/h.py:1:21 async def audit_hook[(ctx, args], next):'],
  });
  expect(find(project, '.*')).toEqual({});
  expect(find(project, '  ')).toEqual({});
});

test('a long line is cut around the match', () => {
  const found = find(folder({ 'a.txt': `${'x'.repeat(500)} needle ${'y'.repeat(500)}` }), 'needle');
  expect(found.other).toEqual([`a.txt:1:502 …${'x'.repeat(29)} [needle] ${'y'.repeat(89)}…`]);
});

test('many matches are counted up to a limit, and the first are listed', () => {
  const files = folder({ 'a.txt': 'word\n'.repeat(5_000), 'b.py': 'word = 1\n'.repeat(40) });
  const groups = findInProject(files, drawPicture(files, undefined), 'word');
  expect(groups.map(({ kind, found, total }) => [kind, found.length, total])).toEqual([
    ['code', 30, 40],
    ['other', 30, mostCounted],
  ]);
});
