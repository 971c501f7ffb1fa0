import { describe, expect, test } from 'vitest';
import { folderOf } from '@/lib/cards/files';
import { createCommands } from './commands';
import { changesBetween, textAt } from './document';
import { createProjectStore } from './project-store';
import { createOverlayStore } from './run-overlay';
import { createRunSession } from './run-session';

function open(files: Readonly<Record<string, string>>) {
  const folder = folderOf(files);
  const brought: boolean[] = [];
  const project = createProjectStore(
    { projectId: 'p', name: 'P', saved: { version: 1, folder }, layoutPoints: {} },
    {
      save: async (version, _, options) => {
        brought.push(options.brought);
        return { kind: 'saved', version: version + 1 };
      },
      now: () => 0,
      nextFrame: (work) => work(),
      tryReading: async () => undefined,
    },
  );
  const services = { startRun: async () => ({ ok: true, runId: 'r' }) as const, stopRun: async () => undefined };
  const session = createRunSession(services, createOverlayStore(), async () => true);
  const commands = createCommands(project, session, () => undefined);
  const state = project.store.getState;
  return {
    ...project,
    brought,
    commands,
    state,
    paths: () => [...state().document.folder.keys()].sort(),
    text: (file: string) => textAt(state().document.folder, file),
  };
}

const servers = 'mcp:\n  servers:\n    time: { command: node }\n    other: { command: other }\n';
const lead = '---\nname: lead\nservers: [time]\n---\nLead.\n';

test('a cut removes the agents and servers that it copied, and a paste brings them back', () => {
  const { actions, commands, state, text, paths } = open({ 'agent-cards/lead.md': lead, 'fast-agent.yaml': servers });
  actions.select(['agent:lead', 'server:other']);
  const copied = commands.cut() ?? '';
  expect(paths()).toEqual(['fast-agent.yaml']);
  expect(text('fast-agent.yaml')).toBe('mcp:\n  servers:\n    time: { command: node }\n');
  commands.paste(copied);
  expect(paths()).toEqual(['agent-cards/lead.md', 'fast-agent.yaml']);
  expect(Object.keys(state().picture.parsed.config.servers)).toEqual(['time', 'other']);
});

test('a server is cut alone, with the references to it, as one undo step', () => {
  const { actions, commands, state, text } = open({ 'agent-cards/lead.md': lead, 'fast-agent.yaml': servers });
  const before = state().document.folder;
  actions.select(['server:time']);
  const copied = commands.cut() ?? '';
  expect(Object.keys(state().picture.parsed.config.servers)).toEqual(['other']);
  expect(text('agent-cards/lead.md')).not.toContain('time');
  actions.undo();
  expect([...changesBetween(before, state().document.folder).keys()]).toEqual([]);
  actions.redo();
  commands.paste(copied);
  expect(state().selection).toEqual(['server:time']);
});

test('a paste of what is here already says so', () => {
  const { actions, commands, state } = open({ 'agent-cards/lead.md': lead, 'fast-agent.yaml': servers });
  actions.select(['server:time']);
  commands.paste(commands.copy() ?? '');
  expect(state().document.past).toEqual([]);
  expect(state().notice?.text).toBe('All of this is in the project already, so nothing was added.');
});

const poet = '---\nname: poet\nfunction_tools: [rhyme.ts:find]\n---\nWrite.\n';

test.each([
  [
    { 'team/lead.md': lead, 'team/kid.md': '---\nname: kid\n---\n', 'agent-cards/old.md': '---\nname: old\n---\n' },
    'team/poet.md',
  ],
  [{ 'lead.md': lead }, 'poet.md'],
  [{ 'notes.txt': 'Notes' }, 'agent-cards/poet.md'],
])('a dropped or pasted card goes where the cards of the project are', (files, expected) => {
  const dropped = open(files);
  dropped.commands.bringFolder('poet.md', folderOf({ 'poet.md': '---\nname: poet\n---\nWrite.\n' }));
  dropped.commands.finishPaste(new Map());
  expect(dropped.paths()).toContain(expected);
  const pasted = open(files);
  pasted.commands.paste('---\nname: poet\n---\nWrite.\n');
  expect(pasted.paths()).toContain(expected);
});

test('what a dropped card names beside it follows', () => {
  const { commands, text } = open({ 'team/lead.md': lead });
  commands.bringFolder('2 files', folderOf({ 'poet.md': poet, 'rhyme.ts': 'export const find = () => "x";\n' }));
  commands.finishPaste(new Map());
  expect(text('team/poet.md')).toContain('function_tools: [../rhyme.ts:find]');
});

