import { expect, test } from 'vitest';
import { folderOf } from '@/lib/cards/files';
import { type DockStorage, keepDock, readDock } from './dock-memory';
import { createProjectStore } from './project-store';
import { createOverlayStore } from './run-overlay';
import { createRunSession, runStart } from './run-session';

function memory(): DockStorage & { readonly values: Map<string, string> } {
  const values = new Map<string, string>();
  return {
    values,
    getItem: (key) => values.get(key) ?? null,
    setItem: (key, value) => void values.set(key, value),
  };
}

/** Opens the dock of a project as a page does. */
function open(storage: () => DockStorage, draft = 'main', again?: { readonly id: string; readonly message: string }) {
  const project = createProjectStore(
    {
      ...{ projectId: 'p', draft, name: 'P', layoutPoints: {} },
      saved: {
        version: 1,
        folder: folderOf({ 'lead.md': '---\nname: lead\n---\n', 'kid.md': '---\nname: kid\n---\n' }),
      },
    },
    {
      save: async (version) => ({ kind: 'saved', version }),
      now: () => 0,
      nextFrame: (work) => work(),
      tryReading: async () => undefined,
    },
  );
  const kept = readDock(storage, 'p', draft);
  const asked = again && { agent: undefined, model: undefined, ...again };
  const start = runStart({ entry: 'lead', agents: ['lead', 'kid'], example: undefined }, asked, undefined, kept);
  const services = {
    startRun: async () => ({ ok: true, runId: 'r1', conversationId: 'c1' }) as const,
    stopRun: async () => undefined,
  };
  const run = createRunSession(services, createOverlayStore(), async () => true, start);
  const stop = keepDock(storage, project, run, again?.id);
  return { project, run, kept, stop, state: run.store.getState };
}

test('message, agent, model, run, conversation and tab come back, for each draft on its own', async () => {
  const storage = memory();
  const { project, run, stop } = open(() => storage);
  run.actions.set({ message: 'Go', agent: 'kid', model: 'passthrough' });
  run.actions.toggleLeftOut({ kind: 'server', name: 'clock' });
  run.actions.keepTalking(true);
  await run.actions.start();
  run.actions.set({ message: 'And then?' });
  project.actions.show({ dockTab: 'files', narrowPanel: 'dock' });
  stop();
  run.actions.set({ message: 'not kept' });
  const { state, kept } = open(() => storage);
  expect(state()).toMatchObject({ message: 'And then?', agent: 'kid', model: 'passthrough', runId: 'r1' });
  expect(state()).toMatchObject({ conversation: 'c1', keepsTalking: true, phase: 'started' });
  expect(state().leftOut).toEqual([{ kind: 'server', name: 'clock' }]);
  expect([kept?.tab, kept?.isShown]).toEqual(['files', true]);
  expect(open(() => storage, 'other').kept).toBeUndefined();
});

test('a run to repeat comes before what is kept, until its message is changed', () => {
  const storage = memory();
  open(() => storage).run.actions.set({ message: 'Go' });
  const again = { id: 'r7', message: 'Once more' };
  const second = open(() => storage, 'main', again);
  expect(second.state().message).toBe('Once more');
  second.run.actions.set({ message: 'Once more, please' });
  expect(open(() => storage, 'main', again).state().message).toBe('Once more, please');
});

test('a run that was deleted is forgotten', async () => {
  const storage = memory();
  const { run } = open(() => storage);
  run.actions.set({ message: 'Go' });
  await run.actions.start();
  run.actions.forget('another');
  expect(run.store.getState().runId).toBe('r1');
  run.actions.forget('r1');
  const { state } = open(() => storage);
  expect([run.store.getState().isGone, state().runId, state().message]).toEqual([true, undefined, 'Go']);
});

test.each([
  ['another form', () => ({ ...memory(), getItem: () => '{"message":3}' })],
  ['no JSON', () => ({ ...memory(), getItem: () => '{' })],
  [
    'a browser without storage',
    () => {
      throw new Error('denied');
    },
  ],
])('%s is ignored, and the dock works', (_, storage) => {
  const { run, kept } = open(storage);
  run.actions.set({ message: 'Go' });
  expect([kept, run.store.getState().message]).toEqual([undefined, 'Go']);
});
