import { describe, expect, test } from 'vitest';
import { folderOf } from '@/lib/cards/files';
import { readFolder } from '@/lib/cards/project/read-folder';
import { pasteCards, read, sliceOf } from '@/lib/testing/pasted-pair';
import { type ClashAnswer, findClashes, mergeSlice } from './merge-slice';

describe('files and cards of the same name both stay', () => {
  const card = (name: string, more = '') => `---\nname: ${name}\n${more}---\nWork.\n`;
  const settings = (text: string) => ({ 'callboard.yaml': `version: 1\n${text}` });

  test('a card that is named by its file keeps its name when its path is taken', () => {
    const there = {
      'agent-cards/helper.md': '---\ndescription: x\n---\nHelp.\n',
      ...settings('approvals: {agents: {helper: deny}}\n'),
    };
    const { agents, cards } = pasteCards(there, ['helper'], { 'agent-cards/helper.md': card('assistant') });
    expect([agents, cards.map(({ name }) => name).sort()]).toEqual([['helper'], ['assistant', 'helper']]);
  });

  test('a file that names another one that differs comes too, and Python modules and skills as a whole', () => {
    const there = {
      'agent-cards/a.md': card(
        'a',
        'function_tools: [../tools.py:f]\ntool_hooks: [../hooks.ts:guard]\nskills: [skills/style]\n',
      ),
      'hooks.ts': "import { log } from './log';\nexport const guard = log;\n",
      'log.ts': 'export const log = 1;\n',
      'tools.py': 'from lib import f\n',
      'lib.py': 'def f(): pass\n',
      'skills/style/SKILL.md': '---\nname: style\ndescription: s\n---\nMine. See ref.md.\n',
      'skills/style/ref.md': 'Mine.\n',
    };
    const here = {
      ...there,
      'log.ts': 'export const log = 2;\n',
      'lib.py': 'def f(): return 1\n',
      'skills/style/ref.md': 'Theirs.\n',
    };
    const { folder, cards } = pasteCards(there, ['a'], here);
    const text = (path: string) => folder.get(path);
    expect(text('hooks-2.ts')).toEqual({
      kind: 'text',
      text: "import { log } from './log-2';\nexport const guard = log;\n",
    });
    expect(text('tools_2.py')).toEqual({ kind: 'text', text: 'from lib_2 import f\n' });
    expect(text('skills/style-2/ref.md')).toEqual({ kind: 'text', text: 'Mine.\n' });
    expect(cards.find(({ name }) => name === 'a-2')).toMatchObject({
      skills: ['skills/style-2'],
      toolHooks: { chain: [{ file: 'hooks-2.ts' }] },
      functionTools: [{ file: 'tools_2.py' }],
    });
  });

  test('a file that comes along does not take the path of a card', () => {
    const there = {
      'agent-cards/lead.md': card('rules').replace('Work.', '{{file:agent-cards/rules.md}}'),
      'agent-cards/rules.md': 'Be kind.\n',
    };
    const { cards } = pasteCards(there, ['lead'], { 'agent-cards/lead.md': card('lead') });
    expect(cards.map(({ name }) => name).sort()).toEqual(['lead', 'rules']);
  });

  test('a server that only a secrets file or a faulty entry has is asked about', () => {
    const there = {
      'agent-cards/a.md': card('a', 'servers: [time]\n'),
      'fast-agent.yaml': 'mcp: {servers: {time: {command: x}}}\n',
    };
    const slice = sliceOf(read(folderOf(there)), new Set(['agent-cards/a.md']), new Set());
    const clash = [{ kind: 'server', name: 'time' }];
    const secret = { 'fastagent.secrets.yaml': 'mcp: {servers: {time: {headers: {a: b}}}}\n' };
    expect(findClashes(read(folderOf(secret)), slice)).toEqual(clash);
    expect(
      findClashes(read(folderOf({ 'fast-agent.yaml': 'mcp: {servers: {time: {env: {A: b}}}}\n' })), slice),
    ).toEqual(clash);
  });

  test('files with secrets and configs stay behind, and are named', () => {
    const there = {
      'agent-cards/a.md': card('a', 'servers: [s]\n'),
      'fast-agent.yaml': 'mcp: {servers: {s: {command: node, args: [s.mjs]}}}\n',
      's.mjs': '',
      '.env': 'KEY=hidden\n',
    };
    const slice = sliceOf(read(folderOf(there)), new Set(['agent-cards/a.md']), new Set());
    expect(JSON.stringify([...slice.folder])).not.toContain('hidden');
    expect(slice.beside.files).toContain('.env');
  });
});

describe('a file that this project has in another case', () => {
  const there = {
    'agent-cards/a.md': '---\nname: a\nfunction_tools: [../tools.ts:add]\n---\nAdd.\n',
    'tools.ts': 'export const add = () => 1;\n',
  };
  const slice = () => sliceOf(read(folderOf(there)), new Set(['agent-cards/a.md']), new Set());
  const pasteInto = (here: Record<string, string>, answers?: ReadonlyMap<string, ClashAnswer>) => {
    const merged = mergeSlice(read(folderOf(here)), slice(), answers);
    if (!merged.ok) throw new Error(merged.error.message);
    const after = new Map([...folderOf(here), ...merged.value.files]);
    const parsed = readFolder(after);
    expect(parsed.issues.map(({ code }) => code)).not.toContain('path-clash');
    const card = parsed.cards.find(({ name }) => name === 'a');
    return [[...after.keys()].sort(), card?.type === 'agent' && card.functionTools.map(({ file }) => file)];
  };
  const other = { 'Tools.ts': 'export const add = () => 2;\n' };

  test('is asked about if it differs, and both stay without a clash', () => {
    expect(findClashes(read(folderOf(other)), slice())).toEqual([{ kind: 'file', name: 'tools.ts' }]);
    expect(pasteInto(other)).toEqual([['Tools.ts', 'agent-cards/a.md', 'tools-2.ts'], ['tools-2.ts']]);
  });

  test('is used if a person says so, or if it is the same', () => {
    const used = [['Tools.ts', 'agent-cards/a.md'], ['Tools.ts']];
    expect(pasteInto(other, new Map([['file tools.ts', 'here']]))).toEqual(used);
    const same = { 'Tools.ts': there['tools.ts'] };
    expect(findClashes(read(folderOf(same)), slice())).toEqual([]);
    expect(pasteInto(same)).toEqual(used);
  });
});
