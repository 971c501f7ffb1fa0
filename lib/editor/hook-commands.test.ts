import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { folderOf } from '@/lib/cards/files';
import { readFolder } from '@/lib/cards/project/read-folder';
import { hookChain } from '@/lib/graph/hook-chain';
import { tries } from '@/lib/testing/tries';
import { createCommands } from './commands';
import { createProjectStore } from './project-store';
import { createOverlayStore } from './run-overlay';
import { createRunSession } from './run-session';

const lead = 'cards/lead.md';
const kid = 'cards/kid.md';
const files = {
  [lead]: '---\nname: lead\nagents: [kid]\ntool_hooks:\n  - ../h.py:one # first\n  - ../h.py:two\n---\nLead.\n',
  [kid]: '---\nname: kid\ntool_hooks: {after_llm_call: ../h.py:seen} # by phase\n---\nHelp.\n',
  'h.py': ['one', 'two', 'seen'].map((name) => `async def ${name}(*given):\n    pass\n`).join('\n\n'),
  'callboard.yaml':
    'version: 1\nrun_hooks:\n  - log: {} # all\nagent_hooks:\n  lead:\n    - clamp: {argument: x, max: 9}\n',
};

function open() {
  const folder = folderOf(files);
  const project = createProjectStore(
    { projectId: 'p', name: 'P', saved: { version: 1, folder }, layoutPoints: {} },
    {
      save: async (version) => ({ kind: 'saved', version }),
      now: () => 0,
      nextFrame: (work) => work(),
      tryReading: async () => undefined,
    },
  );
  const services = { startRun: async () => ({ ok: true, runId: 'r' }) as const, stopRun: async () => undefined };
  const commands = createCommands(
    project,
    createRunSession(services, createOverlayStore(), async () => true),
    () => {},
  );
  const state = () => project.store.getState();
  const chain = (agent: string) =>
    (state().picture.graph.chains[`agent:${agent}`] ?? []).map(({ id, name }) => `${id} ${name}`);
  return { ...project, folder, commands, state, chain };
}

/** The folder as text. */
function bytes(folder: ReturnType<typeof folderOf>): string {
  return JSON.stringify([...folder].sort(([a], [b]) => (a < b ? -1 : 1)));
}

describe('hook commands', () => {
  it('move and copy hooks, return the new id and say what else has changed', () => {
    const { commands, chain, state } = open();
    expect(commands.moveHook(lead, 'tool_hooks.0', 1)).toBe('agent_hooks.0');
    expect(state().notice).toEqual({ tone: 'info', text: "'one' is now in callboard.yaml." });
    expect(chain('lead')).toEqual(['run_hooks.0 log', 'agent_hooks.0 one', 'agent_hooks.1 clamp', 'tool_hooks.0 two']);
    expect(commands.moveHook(lead, 'run_hooks.0', 2)).toBeUndefined();
    expect(state().notice?.tone).toBe('bad');
    commands.copyHook(lead, 'agent_hooks.1', 'kid');
    expect(chain('kid')).toEqual(['run_hooks.0 log', 'agent_hooks.0 clamp', 'tool_hooks.after_llm_call seen']);
  });

  it('write a new function as a skeleton and add it, as one undo step', () => {
    const { commands, actions, chain, state, folder } = open();
    const code = { kind: 'code' as const, file: 'more.ts', functionName: 'guard' };
    expect(commands.addNewHook(lead, code, { phase: 'around' })).toBe('tool_hooks.2');
    expect(chain('lead').at(-1)).toBe('tool_hooks.2 guard');
    expect(state().picture.parsed.issues.filter(({ severity }) => severity === 'error')).toEqual([]);
    actions.undo();
    expect(bytes(state().document.folder)).toBe(bytes(folder));
  });

  it('make room for a longer chain in the same step, and save only places that were saved', () => {
    const { commands, actions, state, folder } = open();
    const kidAt = () => state().points['agent:kid']?.x ?? 0;
    const add = () => commands.addHook(lead, { kind: 'code', file: 'h.py', functionName: 'seen' }, { phase: 'around' });
    const before = kidAt();
    add();
    expect(kidAt()).toBeGreaterThan(before + 100);
    expect(state().picture.drawn.settings.canvas.positions).toEqual({});
    actions.undo();
    expect(bytes(state().document.folder)).toBe(bytes(folder));

    commands.move({ 'agent:lead': { x: 0, y: 0 }, 'agent:kid': { x: 320, y: 8 } });
    const placed = bytes(state().document.folder);
    add();
    expect(kidAt()).toBeGreaterThan(420);
    expect(state().picture.drawn.settings.canvas.positions).toEqual({
      'agent:lead': { x: 0, y: 0 },
      'agent:kid': { x: kidAt(), y: 8 },
    });
    actions.undo();
    expect(bytes(state().document.folder)).toBe(placed);
    expect(kidAt()).toBe(320);
  });

  it('create the function that an entry names, and open it at its line', () => {
    const { commands, state } = open();
    const gone = { kind: 'code' as const, file: 'h.py', functionName: 'gone' };
    const id = commands.addHook(lead, gone, { phase: 'around' }) ?? '';
    commands.createHookCode(lead, id);
    expect(state().openFile).toBe('h.py');
    expect(state().goTo?.line).toBeGreaterThan(6);
    commands.openHook(lead, 'agent_hooks.0');
    expect(state().goTo).toMatchObject({ file: 'callboard.yaml', line: 6 });
    // Its agent is selected, so that its hooks are still at hand.
    expect(state().selection).toEqual(['agent:lead']);
  });

  it('undo gives the first bytes and redo the last, and the picture is that of the text after each', () => {
    const step = fc.record({ op: fc.nat(8), pick: fc.nat(9), to: fc.nat(6), agent: fc.constantFrom(lead, kid) });
    fc.assert(
      fc.property(fc.array(step, { minLength: 50, maxLength: 50 }), (steps) => {
        const { commands, actions, state, folder } = open();
        for (const { op, pick, to, agent } of steps) {
          const card = state().picture.drawn.cards.find(({ file }) => file === agent);
          const chain = card === undefined ? [] : hookChain(card, state().picture.drawn);
          const id = chain[pick % Math.max(1, chain.length)]?.id ?? '';
          const code = { kind: 'code' as const, file: 'h.py', functionName: ['one', 'two', 'seen'][pick % 3] ?? 'one' };
          if (op <= 1) commands.moveHook(agent, id, to);
          if (op === 2) commands.addHook(agent, code, { phase: 'around', at: to });
          if (op === 3) commands.addHook(agent, { kind: 'cache', parameters: {} }, { phase: 'around', at: to });
          if (op === 4) commands.addHook(agent, code, { phase: pick < 5 ? 'before_llm_call' : 'on_start' });
          if (op === 5) commands.removeHook(agent, id);
          if (op === 6) commands.copyHook(agent, id, agent === lead ? 'kid' : 'lead');
          if (op === 7) commands.spreadHook(agent, id);
          if (op === 8) commands.setHookPolicy(agent, id, 'timeout_ms', to === 0 ? undefined : to * 100);
          const parsed = readFolder(state().document.folder);
          for (const one of parsed.cards) {
            expect(state().picture.graph.chains[`agent:${one.name}`] ?? []).toEqual(hookChain(one, parsed));
          }
        }
        const last = bytes(state().document.folder);
        while (state().document.past.length > 0) actions.undo();
        expect(bytes(state().document.folder)).toBe(bytes(folder));
        while (state().document.future.length > 0) actions.redo();
        expect(bytes(state().document.folder)).toBe(last);
      }),
      { numRuns: tries(8) },
    );
  });
});
