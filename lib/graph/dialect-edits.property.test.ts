import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { AgentCard } from '@/lib/cards/card';
import { claudeCode } from '@/lib/cards/dialects/claude-code/claude-code';
import { namesIn } from '@/lib/cards/dialects/claude-code/tool-names';
import { dialectFormOf } from '@/lib/cards/dialects/find-dialect';
import { openDialectText } from '@/lib/cards/dialects/open-text';
import { renameServer } from '@/lib/cards/edit/rename-server';
import { folderOf } from '@/lib/cards/files';
import type { Folder } from '@/lib/cards/folder';
import { readFolder } from '@/lib/cards/project/read-folder';
import { addAgent, type Command, renameAgent, setField, setInstruction } from '@/lib/graph/commands';
import { projectGraph } from '@/lib/graph/project';
import { removeNodes } from '@/lib/graph/removal';
import { connect, disconnect } from '@/lib/graph/wires';

const word = fc
  .stringMatching(/^[a-z][a-z0-9-]{0,8}$/)
  .filter((text) => !['null', 'true', 'false', 'yes', 'no', 'on', 'off', 'y', 'n', 'main'].includes(text));
const sentence = fc.constantFrom(
  'Writes notes.',
  'Use it when: a release is near',
  '"Quoted: text"',
  "It's here",
  '- Starts oddly',
  'Ends with blanks  ',
  '[a list, perhaps',
  '% odd',
);
const toolName = fc.constantFrom(
  'Read',
  'Bash',
  'Bash(git:*)',
  'mcp__tracker',
  'mcp__wiki__get_page',
  'mcp__wiki__*',
  'Agent(a, b)',
  'WebFetch',
);

const lines = fc.record(
  {
    tools: fc.oneof(
      fc.array(toolName, { minLength: 1, maxLength: 4 }).map((names) => `tools: ${names.join(', ')}`),
      fc.uniqueArray(toolName, { minLength: 1, maxLength: 3 }).map((names) => `tools: ${JSON.stringify(names)}`),
      fc
        .uniqueArray(toolName, { minLength: 1, maxLength: 3 })
        .map((names) => `tools:\n${names.map((name) => `  - ${name}`).join('\n')}`),
    ),
    disallowed: fc.constantFrom('disallowedTools: Write', 'disallowedTools: [mcp__wiki]'),
    model: fc.constantFrom('model: inherit', 'model: sonnet   # ours', 'model: "haiku"'),
    skills: fc.constantFrom('skills: house-style, facts', 'skills:\n  - facts'),
    servers: fc.constantFrom('mcpServers: [tracker]', 'mcpServers:\n  - wiki\n  - own: {command: x}'),
    turns: fc.constantFrom('maxTurns: 3'),
    color: fc.constantFrom('color: red', '# a comment\ncolor: blue'),
    odd: fc.constantFrom('odd-key: {a: [1, 2]}', 'hooks:\n  Stop:\n    - hooks: [{type: command, command: ./x.sh}]'),
  },
  { requiredKeys: [] },
);

/** A file of an agent, with its fields in any order and either line end. */
const agentFile = fc
  .record({
    description: sentence,
    fields: lines,
    order: fc.array(fc.nat(), { minLength: 12, maxLength: 12 }),
    eol: fc.constantFrom('\n', '\r\n'),
    body: fc.constantFrom('', 'You work.\n', '\n\nYou {{fill}} in.\n\n## End', '---\nA rule above.\n'),
  })
  .map(({ description, fields, order, eol, body }) => ({
    of: (name: string) => {
      const own = [`name: ${name}`, `description: ${description}`, ...Object.values(fields)];
      const mixed = own.map((line, index) => [order[index] ?? 0, line] as const).sort(([a], [b]) => a - b);
      return `---\n${mixed.map(([, line]) => line).join('\n')}\n---\n${body}`.replaceAll('\n', eol);
    },
  }));

const project = fc
  .record({
    agents: fc.dictionary(word, agentFile, { minKeys: 1, maxKeys: 4 }),
    rules: fc.option(fc.constantFrom('', '# Rules\n\nBe {{brief}}.\n', 'One line')),
  })
  .map(({ agents, rules }) => ({
    ...Object.fromEntries(Object.entries(agents).map(([name, file]) => [`.claude/agents/${name}.md`, file.of(name)])),
    ...(rules === null ? {} : { 'CLAUDE.md': rules }),
    '.mcp.json': '{"mcpServers": {"tracker": {"command": "x"}, "wiki": {"command": "y"}}}\n',
  }));

/** A change of a field, with the value that the agent then has. `must`: it can always be said. */
const change = fc.constantFrom<Change>(
  { field: 'description', value: 'Something: else', must: true },
  { field: 'model', value: 'opus', must: true },
  { field: 'model', value: undefined, must: true },
  { field: 'skills', value: ['.claude/skills/new'], must: true },
  { field: 'servers', value: ['tracker'], must: false },
  { field: 'shell', value: true, must: false },
);

