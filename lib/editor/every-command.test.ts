import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json } from '@/lib/base/json';
import type { CardType } from '@/lib/cards/card';
import type { Folder } from '@/lib/cards/folder';
import type { YamlEdit } from '@/lib/cards/yaml/yaml-edit';
import { alignments } from '@/lib/graph/arrange';
import { hookChain } from '@/lib/graph/hook-chain';
import { tries } from '@/lib/testing/tries';
import { addRows } from './add-rows';
import { fixCalled, fixesOf } from './code-fixes';
import { type Commands, createCommands } from './commands';
import { changesBetween, textAt, textFile } from './document';
import { newFunctionOf, nodeChoices } from './node-choices';
import { drawPicture } from './picture';
import { createProjectStore, type ProjectStore } from './project-store';
import { createOverlayStore } from './run-overlay';
import { createRunSession } from './run-session';
import type { Uploads } from './upload-commands';

/** Every command of the editor, in any order: undo gives the first bytes, and the canvas shows what the text says. */

const folder: Folder = new Map(
  Object.entries({
    'agent-cards/lead.md':
      '---\nname: lead # the first\ndefault: true\nservers: [time]\nagents: [writer, critic]\ntool_hooks:\n  - hooks.py:audit\n---\nLead.\n',
    'agent-cards/writer.md': '---\nname: writer\nmodel: passthrough\n---\nWrite.\n',
    'agent-cards/critic.md': '---\ntype: agent\nname: critic\n---\nJudge.\n',
    'agent-cards/flow.md': '---\ntype: chain\nname: flow\nsequence: [writer, critic]\n---\n',
    'agent-cards/hooks.py': 'async def audit(ctx, args, next):\n    return await next(args)\n',
    'callboard.yaml': 'version: 1\nagent_hooks:\n  writer:\n    - kind: deny\n      tools: [rm]\n',
    'fast-agent.yaml': 'mcp:\n  servers:\n    time: { command: node, args: [time.mjs] }\n',
    'notes.txt': 'Notes\n',
  }).map(([path, text]) => [path, textFile(text)]),
);

function open() {
  let now = 0;
  const project = createProjectStore(
    { projectId: 'p', name: 'P', saved: { version: 1, folder }, layoutPoints: {} },
    {
      save: async (version) => ({ kind: 'saved', version: version + 1 }),
      // Some of what is typed joins one step of undo, and some does not.
      now: () => {
        now += 400;
        return now;
      },
      nextFrame: (work) => work(),
      tryReading: async () => undefined,
    },
  );
  const services = { startRun: async () => ({ ok: true, runId: 'r' }) as const, stopRun: async () => undefined };
  const run = createRunSession(services, createOverlayStore(), project.actions.save);
  const uploads: Uploads = {
    uploadBytes: async (bytes) => ({ ok: true, file: { kind: 'stored', hash: bytes.join('-'), size: bytes.length } }),
  };
  const commands = createCommands(project, run, () => undefined, undefined, undefined, uploads);
  return { project, commands };
}

/** Chooses one of a list by a random number. Calls after each other choose differently. */
type Pick = <T>(list: readonly T[]) => T;

const texts = ['', 'x', 'Words: of #text', 'two\nlines', '---', 'ünïcode'];
const values: readonly (Json | undefined)[] = [undefined, 'x', 7, true, ['a', 'b'], { key: 'value' }];
const names = ['writer', 'critic', 'new name', 'time', 'agent-2'];
const types: readonly CardType[] = ['agent', 'chain', 'parallel', 'router', 'orchestrator'];

/** Writes the name of what was created into a list of the card. */
const insertInto =
  (field: string) =>
  (name: string): YamlEdit => ({ op: 'insert', path: [field], index: 0, value: name });