test('the save of something from elsewhere says so, that of a copy made here does not', async () => {
  const { actions, brought, commands } = open({ 'agent-cards/lead.md': lead, 'fast-agent.yaml': servers });
  commands.duplicate('agent:lead');
  await actions.save();
  commands.paste(JSON.stringify({ mcpServers: { git: { command: 'uvx', args: ['git'] } } }));
  await actions.save();
  commands.duplicate('agent:lead');
  await actions.save();
  commands.addFiles(folderOf({ 'tools.py': 'x = 1\n' }));
  await actions.save();
  commands.pasteIntoServer('time', 'uvx mcp-server-time --zone UTC');
  await actions.save();
  expect(brought).toEqual([false, true, false, true, true]);
});

test('an earlier copy, also with other ends of lines, is one made here; a paste that adds nothing brings nothing', async () => {
  const { actions, brought, commands } = open({ 'agent-cards/lead.md': lead, 'fast-agent.yaml': servers });
  actions.select(['agent:lead']);
  const copied = commands.copy() ?? '';
  commands.duplicate('agent:lead');
  commands.paste(copied.replaceAll('\n', '\r\n'));
  await actions.save();
  commands.paste(JSON.stringify({ mcpServers: { time: { command: 'node' } } }));
  commands.deleteFiles(['agent-cards/lead.md'], 'lead');
  await actions.save();
  expect(brought).toEqual([false, false]);
});

