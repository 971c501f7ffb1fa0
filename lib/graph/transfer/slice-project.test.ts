import { describe, expect, test } from 'vitest';
import { folderOf } from '@/lib/cards/files';
import { readFolder } from '@/lib/cards/project/read-folder';
import { hookChain } from '@/lib/graph/hook-chain';
import { pair, pairFiles, read, sliceOf, source } from '@/lib/testing/pasted-pair';
import { findClashes, mergeSlice } from './merge-slice';
import { sliceFolder, sliceProject } from './slice-project';

describe('what belongs to agents', () => {
  test('is all that they need, and nothing of others', () => {
    expect([...pair().folder.keys()].sort()).toEqual([
      'agent-cards/helper.md',
      'agent-cards/lead.md',
      'audit.ts',
      'callboard.yaml',
      'fast-agent.yaml',
      'hooks.ts',
      'log.ts',
      'rules.md',
      'skills/style/SKILL.md',
      'tools.ts',
    ]);
    const { config, settings } = readFolder(pair().folder);
    expect(Object.keys(config.servers)).toEqual(['time']);
    expect(settings.approvals.agents).toEqual({ helper: 'ask' });
    expect(settings.delegations).toEqual({ lead: { helper: expect.objectContaining({ timeout_ms: 5000 }) } });
  });

  test('comes with the switches of its hooks', () => {
    const folder = new Map(source);
    const text = pairFiles['callboard.yaml']
      .replace('[audit.ts:note, {clamp: {argument: a, max: 3}}]', '[{code: audit.ts:note, enabled: false}]')
      .concat('hooks_off:\n  lead: {tool_hooks: ["../hooks.ts:guard"]}\n  stranger: {on_start: "../hooks.ts:guard"}\n');
    folder.set('callboard.yaml', { kind: 'text', text });
    const slice = sliceOf(read(folder), new Set(['agent-cards/lead.md', 'agent-cards/helper.md']), new Set());
    const here = folderOf({
      'agent-cards/lead.md': '---\nname: lead\n---\nLead.\n',
      'hooks.ts': 'export const other = 1;\n',
    });
    const merged = mergeSlice(read(here), slice);
    if (!merged.ok) throw new Error(merged.error.message);
    const after = new Map(here);
    for (const [path, file] of merged.value.files) after.set(path, file);
    const parsed = readFolder(after);
    const off = parsed.cards.flatMap((card) =>
      hookChain(card, parsed).map((entry) => `${card.name} ${entry.name} ${entry.off ? 'off' : 'on'}`),
    );
    expect(off.sort()).toEqual(['helper note off', expect.stringMatching(/^lead-?\w* guard off$/)]);
    expect(JSON.stringify(parsed.settings.hooks_off)).not.toContain('stranger');
  });

  test('can be opened as a project of its own', () => {
    const serious = readFolder(pair().folder).issues.filter(({ severity }) => severity === 'error');
    expect(serious.filter(({ message }) => !message.includes("'stranger'"))).toEqual([]);
  });

  test('does not have what a secrets file or bytes say, and names it', () => {
    const folder = new Map(source);
    folder.set('fastagent.secrets.yaml', { kind: 'text', text: 'mcp: {servers: {time: {headers: {a: hidden}}}}\n' });
    folder.set('skills/style/logo.png', { kind: 'stored', hash: 'ab', size: 9 });
    const slice = sliceOf(read(folder), new Set(['agent-cards/lead.md']), new Set());
    expect(slice.beside).toMatchObject({ files: ['skills/style/logo.png'], secrets: ['time'] });
    expect(JSON.stringify([...slice.folder])).not.toContain('hidden');
    const merged = mergeSlice(read(new Map()), slice);
    expect(merged.ok && merged.value.missing).toEqual([
      expect.stringContaining('skills/style/logo.png'),
      expect.stringContaining("secrets of server 'time'"),
      expect.stringContaining("'helper'"),
      expect.stringContaining("'stranger'"),
    ]);
  });
});