/** What a person does with each command. A command that is missing here makes the first test fail. */
function gestures({ store, actions }: ProjectStore, commands: Commands) {
  const state = () => store.getState();
  const drawn = () => state().picture.drawn;
  const nodes = () => state().picture.graph.nodes.map(({ id }) => id);
  const card = (pick: Pick) => pick(drawn().cards);
  const file = (pick: Pick) => pick([...state().document.folder.keys(), 'new/file.md', 'tools.py']);
  const server = (pick: Pick) => pick([...Object.keys(drawn().config.servers), 'none']);
  const edge = (pick: Pick) => pick([...state().picture.graph.edges.map(({ id }) => id), 'none']);
  const path = (pick: Pick) => pick([['description'], ['agents'], ['request_params', 'maxTokens'], ['tools', 'time']]);
  const hook = (pick: Pick) => {
    const of = card(pick);
    return [of.file, pick([...hookChain(of, drawn()).map(({ id }) => id), 'none'])] as const;
  };
  const noteId = (pick: Pick) => pick([...drawn().settings.canvas.notes.map(({ id }) => id), 'none']);
  const groupId = (pick: Pick) => pick([...drawn().settings.canvas.groups.map(({ id }) => id), 'none']);
  const code = (pick: Pick) =>
    ({ kind: 'code', file: pick(['agent-cards/hooks.py', 'h.ts']), functionName: pick(['audit', 'check']) }) as const;

  const all = {
    rename: (pick) => commands.rename(card(pick).name, pick(names)),
    startRename: (pick) => commands.startRename(pick(nodes())),
    open: (pick) => commands.open(pick(nodes())),
    remove: (pick) => commands.remove([pick(nodes()), pick(nodes())]),
    move: (pick) => commands.move({ [pick(nodes())]: { x: pick([0, 10, 345]), y: pick([-20, 70]) } }),
    tidy: () => commands.tidy(),
    addAgent: (pick) => commands.addAgent(pick([undefined, { x: 40, y: 50 }]), pick(types)),
    addNamedAgent: (pick) => commands.addNamedAgent(pick(names), pick([undefined, { x: 40, y: 50 }]), pick(nodes())),
    add: (pick) =>
      commands.add(pick(addRows).what, { at: pick([undefined, { x: 9, y: 9 }]), source: undefined, user: undefined }),
    addChild: (pick) => commands.addChild(pick(nodes())),
    createMissing: (pick) => commands.createMissing(pick(names)),
    connect: (pick) => commands.connect(pick(nodes()), pick(nodes())),
    allowWorker: (pick) => commands.allowWorker(pick(nodes()), pick(nodes())),
    removeEdge: (pick) => commands.removeEdge(edge(pick)),
    moveMember: (pick) => commands.moveMember(edge(pick), pick(['earlier', 'later'])),
    changeRole: (pick) => commands.changeRole(edge(pick)),
    copy: () => commands.copy(),
    cut: (pick) => {
      actions.select([pick(nodes()), pick(nodes())]);
      return commands.cut();
    },
    paste: (pick) => {
      actions.select([pick(nodes()), pick(nodes())]);
      return commands.paste(commands.copy() ?? pick(texts));
    },
    finishPaste: (pick) => commands.finishPaste(pick([undefined, new Map()])),
    bringFolder: (pick) => commands.bringFolder('dropped', new Map([['a.md', textFile(pick(texts))]])),
    bringFiles: () => commands.bringFiles('dropped', []),
    duplicate: (pick) => commands.duplicate(pick(nodes())),
    renameServer: (pick) => commands.renameServer(server(pick), pick(names)),
    configureServer: (pick) => commands.configureServer(server(pick)),
    pasteIntoServer: (pick) => commands.pasteIntoServer(server(pick), pick(['npx a b', '{"url":"http://a.test"}'])),
    pasteArguments: (pick) => commands.pasteArguments(server(pick), 0, pick(['-y a b', 'npx a b', '--token=hidden'])),
    setServer: (pick) => commands.setServer(server(pick), pick(['command', 'args', 'env']), pick(values)),
    duplicateServer: (pick) => commands.duplicateServer(server(pick)),
    setServerFilter: (pick) =>
      commands.setServerFilter(
        card(pick),
        server(pick),
        pick(['tools', 'resources', 'prompts']),
        pick([undefined, [], ['get_time']]),
      ),
    setServerArguments: (pick) => commands.setServerArguments(server(pick), pick([[], ['a b', '-y']])),
    setServerPairs: (pick) =>
      commands.setServerPairs(server(pick), pick(['env', 'headers']), pick([[], [['KEY', 'a value'] as const]])),
    setTransport: (pick) => commands.setTransport(server(pick), pick(['stdio', 'http'])),
    setField: (pick) => commands.setField(card(pick).file, path(pick), pick(values), 'Field'),
    setInstruction: (pick) => commands.setInstruction(card(pick).file, pick(texts), 'agent'),
    insertName: (pick) => commands.insertName(card(pick).file, ['agents'], pick([0, 1]), pick(names)),
    removeName: (pick) => commands.removeName(card(pick).file, ['agents'], pick([0, 1])),
    moveName: (pick) => commands.moveName(card(pick).file, ['agents'], pick([0, 1]), pick([0, 1])),
    setDelegation: (pick) =>
      commands.setDelegation(card(pick).name, card(pick).name, [pick(['timeout_ms', 'cache'])], pick(values)),
    editFields: (pick) =>
      commands.editFields(card(pick).file, [insertInto('skills')(pick(names))], {
        label: 'Fields',
        typed: pick([true, false]),
      }),
    editFiles: (pick) =>
      commands.editFiles(
        drawn().cards.map((one) => ({
          file: one.file,
          edits: [{ op: 'set', path: ['description'], value: pick(texts) }],
        })),
        { label: 'All', typed: pick([true, false]) },
      ),
    createAgentFor: (pick) => commands.createAgentFor(card(pick).file, pick(names), insertInto('agents')),
    createServerFor: (pick) => commands.createServerFor(card(pick).file, pick(names), insertInto('servers')),
    newFunctionTool: (pick) => commands.newFunctionTool(card(pick), pick(['tools.py', 't.ts']), pick(['one', 'two'])),
    createFunction: (pick) => commands.createFunction(pick(['tools.py', 't.ts']), pick(['three', 'four'])),
    openFunction: (pick) => commands.openFunction(file(pick), pick(['one', 'three'])),
    newFile: (pick) => commands.newFile(file(pick)),
    addFunction: (pick) =>
      commands.addFunction({ file: pick(['tools.py', 't.ts']), name: pick(['one', 'two']), kind: 'tool' }),
    renameFile: (pick) => commands.renameFile(file(pick), pick(['moved/one.md', 'two.py', 'agent-cards/three.md'])),
    deleteFiles: (pick) => commands.deleteFiles([file(pick), file(pick)], 'files'),
    addFiles: (pick) => commands.addFiles(new Map([[file(pick), textFile(pick(texts))]])),
    upload: (pick) => {
      const bytes = new Uint8Array(pick([[0, 1], [0, 2], [65]]));
      return commands.upload([{ path: pick(['a.bin', 'b/c.png', 'notes.txt']), size: 2, read: async () => bytes }]);
    },
    moveFiles: (pick) => commands.moveFiles(new Map([[file(pick), pick(['moved/four.md', 'five.ts'])]]), 'Move'),
    fix: (pick) => {
      const issue = pick([...state().picture.parsed.issues, undefined]);
      const fixes = issue === undefined ? [] : fixesOf({ folder: state().document.folder, drawn: drawn() }, issue);
      if (issue === undefined || fixes.length === 0) return;
      const { label } = pick(fixes);
      commands.fix(label, fixCalled(issue, label));
    },
    addHook: (pick) => commands.addHook(card(pick).file, code(pick), { phase: pick(['around', 'after_llm_call']) }),
    addNewHook: (pick) => commands.addNewHook(card(pick).file, code(pick), { phase: pick(['around', 'on_start']) }),
    moveHook: (pick) => commands.moveHook(...hook(pick), pick([0, 1, 2])),
    removeHook: (pick) => commands.removeHook(...hook(pick)),
    copyHook: (pick) => commands.copyHook(...hook(pick), card(pick).name),
    spreadHook: (pick) => commands.spreadHook(...hook(pick)),
    createHookCode: (pick) => commands.createHookCode(...hook(pick)),
    setHookPhase: (pick) => commands.setHookPhase(...hook(pick), pick(['before_llm_call', 'after_turn_complete'])),
    setHookCode: (pick) => commands.setHookCode(...hook(pick), code(pick)),
    setHookParameters: (pick) => commands.setHookParameters(...hook(pick), { tools: pick(values) }),
    setHookPolicy: (pick) =>
      commands.setHookPolicy(...hook(pick), pick(['on_error', 'timeout_ms']), pick(['skip', 500, undefined])),
    setHookOff: (pick) => commands.setHookOff(...hook(pick), pick([true, false])),
    showHook: (pick) => commands.showHook(...hook(pick)),
    openHook: (pick) => commands.openHook(...hook(pick)),
    addNote: (pick) => commands.addNote(pick([undefined, { x: 3, y: 4 }])),
    setNote: (pick) => commands.setNote(noteId(pick), pick([{ text: pick(texts) }, { width: 300 }, { x: 1, y: 2 }])),
    group: (pick) => commands.group([pick(nodes()), pick(nodes()), `note:${noteId(pick)}`]),
    ungroup: (pick) => commands.ungroup(groupId(pick)),
    setGroup: (pick) => commands.setGroup(groupId(pick), pick(['title', 'description']), pick([undefined, ...texts])),
    moveToGroup: (pick) => commands.moveToGroup([pick(nodes())], pick([undefined, groupId(pick)])),
    nudge: (pick) => {
      actions.select([pick(nodes()), `note:${noteId(pick)}`]);
      return commands.nudge({ x: pick([-1, 0, 1]), y: pick([-1, 0, 1]) });
    },
    arrange: (pick) => {
      actions.select([pick(nodes()), pick(nodes()), `note:${noteId(pick)}`]);
      return commands.arrange(pick([...alignments, 'across', 'down']));
    },
    pick: (pick) => {
      const { picture, document } = state();
      const [source, user] = [pick([undefined, ...nodes()]), pick([undefined, ...nodes()])];
      const choice = pick([...nodeChoices(picture, document.folder, { source, user }), undefined]);
      if (choice === undefined) return;
      return commands.pick(choice.picked, { at: pick([undefined, { x: 9, y: 9 }]), source, user });
    },
    pickNew: (pick) => {
      const code = newFunctionOf(state().document.folder, pick(['', 'made', 'x.ts:made']), 'hook', false);
      if (code !== undefined) {
        const place = { user: pick([undefined, ...nodes()]), at: pick([undefined, { x: 9, y: 9 }]) };
        commands.pickNew(pick(['function', 'hook']), code, place);
      }
    },
    openHookBench: (pick) => commands.openHookBench(card(pick).name),
    openToolBench: (pick) =>
      commands.openToolBench(
        pick([
          { kind: 'agent', agent: card(pick).name },
          { kind: 'server', server: 'time', tool: pick([undefined, 'now']) },
          { kind: 'function', file: 'tools.ts', name: 'add' },
        ]),
      ),
    run: () => commands.run(),
    runAgent: (pick) => commands.runAgent(pick(nodes())),
    setOwnAddress: (pick) =>
      commands.setOwnAddress({
        section: pick(['generic', 'azure']),
        address: 'http://127.0.0.1:1234/v1',
        secret: pick([undefined, 'GENERIC_SERVER_KEY']),
        model: pick([undefined, 'generic.qwen3']),
      }),
    setDefaultModel: (pick) => commands.setDefaultModel(pick([undefined, 'passthrough', 'openai.gpt-5'])),
  } satisfies Partial<Record<keyof Commands, (pick: Pick) => unknown>>;
  /** Text that is typed into a file, also such that it cannot be read while it is half-typed. */
  const type = (pick: Pick) => {
    const typed = file(pick);
    const text = textAt(state().document.folder, typed) ?? '';
    const at = pick([0, 4, 12, text.length]);
    const changed = `${text.slice(0, at)}${pick(['[', '\n', 'x', ': '])}${text.slice(at)}`;
    actions.typeText(typed, changed);
    actions.settleName();
  };
  return new Map<string, (pick: Pick) => unknown>([...Object.entries(all), ['type text', type]]);
}

