import { describe, expect, test } from 'vitest';
import { createCommands } from './commands';
import { textAt, textFile } from './document';
import { createProjectStore } from './project-store';
import { createOverlayStore } from './run-overlay';
import { createRunSession } from './run-session';

const nowhere = { at: undefined, source: undefined, user: undefined } as const;

const card = (name: string, more = '') => textFile(`---\nname: ${name}\n${more}---\nDo your work.\n`);

function open(
  files: readonly (readonly [string, ReturnType<typeof card>])[] = [
    ['lead.md', card('lead', 'default: true\nagents: [writer]\n')],
    ['writer.md', card('writer')],
  ],
) {
  const folder = new Map(files);
  const layoutPoints = { 'agent:lead': { x: 0, y: 0 }, 'agent:writer': { x: 320, y: 0 } };
  const project = createProjectStore(
    { projectId: 'p', name: 'P', saved: { version: 1, folder }, layoutPoints },
    {
      save: async (version) => ({ kind: 'saved', version }),
      now: () => 0,
      nextFrame: (work) => work(),
      tryReading: async () => undefined,
    },
  );
  const services = {
    startRun: async () => ({ ok: true, runId: 'r' }) as const,
    stopRun: async () => undefined,
  };
  const commands = createCommands(
    project,
    createRunSession(services, createOverlayStore(), async () => true),
    () => {},
  );
  return { ...project, commands, at: (id: string) => project.store.getState().points[id] };
}

describe('an open file', () => {
  test('stays open under its new name, also in the side view, by undo and by redo', () => {
    const { actions, commands, store } = open();
    const shown = () => store.getState().openFile;
    actions.select(['agent:writer']);
    expect([shown(), store.getState().textView]).toEqual(['writer.md', 'side']);
    commands.moveFiles(new Map([['writer.md', 'team/author.md']]), 'Move');
    expect(shown()).toBe('team/author.md');
    actions.undo();
    expect(shown()).toBe('writer.md');
    actions.redo();
    expect(shown()).toBe('team/author.md');
  });

  test('that is deleted is not taken for a new one', () => {
    const { actions, store } = open();
    actions.select(['agent:writer']);
    actions.edit(
      new Map([
        ['writer.md', undefined],
        ['notes.txt', textFile('Other words.')],
      ]),
      { label: 'Change' },
    );
    expect(store.getState().openFile).toBe('writer.md');
  });
});