test('a whole folder comes with its other files, servers that nobody uses and bytes, but without secrets', () => {
  const folder = new Map(folderOf({ ...pairFiles, 'README.md': 'Read.\n', '.env': 'KEY=hidden\n' }));
  folder.set('logo.png', { kind: 'stored', hash: 'ab', size: 2 });
  const sliced = sliceFolder(read(folder));
  if (!sliced.ok) throw new Error(sliced.error.message);
  const slice = sliced.value;
  expect(findClashes(read(new Map([['logo.png', { kind: 'stored', hash: 'cd', size: 2 }]])), slice)).toEqual([
    { kind: 'file', name: 'logo.png' },
  ]);
  const merged = mergeSlice(read(new Map()), slice);
  if (!merged.ok) throw new Error(merged.error.message);
  expect([...merged.value.files.keys()].sort()).toEqual([...folder.keys()].filter((path) => path !== '.env').sort());
  expect(merged.value.files.get('logo.png')).toEqual({ kind: 'stored', hash: 'ab', size: 2 });
  expect([merged.value.servers.toSorted(), merged.value.missing]).toEqual([
    ['other', 'time'],
    [expect.stringContaining("'.env'")],
  ]);
});

describe('a file that cannot be read and has parts of what is copied', () => {
  const card = '---\nname: a\nservers: [time]\n---\nWork.\n';
  const guarded = {
    'agent-cards/a.md': card,
    'callboard.yaml': 'version: 1\nagent_hooks: {a: [{block: {}}]}\napprovals: {agents: {a: ask}}\n',
    'fast-agent.yaml': 'mcp: {servers: {time: {command: x}}}\n',
  };
  const take = (more: Record<string, string>) => {
    const project = read(folderOf({ ...guarded, ...more }));
    return [sliceProject(project, new Set(['agent-cards/a.md']), new Set()), sliceFolder(project)];
  };

  test.each([
    ['callboard.yaml', `${guarded['callboard.yaml']}limits: [\n`, 4],
    ['fast-agent.yaml', `${guarded['fast-agent.yaml']}default_model: [\n`, 2],
    ['fastagent.secrets.yaml', 'mcp: [\n', 1],
    ['agent-cards/a.md', '---\nname: a\nagents: [\n---\nWork.\n', 3],
  ])('refuses the copy: %s', (file, text, line) => {
    for (const slice of take({ [file]: text })) {
      expect(slice).toMatchObject({ ok: false, error: { file } });
      if (slice.ok) continue;
      expect(slice.error.message).toMatch(
        new RegExp(`^${file} cannot be read \\(line [${line}${line + 1}]\\) and has parts`),
      );
    }
  });

  test('what belongs to no agent does not matter', () => {
    const post = { 'docs/post.md': '---\ntitle: a: b\n---\nHello.\n', 'old/fastagent.secrets.yaml': 'mcp: [\n' };
    const [slice, whole] = take(post);
    expect([slice?.ok, whole?.ok]).toEqual([true, true]);
    if (whole?.ok) expect(whole.value.folder.has('docs/post.md')).toBe(true);
  });

  test('a secrets file matters only for servers', () => {
    const [slice] = take({ 'agent-cards/a.md': '---\nname: a\n---\n', 'fastagent.secrets.yaml': 'mcp: [\n' });
    expect(slice?.ok).toBe(true);
  });

  test('refuses the paste of agents, also here and in a text from elsewhere', () => {
    const slice = sliceOf(read(folderOf(guarded)), new Set(['agent-cards/a.md']), new Set());
    const broken = folderOf({ 'callboard.yaml': 'version: 1\nagent_hooks: [\n' });
    expect(mergeSlice(read(broken), slice)).toMatchObject({ ok: false, error: { file: 'callboard.yaml' } });
    const torn = new Map([...slice.folder, ['callboard.yaml', { kind: 'text', text: 'approvals: [' }] as const]);
    const merged = mergeSlice(read(new Map()), { ...slice, folder: torn });
    expect(merged).toMatchObject({ ok: false, error: { file: 'callboard.yaml' } });
  });
});