describe('a file that cannot be read', () => {
  const kid = '---\nname: kid\nmodel: passthrough\n---\nHelp.\n';
  const settings = 'version: 1\nagent_hooks: {kid: [{block: {}}]}\napprovals: {agents: {kid: ask}}\n';
  const project = () => open({ 'agent-cards/kid.md': kid, 'callboard.yaml': settings });

  test.each([
    ['callboard.yaml', `${settings}limits: [\n`],
    ['agent-cards/kid.md', kid.replace('model: passthrough', 'agents: [')],
  ])('stops copy, cut and duplicate, and a notice names it: %s', (file, text) => {
    const { actions, commands, state } = project();
    actions.typeText(file, text);
    const before = state().document.folder;
    actions.select(['agent:kid']);
    for (const act of [() => commands.copy(), () => commands.cut(), () => commands.duplicate('agent:kid')]) {
      actions.notify(undefined);
      expect(act()).toBeUndefined();
      expect(state().notice?.text).toContain(`${file} cannot be read (line `);
    }
    expect([...changesBetween(before, state().document.folder).keys()]).toEqual([]);
  });

  test('stops a dropped folder, and a notice names it', () => {
    const { commands, state } = open({});
    commands.bringFolder('team', folderOf({ 'agent-cards/kid.md': kid, 'callboard.yaml': `${settings}limits: [\n` }));
    expect([state().pasting, state().notice?.text]).toEqual([
      undefined,
      expect.stringMatching(/^Nothing of 'team' came\. callboard\.yaml cannot be read \(line /),
    ]);
    commands.bringFolder('kid.md', folderOf({ 'kid.md': kid.replace('model: passthrough', 'agents: [') }));
    expect(state().notice?.text).toContain("Nothing of 'kid.md' came. kid.md cannot be read (line ");
  });
});

const rule = (agents: string) => `    - { tools: [shell], agents: [${agents}], effect: allow }\n`;

test('a cut and a deletion say which rules for approvals went, and a rename follows in them', () => {
  const before = `version: 1\napprovals:\n  rules:\n${rule('kid')}${rule('lead, kid')}${rule('kid, aide')}${rule('lead')}`;
  const card = (name: string) => `---\nname: ${name}\nshell: true\n---\nHelp.\n`;
  const { actions, commands, state, text } = open({
    'lead.md': card('lead'),
    'kid.md': card('kid'),
    'aide.md': card('aide'),
    'callboard.yaml': before,
  });
  commands.rename('lead', 'boss');
  expect(text('callboard.yaml')).toBe(before.replaceAll('lead', 'boss'));
  actions.undo();
  actions.select(['agent:kid']);
  const copied = commands.cut() ?? '';
  expect(text('callboard.yaml')).toBe(
    `version: 1\napprovals:\n  rules:\n${rule('lead')}${rule('aide')}${rule('lead')}`,
  );
  expect(said(state)).toBe(
    "One rule for approvals was only about 'kid', so it was deleted too. 2 rules for approvals do not name 'kid' any more.",
  );
  commands.paste(copied);
  const { rules } = state().picture.drawn.settings.approvals;
  expect(rules?.filter(({ agents }) => agents?.includes('kid'))).toHaveLength(3);
  actions.undo();
  actions.undo();
  expect(text('callboard.yaml')).toBe(before);
  actions.notify(undefined);
  commands.remove(['agent:lead', 'agent:aide']);
  expect(said(state)).toBe(
    'One rule for approvals was only about what was deleted, so it was deleted too. 2 rules for approvals do not name what was deleted any more.',
  );
});

test('a deletion says which hooks of other agents went, and not those of the agent itself', () => {
  const hook = (tools: string) => `    - block: { when: { tool: [${tools}] } }\n`;
  const { commands, state, text } = open({
    'lead.md': '---\nname: lead\nagents: [kid]\n---\nLead.\n',
    'kid.md': '---\nname: kid\n---\nHelp.\n',
    'callboard.yaml': `version: 1\nagent_hooks:\n  kid:\n${hook('now')}  lead:\n${hook('agent__kid')}${hook('agent__kid, now')}`,
  });
  commands.remove(['agent:kid']);
  expect(text('callboard.yaml')).toBe(`version: 1\nagent_hooks:\n  lead:\n${hook('now')}`);
  expect(said(state)).toBe(
    "One hook of another agent was only about 'kid', so it was deleted too. One hook of another agent does not name 'kid' any more.",
  );
});

test('an agent stays while callboard.yaml cannot be read, and a notice says so', () => {
  const { commands, state, paths } = open({
    'kid.md': '---\nname: kid\n---\nHelp.\n',
    'callboard.yaml': 'version: 1\napprovals: { agents: { kid: allow }\n',
  });
  let removed = false;
  commands.remove(['agent:kid'], () => {
    removed = true;
  });
  expect([paths(), removed]).toEqual([['callboard.yaml', 'kid.md'], false]);
  expect(said(state)).toMatch(/^callboard\.yaml cannot be read \(line \d+\) and may name 'kid'\./);
});

const said = (state: ReturnType<typeof open>['state']) => state().notice?.text ?? '';

test('a pasted text that is not understood is said, unless it is empty', () => {
  const { commands, state } = open({ 'agent-cards/lead.md': lead });
  expect(commands.paste(' \n')).toBe(false);
  expect(said(state)).toBe('');
  expect(commands.paste('hello')).toBe(false);
  expect(said(state)).toContain('The pasted text was not understood.');
});

test('a function or a note alone is not copied, and the editor says why', () => {
  const { actions, commands, state } = open({ 'agent-cards/lead.md': lead, 'fast-agent.yaml': servers });
  expect(commands.copy()).toBeUndefined();
  expect(said(state)).toBe('');
  actions.select(['note:a']);
  expect(commands.copy()).toBeUndefined();
  expect(said(state)).toContain('come along with an agent');
});

test('a command line pasted into a server keeps its environment and adds to it', () => {
  const config = 'mcp:\n  servers:\n    time: { command: npx, args: [old], env: { TOKEN: a, KEEP: b }, cwd: sub }\n';
  const { commands, text } = open({ 'fast-agent.yaml': config });
  expect(commands.pasteIntoServer('time', 'MORE=1 uvx y')).toBe(true);
  expect(text('fast-agent.yaml')).toBe(
    'mcp:\n  servers:\n    time: { command: uvx, args: [y], env: { TOKEN: a, KEEP: b, MORE: "1" }, cwd: sub }\n',
  );
});

test('several servers, or JSON without one, never become the text of a field of a server', () => {
  const { commands, state, text } = open({ 'fast-agent.yaml': servers });
  expect(commands.pasteIntoServer('time', '{"a": {"command": "x"}, "b": {"command": "y"}}')).toBe(true);
  expect(said(state)).toContain('has 2 servers. Paste it on the canvas');
  expect(commands.pasteIntoServer('time', '{"a": 1')).toBe(true);
  expect(said(state)).toContain('has no settings of an MCP server');
  expect(text('fast-agent.yaml')).toBe(servers);
  expect(commands.pasteIntoServer('time', 'plain')).toBe(false);
});

test('a line pasted in place of an argument is split, without its secrets', () => {
  const config = 'mcp:\n  servers:\n    time: { command: npx, args: [a, --token, b] }\n';
  const { commands, text, state } = open({ 'fast-agent.yaml': config });
  expect(commands.pasteArguments('time', 0, 'plain')).toBe(false);
  expect(commands.pasteArguments('time', 0, 'y --flag "a b"')).toBe(true);
  expect(text('fast-agent.yaml')).toContain('args: [y, "--flag", a b, --token, b]');
  expect(commands.pasteArguments('time', 4, 'hidden')).toBe(true);
  expect(text('fast-agent.yaml')).not.toContain('hidden');
  expect(said(state)).toContain("Set the secret 'TOKEN'");
  expect(commands.pasteArguments('time', 0, 'uvx other')).toBe(true);
  expect(text('fast-agent.yaml')).toMatch(/command: uvx, args: \[ ?other ?\]/);
});
