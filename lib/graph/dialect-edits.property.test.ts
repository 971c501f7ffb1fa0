import fc from 'fast-check';
import { expect, test } from 'vitest';
import { claudeCode } from '@/lib/cards/dialects/claude-code/claude-code';
import { folderOf } from '@/lib/cards/files';
import { readFolder } from '@/lib/cards/project/read-folder';
import { addAgent, renameAgent, setField, setInstruction } from '@/lib/graph/commands';
import { projectGraph } from '@/lib/graph/project';
import { disconnect } from '@/lib/graph/wires';

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

test('any change of one field changes only the lines of that field, or is refused', () => {
  const change = fc.constantFrom(
    ['description', 'Something: else'],
    ['model', 'opus'],
    ['model', undefined],
    ['servers', ['tracker']],
    ['shell', true],
    ['skills', ['.claude/skills/new']],
    ['use_history', false],
  ) as fc.Arbitrary<[string, string | boolean | string[] | undefined]>;
  fc.assert(
    fc.property(project, change, fc.nat(), (files, [field, value], pick) => {
      const folder = folderOf(files);
      const parsed = readFolder(folder);
      expect(parsed.dialect).toBe(claudeCode.id);
      expect(parsed.unread.size).toBe(0);
      const agents = parsed.cards.filter(({ name }) => name !== 'main');
      const card = agents[pick % agents.length];
      if (card === undefined) throw new Error('There is an agent.');
      const changed = setField(folder, parsed, card.name, [field], value);
      if (!changed.ok) return;
      expect([...changed.value.keys()].filter((path) => path !== card.file)).toEqual([]);
      const after = changed.value.get(card.file);
      if (after === undefined) return;
      const before = Object.entries(files).find(([path]) => path === card.file)?.[1] ?? '';
      const kept = Object.entries(ownLines(before)).filter(([key]) => !writtenAs[field]?.includes(key));
      expect(ownLines(String(after))).toMatchObject(Object.fromEntries(kept));
      const again = readFolder(folderOf({ ...files, [card.file]: String(after) })).cards.find(
        ({ name }) => name === card.name,
      );
      expect(again).toBeDefined();
    }),
    { numRuns: 100 },
  );
});

const writtenAs: Readonly<Record<string, readonly string[]>> = {
  description: ['description'],
  model: ['model'],
  servers: ['tools', 'mcpServers'],
  shell: ['tools'],
  skills: ['skills'],
};

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
  expect(added.ok && [...added.value]).toEqual([['.claude/agents/b.md', '---\nname: b\n---\n']]);
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