describe('a new node', () => {
  test('stands right of the entry, below what is there', () => {
    const { commands, at, store } = open();
    commands.addAgent(undefined);
    expect(at('agent:agent')).toEqual({ x: 320, y: 104 });
    expect(store.getState().document.folder.has('callboard.yaml')).toBe(false);
  });

  test('stands right of the selected node', () => {
    const { actions, commands, at } = open();
    actions.select(['agent:writer']);
    commands.addAgent(undefined);
    expect(at('agent:agent')).toEqual({ x: 640, y: 0 });
    actions.select(['agent:writer']);
    commands.add('server', nowhere);
    expect(at('server:server')).toEqual({ x: 640, y: 104 });
  });

  test('a child stands right of its parent, whatever is selected', () => {
    const { actions, commands, at } = open();
    actions.select(['agent:writer']);
    commands.addChild('agent:lead');
    expect(at('agent:agent')).toEqual({ x: 320, y: 104 });
  });

  test('dropped somewhere, it stays there', () => {
    const { commands, at } = open();
    commands.addAgent({ x: -500, y: 40 });
    expect(at('agent:agent')).toEqual({ x: -500, y: 40 });
  });

  test('its file gets each of its names, also when it was saved before the name was typed', async () => {
    const { actions, commands, store } = open();
    const paths = () => [...store.getState().document.folder.keys()];
    commands.addAgent(undefined);
    await actions.save();
    commands.rename('agent', 'helper');
    expect(paths()).toContain('helper.md');
    commands.rename('helper', 'assistant');
    expect(paths()).toContain('assistant.md');
    expect(paths()).toHaveLength(3);
  });

  test('renamed, its file follows with what names it, as one undo step', () => {
    const script = textFile('---\nname: lead\nagents: [writer]\n---\n{{file:writer.md}}\n');
    const { actions, commands, store } = open([
      ['lead.md', script],
      ['writer.md', card('writer')],
    ]);
    const before = store.getState().document.folder;
    commands.rename('writer', 'author');
    const { document } = store.getState();
    expect([...document.folder.keys()].sort()).toEqual(['author.md', 'lead.md']);
    expect(textAt(document.folder, 'lead.md')).toBe('---\nname: lead\nagents: [author]\n---\n{{file:author.md}}\n');
    expect(document.past).toHaveLength(1);
    actions.undo();
    expect([...store.getState().document.folder]).toEqual([...before]);
  });

  test.each([
    ['a person has given it another name', 'the-writer.md', {}, undefined],
    [
      'there is a file of that name',
      'writer.md',
      { 'author.md': textFile('Words.') },
      "The file of 'author' stays writer.md, because there is a file author.md already.",
    ],
  ])('renamed, its file stays where %s', (_, file, more, notice) => {
    const { commands, store } = open([[file, card('writer')], ...Object.entries(more)]);
    commands.rename('writer', 'author');
    const { document, notice: said } = store.getState();
    expect(textAt(document.folder, file)).toContain('name: author');
    expect(said?.text).toBe(notice);
  });

  test('a function that is dropped somewhere stays there', () => {
    const { commands, at, actions, store } = open();
    const before = store.getState().document.folder;
    commands.pickNew('function', { file: 'tools.py', name: 'add' }, { user: 'agent:lead', at: { x: 700, y: 40 } });
    expect(at('function:tools.py:add')).toEqual({ x: 700, y: 40 });
    expect(store.getState().selection).toEqual(['function:tools.py:add']);
    actions.undo();
    expect(store.getState().document.folder).toEqual(before);
  });

  test('named, it keeps its place and stays selected, through undo and redo', () => {
    const { actions, commands, at, store } = open();
    commands.addAgent(undefined);
    commands.rename('agent', 'helper');
    const { document, selection } = store.getState();
    expect([...document.folder.keys()].some((path) => path.endsWith('agent.md'))).toBe(false);
    expect(at('agent:helper')).toEqual({ x: 320, y: 104 });
    expect(selection).toEqual(['agent:helper']);
    actions.undo();
    expect(at('agent:agent')).toEqual({ x: 320, y: 104 });
    expect(store.getState().selection).toEqual(['agent:agent']);
    actions.redo();
    expect(at('agent:helper')).toEqual({ x: 320, y: 104 });
    expect(store.getState().selection).toEqual(['agent:helper']);
  });
});

describe('what a field of a form creates', () => {
  const text = (store: ReturnType<typeof open>['store'], path: string) =>
    textAt(store.getState().document.folder, path);

  test('an agent and its name in the field are one undo step, and the form stays', () => {
    const { actions, commands, store } = open();
    actions.select(['agent:lead']);
    commands.createAgentFor('lead.md', 'fact checker', (name) => ({
      op: 'insert',
      path: ['agents'],
      index: 1,
      value: name,
    }));
    expect(text(store, 'lead.md')).toContain('agents: [writer, fact_checker]');
    expect(text(store, 'fact_checker.md')).toBe('---\ntype: agent\nname: fact_checker\n---\n');
    expect(store.getState().selection).toEqual(['agent:lead']);
    actions.undo();
    expect(text(store, 'lead.md')).toContain('agents: [writer]');
    expect(text(store, 'fact_checker.md')).toBeUndefined();
  });

  test('without a name it gets a free one, and a taken name changes nothing', () => {
    const { commands, store } = open();
    const add = (name: string) => ({ op: 'set', path: ['servers'], value: [name] }) as const;
    commands.createServerFor('lead.md', '', add);
    expect(text(store, 'lead.md')).toContain('servers:\n  - server\n');
    commands.createServerFor('writer.md', 'server', add);
    expect(text(store, 'writer.md')).not.toContain('servers');
  });

  test('an entry of callboard.yaml makes the file, and the last key takes its mappings along', () => {
    const { commands, store } = open();
    const path = ['toolsets', 'lead', 'delegation', 'create'];
    commands.editFields('callboard.yaml', [{ op: 'set', path, value: 'allowed' }], { label: 'Create of lead' });
    expect(text(store, 'callboard.yaml')).toBe(
      'version: 1\ntoolsets:\n  lead:\n    delegation:\n      create: allowed\n',
    );
    commands.editFields('callboard.yaml', [{ op: 'remove', path }], { label: 'Create of lead' });
    expect(text(store, 'callboard.yaml')).toBe('version: 1\n');
  });
});