interface Change {
  readonly field: 'description' | 'model' | 'skills' | 'servers' | 'shell';
  readonly value: string | boolean | string[] | undefined;
  readonly must: boolean;
}

/** The fields of a file that say a field of a card, and the names in `tools` that do. */
const writtenAs: Readonly<Record<Change['field'], { readonly fields: readonly string[]; readonly names: RegExp }>> = {
  description: { fields: ['description'], names: /$^/ },
  model: { fields: ['model'], names: /$^/ },
  servers: { fields: ['tools', 'mcpServers'], names: /^mcp__/ },
  shell: { fields: ['tools'], names: /^Bash$/ },
  skills: { fields: ['skills'], names: /$^/ },
};

test('a change of one field gives the agent its value and changes only the lines of that field', () => {
  fc.assert(
    fc.property(project, change, fc.nat(), (files, { field, value, must }, pick) => {
      const { folder, parsed, card } = opened(files, pick);
      const changed = setField(folder, parsed, card.name, [field], value);
      if (!must && !changed.ok) return;
      if (!changed.ok) throw new Error(changed.error.message);
      expect([...changed.value.keys()].filter((path) => path !== card.file)).toEqual([]);
      const before = textIn(folder, card.file);
      const now = after(folder, changed);
      const text = textIn(now, card.file);
      const { fields, names } = writtenAs[field];
      expect(linesBut(text, fields)).toEqual(linesBut(before, fields));
      const isKept = (name: string) => !names.test(name);
      expect(toolsOf(text).filter(isKept)).toEqual(toolsOf(before).filter(isKept));
      // An agent without 'tools' has every server, whatever else its file says.
      if (field !== 'servers' || hasTools(text)) expect(agentIn(now, card.name)[field]).toEqual(value);
    }),
    { numRuns: 30 },
  );
});

test('what no field of the file can say is refused', () => {
  fc.assert(
    fc.property(project, fc.nat(), (files, pick) => {
      const { folder, parsed, card } = opened(files, pick);
      expect(setField(folder, parsed, card.name, ['use_history'], false).ok).toBe(false);
      if (!hasTools(textIn(folder, card.file)))
        expect(setField(folder, parsed, card.name, ['shell'], true).ok).toBe(false);
    }),
    { numRuns: 20 },
  );
});

const server = fc.constantFrom('tracker', 'wiki');

test('a wire to a server is drawn and removed, and every other name stays', () => {
  fc.assert(
    fc.property(project, server, fc.nat(), (files, name, pick) => {
      const { folder, parsed, card } = opened(files, pick);
      const graph = projectGraph(parsed);
      const before = textIn(folder, card.file);
      const [source, target] = [`agent:${card.name}` as const, `server:${name}` as const];
      const wire = graph.edges.find((edge) => edge.source === source && edge.target === target);
      const changed =
        wire === undefined
          ? connect(folder, parsed, graph, source, target)
          : disconnect(folder, parsed, graph, wire.id);
      const isDenied = name === 'wiki' && before.includes('disallowedTools: [mcp__wiki]');
      const canSay = hasTools(before) && !(wire === undefined && isDenied);
      if (canSay !== changed.ok) throw new Error(changed.ok ? 'It is refused.' : changed.error.message);
      if (!changed.ok) return;
      const now = after(folder, changed);
      expect(agentIn(now, card.name).servers.includes(name)).toBe(wire === undefined);
      const isOther = (one: string) => !one.startsWith(`mcp__${name}`);
      expect(toolsOf(textIn(now, card.file)).filter(isOther)).toEqual(toolsOf(before).filter(isOther));
      expect(linesBut(textIn(now, card.file), ['tools', 'mcpServers'])).toEqual(
        linesBut(before, ['tools', 'mcpServers']),
      );
    }),
    { numRuns: 30 },
  );
});

test('a renamed server has its agents and tools as before, and a removed one has none', () => {
  fc.assert(
    fc.property(project, server, (files, name) => {
      const { folder, parsed } = opened(files, 0);
      const renamed = after(folder, renameServer(folder, name, 'a.new one'));
      const removed = after(folder, removeNodes(folder, parsed, projectGraph(parsed), [`server:${name}`]));
      const to = (one: string) => (one === name ? 'a.new one' : one);
      for (const card of parsed.cards) {
        if (card.type !== 'agent') continue;
        const { servers, tools } = agentIn(renamed, card.name);
        expect([...servers].sort()).toEqual(card.servers.map(to).sort());
        expect(tools).toEqual(Object.fromEntries(Object.entries(card.tools).map(([one, names]) => [to(one), names])));
        expect(agentIn(removed, card.name).servers).not.toContain(name);
        if (card.file === 'CLAUDE.md') continue;
        const isOther = (one: string) => !one.startsWith(`mcp__${name}`);
        const before = toolsOf(textIn(folder, card.file));
        expect(toolsOf(textIn(removed, card.file)).filter(isOther)).toEqual(before.filter(isOther));
        expect(toolsOf(textIn(renamed, card.file))).toEqual(
          before.map((one) => one.replace(`mcp__${name}`, 'mcp__a_new_one')),
        );
      }
    }),
    { numRuns: 30 },
  );
});