/** Returns a picker that draws its choices from a number. */
function pickerOf(seed: number): Pick {
  let state = seed + 1;
  return (list) => {
    // Multiplication by a constant, modulo a prime (Park and Miller, 1988).
    state = (state * 48_271) % 2_147_483_647;
    for (const item of list.slice(state % list.length)) return item;
    throw new Error('There is nothing to choose from');
  };
}

describe('every command', () => {
  test('takes part in these tests', () => {
    const { project, commands } = open();
    expect(Object.keys(commands).sort()).toEqual(
      [...gestures(project, commands).keys()].filter((name) => name !== 'type text').sort(),
    );
  });

  test('50 in any order: text and canvas agree after each, undo gives the first bytes, redo the last', async () => {
    const { project, commands } = open();
    const gesture = fc.record({
      name: fc.constantFrom(...gestures(project, commands).keys()),
      seed: fc.nat(2_147_483_000),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(gesture, { minLength: 50, maxLength: 50, size: 'max' }), async (steps) => {
        const { project, commands } = open();
        const { store, actions } = project;
        const now = () => store.getState().document;
        const all = gestures(project, commands);
        for (const { name, seed } of steps) {
          if (store.getState().picture.drawn.cards.length > 0) await all.get(name)?.(pickerOf(seed));
          expectAgreement(project);
        }
        const last = now().folder;
        const count = now().past.length;
        for (let n = 0; n < count; n++) actions.undo();
        expectSame(now().folder, folder);
        expect(now().past).toEqual([]);
        expectAgreement(project);
        for (let n = 0; n < count; n++) actions.redo();
        expectSame(now().folder, last);
        expectAgreement(project);
      }),
      { numRuns: tries(12) },
    );
  }, 120_000);
});

function expectSame(found: Folder, expected: Folder) {
  expect([...changesBetween(expected, found).keys()]).toEqual([]);
}

/** The picture is the one that a new editor draws from the text, unless a half-typed file is shown as it was. */
function expectAgreement({ store }: ProjectStore) {
  const { document, picture, newborn } = store.getState();
  if (picture.stale.size > 0) return;
  const drawn = drawPicture(document.folder, undefined, {}, [], newborn);
  expect(picture.graph).toEqual(drawn.graph);
  expect(picture.parsed.issues).toEqual(drawn.parsed.issues);
  expect(picture.entry).toBe(drawn.entry);
}