describe('an MCP server', () => {
  test('is named as soon as it is added, and stays selected where it stands', () => {
    const { commands, at, store } = open();
    commands.add('server', nowhere);
    expect(store.getState().renaming).toBe('server:server');
    const place = at('server:server');
    commands.renameServer('server', ' time ');
    expect(store.getState().selection).toEqual(['server:time']);
    expect(at('server:time')).toEqual(place);
    expect(Object.keys(store.getState().picture.drawn.config.servers)).toEqual(['time']);
  });

  test('a name that is taken is refused with a sentence, and rename is undone in one step', () => {
    const { actions, commands, store } = open();
    commands.add('server', nowhere);
    commands.renameServer('server', 'time');
    commands.add('server', nowhere);
    commands.renameServer('server', 'time');
    expect(store.getState().notice?.text).toContain("'time' is another MCP server");
    commands.renameServer('server', 'files');
    actions.undo();
    expect(store.getState().picture.nodes.has('server:server')).toBe(true);
    actions.redo();
    expect(store.getState().picture.nodes.has('server:files')).toBe(true);
  });

  test('its transport changes in one step, and the form goes on', () => {
    const { actions, commands, store } = open();
    commands.add('server', nowhere);
    commands.setTransport('server', 'http');
    const { picture } = store.getState();
    expect([...picture.stale]).toEqual([]);
    expect(picture.drawn.config.servers.server).toMatchObject({ transport: 'http', url: 'http://127.0.0.1:8000/mcp' });
    actions.undo();
    expect(store.getState().picture.drawn.config.servers.server).toMatchObject({ transport: 'stdio', command: 'npx' });
  });
});

test('deleting an agent removes its card and every reference to it, in one step that can be undone and redone', () => {
  const { actions, commands, store } = open();
  const texts = () => Object.fromEntries(store.getState().document.folder);
  const before = texts();
  commands.remove(['agent:writer']);
  const after = texts();
  expect(Object.keys(after)).toEqual(['lead.md']);
  expect(JSON.stringify(after['lead.md'])).not.toContain('writer');
  actions.undo();
  expect(texts()).toEqual(before);
  actions.redo();
  expect(texts()).toEqual(after);
});

test('a new function creates its file, is shown at its line, and one undo removes it', () => {
  const { commands, store, actions } = open();
  const before = store.getState().document.folder;
  expect(commands.addFunction({ file: 'tools.py', name: 'one', kind: 'tool' })).toBe(true);
  expect(commands.addFunction({ file: 'tools.py', name: 'two', kind: 'hook' })).toBe(true);
  expect(store.getState()).toMatchObject({ openFile: 'tools.py', goTo: { file: 'tools.py', line: 10 } });
  expect(commands.addFunction({ file: 'tools.py', name: 'two', kind: 'hook' })).toBe(false);
  expect(store.getState().notice?.text).toBe("tools.py uses the name 'two' already. Choose another name.");
  actions.undo();
  actions.undo();
  expect([...store.getState().document.folder]).toEqual([...before]);
});