function opened(files: Readonly<Record<string, string>>, pick: number) {
  const folder = folderOf(files);
  const parsed = readFolder(folder);
  expect(parsed.dialect).toBe(claudeCode.id);
  expect(parsed.unread.size).toBe(0);
  const agents = parsed.cards.filter(({ name }) => name !== 'main');
  const card = agents[pick % agents.length];
  if (card === undefined) throw new Error('There is an agent.');
  return { folder, parsed, card };
}

function after(folder: Folder, changed: Command): Folder {
  if (!changed.ok) throw new Error(changed.error.message);
  const next = new Map(folder);
  for (const [path, text] of changed.value) {
    if (text === null) next.delete(path);
    else next.set(path, { kind: 'text', text });
  }
  return next;
}

function textIn(folder: Folder, path: string): string {
  const file = folder.get(path);
  return file?.kind === 'text' ? file.text : '';
}

function agentIn(folder: Folder, name: string): AgentCard {
  const card = readFolder(folder).cards.find((one) => one.name === name);
  if (card?.type !== 'agent') throw new Error(`'${name}' is an agent.`);
  return card;
}

function hasTools(text: string): boolean {
  return /^tools:/m.test(text);
}

/** The names in `tools`, as they are written. */
function toolsOf(text: string): readonly string[] {
  const file = '.claude/agents/any.md';
  const form = dialectFormOf(file);
  return form === undefined ? [] : namesIn(openDialectText(form, file, text).written.tools);
}

function linesBut(text: string, fields: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(ownLines(text)).filter(([key]) => !fields.includes(key)));
}

/** The text of each field with the lines below it, and the text below the fields. */
function ownLines(text: string): Readonly<Record<string, string>> {
  const [, front = '', body = ''] = /^---\r?\n(.*?)^---\r?$(.*)/ms.exec(text) ?? [];
  const comments = front.split('\n').filter((line) => line.startsWith('#'));
  const fields = front.replace(/^#.*\r?\n/gm, '');
  const parts = fields.split(/^(?=[A-Za-z])/m).filter((part) => /^[A-Za-z]/.test(part));
  return {
    ...Object.fromEntries(parts.map((part) => [/^[\w-]+/.exec(part)?.[0] ?? '', part])),
    '': body,
    '#': comments.join('\n'),
  };
}

test('opening and the change of an instruction to itself write nothing', () => {
  fc.assert(
    fc.property(project, (files) => {
      const folder = folderOf(files);
      const parsed = readFolder(folder);
      for (const card of parsed.cards) {
        const changed = setInstruction(folder, parsed, card.name, card.instruction ?? '');
        expect(changed).toEqual({ ok: true, value: new Map() });
      }
    }),
    { numRuns: 40 },
  );
});

test('a new agent stands in .claude/agents, and a renamed one keeps every other line', () => {
  const folder = folderOf({ '.claude/agents/a.md': '---\nname: a  # first\ndescription: Does: a\n---\nA.\n' });
  const added = addAgent(folder, readFolder(folder), { name: 'b' });
  expect(added.ok && [...added.value]).toEqual([
    ['.claude/agents/b.md', '---\nname: b\ndescription: Describe here when b is to be called.\n---\n'],
  ]);
  const renamed = renameAgent(folder, 'a', 'c');
  expect(renamed.ok && [...renamed.value]).toEqual([
    ['.claude/agents/a.md', '---\nname: c  # first\ndescription: Does: a\n---\nA.\n'],
  ]);
});

test('a wire that follows from the rules of Claude Code is not removed, and the refusal says what does', () => {
  const folder = folderOf({ '.claude/agents/a.md': '---\nname: a\ndescription: Does it.\n---\nA.\n' });
  const parsed = readFolder(folder);
  const graph = projectGraph(parsed);
  const [edge] = graph.edges;
  expect(graph.edges).toMatchObject([{ source: 'agent:main', target: 'agent:a' }]);
  expect(disconnect(folder, parsed, graph, edge?.id ?? '')).toMatchObject({
    ok: false,
    error: { message: expect.stringContaining('deny it in .claude/settings.json') },
  });
});
