import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { AgentCard } from '@/lib/cards/card';
import { vscode } from '@/lib/cards/dialects/vscode/vscode';
import { folderOf } from '@/lib/cards/files';
import type { Folder } from '@/lib/cards/folder';
import { readFolder } from '@/lib/cards/project/read-folder';
import { exportForDialect } from './export-for-dialect';

const cards = {
  'agent-cards/lead.md':
    '---\nname: lead\ndefault: true\nmodel: claude-sonnet-4-5\nagents: [writer, chain]\nservers: [wiki]\nuse_history: false\n---\nYou lead {{currentDate}}.\n',
  'agent-cards/writer.md':
    '---\nname: writer\ndescription: "Writes: notes"\nservers: [wiki]\ntools: {wiki: [get_page]}\nshell: true\n---\nYou write.\n',
  'agent-cards/chain.md': '---\ntype: chain\nname: chain\nsequence: [writer]\n---\n',
  'fast-agent.yaml': 'default_model: haiku\nmcp:\n  servers:\n    wiki: {command: wiki, env: {KEY: "${WIKI_KEY}"}}\n',
  'callboard.yaml': 'version: 1\nlimits: {max_depth: 3}\n',
  'docs/page.md': 'A page.\n',
};

test('AgentCards become files of VS Code, and the report names what is lost', () => {
  const { folder, report } = exportForDialect(folderOf(cards), vscode);
  expect([...folder.keys()].sort()).toEqual([
    '.github/agents/lead.agent.md',
    '.github/agents/writer.agent.md',
    '.vscode/mcp.json',
    'docs/page.md',
  ]);
  expect(textIn(folder, '.github/agents/writer.agent.md')).toBe(
    '---\ndescription: "Writes: notes"\ntools: [wiki/get_page, execute]\n---\nYou write.\n',
  );
  expect(JSON.parse(textIn(folder, '.vscode/mcp.json'))).toEqual({
    servers: { wiki: { command: 'wiki', env: { KEY: '${env:WIKI_KEY}' } } },
  });
  expect(report.problems).toEqual([]);
  expect(report.notes.map(({ kind, file, line }) => `${kind} ${file}:${line}`)).toEqual([
    'lost agent-cards/chain.md:2',
    'differs agent-cards/lead.md:3',
    'lost agent-cards/lead.md:5',
    'lost agent-cards/lead.md:7',
    'differs agent-cards/lead.md:9',
    'lost callboard.yaml:2',
    'lost fast-agent.yaml:1',
  ]);
  expect(readFolder(folder).cards.map(({ name }) => name)).toEqual(['lead', 'writer', 'agent']);
});

test('agents of Claude Code become agents of VS Code with the same rights, and main keeps its text', () => {
  const claude = {
    'CLAUDE.md': 'Be brief.\n',
    '.mcp.json': '{"mcpServers": {"wiki": {"command": "wiki"}}}',
    '.claude/agents/a.md':
      '---\nname: a\ndescription: Does it.\ntools: mcp__wiki__get_page, Bash\ncolor: red\n---\nA.\n',
  };
  const { folder, report } = exportForDialect(folderOf(claude), vscode);
  expect(readFolder(folder).dialect).toBe('vscode');
  expect(said(folder)).toMatchObject({
    agent: { instruction: 'Be brief.', agents: ['a'] },
    a: { servers: ['wiki'], tools: { wiki: ['get_page'] }, shell: true, instruction: 'A.' },
  });
  expect(report.notes.map(({ message }) => message)).toEqual([
    "'color' of 'a': A custom agent has no place for 'color'.",
  ]);
});

test('a folder of VS Code is exported byte for byte', () => {
  const own = folderOf({ '.github/agents/a.agent.md': '---\r\ntools: [read]  # few\r\nodd: 1\r\n---\r\nA.\r\n' });
  expect(exportForDialect(own, vscode)).toEqual({ folder: own, report: { notes: [], problems: [] } });
});

const names = ['ann', 'ben', 'cleo'] as const;
const agent = fc.record({
  description: fc.option(fc.constantFrom('Writes: notes', "It's here", '[odd', 'Ends # here'), { nil: undefined }),
  model: fc.option(fc.constantFrom('haiku', 'gpt-5', 'claude-opus-4-5'), { nil: undefined }),
  servers: fc.subarray(['wiki', 'tracker']),
  filter: fc.subarray(['get_page', 'list_*'], { minLength: 1 }),
  isNarrowed: fc.boolean(),
  shell: fc.boolean(),
  tool_only: fc.boolean(),
  instruction: fc.constantFrom('', 'You work.', 'One\n\nTwo {one}'),
});

test('what VS Code can say of a card is the same after the export, and after a second one', () => {
  fc.assert(
    fc.property(fc.tuple(agent, agent, agent), fc.boolean(), (all, calls) => {
      const files = Object.fromEntries(
        all.map(({ instruction, filter, isNarrowed, ...fields }, index) => {
          const name = names[index] ?? '';
          const tools = isNarrowed && fields.servers.includes('wiki') ? { tools: { wiki: filter } } : {};
          const agents = calls && index === 0 ? { agents: ['ben', 'cleo'] } : {};
          const front = JSON.stringify({ name, ...fields, ...tools, ...agents });
          return [`agent-cards/${name}.md`, `---\n${front}\n---\n${instruction}\n`];
        }),
      );
      const before = folderOf({
        ...files,
        'fast-agent.yaml': 'mcp: {servers: {wiki: {command: x}, tracker: {url: "https://t.example/mcp"}}}\n',
      });
      const { folder, report } = exportForDialect(before, vscode);
      expect(report).toEqual({ notes: [], problems: [] });
      const { agent: _, ...after } = said(folder);
      expect(after).toEqual(said(before));
      expect(exportForDialect(folder, vscode).folder).toEqual(folder);
    }),
    { numRuns: 12 },
  );
});

/** What both formats can say of each agent. */
function said(folder: Folder): Readonly<Record<string, unknown>> {
  const { cards: all } = readFolder(folder);
  return Object.fromEntries(
    all
      .filter((card): card is AgentCard => card.type === 'agent')
      .map(({ name, description, model, servers, tools, shell, toolOnly, agents, instruction }) => [
        name,
        {
          description,
          model,
          servers: [...servers].sort(),
          tools,
          shell,
          toolOnly,
          agents,
          instruction: instruction ?? '',
        },
      ]),
  );
}

function textIn(folder: Folder, path: string): string {
  const file = folder.get(path);
  return file?.kind === 'text' ? file.text : '';
}
