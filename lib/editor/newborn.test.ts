import { expect, test } from 'vitest';
import { folderOf } from '@/lib/cards/files';
import { createCommands } from './commands';
import { createProjectStore } from './project-store';
import { createOverlayStore } from './run-overlay';
import { createRunSession } from './run-session';

function open() {
  const folder = folderOf({ 'agent-cards/lead.md': '---\nname: lead\ndefault: true\n---\nLead.\n' });
  const project = createProjectStore(
    { projectId: 'p', name: 'P', saved: { version: 1, folder }, layoutPoints: {} },
    {
      save: async (version) => ({ kind: 'saved', version: version + 1 }),
      now: () => 0,
      nextFrame: (work) => work(),
      tryReading: async () => undefined,
    },
  );
  const services = { startRun: async () => ({ ok: true, runId: 'r' }) as const, stopRun: async () => undefined };
  const run = createRunSession(services, createOverlayStore(), project.actions.save);
  const state = () => project.store.getState();
  /** What is said of a node, such as `hint missing-field` or `error missing-field`. */
  const said = (id: string) =>
    (state().picture.problems.get(id) ?? []).map(
      ({ isHint, severity, code }) => `${isHint ? 'hint' : severity} ${code}`,
    );
  return { ...project, commands: createCommands(project, run, () => undefined), state, said };
}

const nowhere = { at: undefined, source: undefined, user: undefined } as const;

test('what new agents and servers lack is a hint, also after they got a name', () => {
  const { commands, actions, said, state } = open();
  commands.add('chain', nowhere);
  commands.add('server', nowhere);
  expect([said('agent:chain'), said('server:server')]).toEqual([
    ['hint missing-field'],
    ['hint server-without-arguments'],
  ]);
  commands.rename('chain', 'steps');
  commands.renameServer('server', 'time');
  actions.select([]);
  actions.leaveField();
  expect([said('agent:steps'), said('server:time')]).toEqual([
    ['hint missing-field'],
    ['hint server-without-arguments'],
  ]);
  expect(state().picture.parsed.issues.filter(({ severity }) => severity !== 'info')).toEqual([]);
});

test('it is a problem once a field was edited and left', () => {
  const { commands, actions, said } = open();
  commands.add('chain', nowhere);
  commands.add('router', nowhere);
  commands.setField('agent-cards/chain.md', ['description'], 'Steps', 'Description');
  expect(said('agent:chain')).toEqual(['hint missing-field']);
  actions.leaveField();
  expect([said('agent:chain'), said('agent:router')]).toEqual([['error missing-field'], ['hint missing-field']]);
});

test('it is a problem once another thing is selected after an edit', () => {
  const { commands, actions, said } = open();
  commands.add('server', nowhere);
  commands.setServer('server', 'command', 'uvx');
  commands.setServer('server', 'command', 'npx');
  actions.select([]);
  expect(said('server:server')).toEqual(['hint server-without-arguments']);
  commands.setServer('server', 'read_timeout_seconds', 7);
  actions.select(['agent:lead']);
  expect(said('server:server')).toEqual(['warning server-without-arguments']);
});

test('it is a problem once a run is asked for; things of before are never new', () => {
  const { commands, actions, said, state } = open();
  commands.add('chain', nowhere);
  actions.growAll();
  expect(said('agent:chain')).toEqual(['error missing-field']);
  expect(state().newborn.size).toBe(0);
  commands.setField('agent-cards/lead.md', ['no_such_field'], 1, 'Field');
  expect(said('agent:lead')).not.toContain('hint unknown-field');
});

test('what is there already does not become new, also when adding it again is refused', () => {
  const { commands, state } = open();
  commands.createMissing('lead');
  expect(state().newborn.size).toBe(0);
});

test('undo and redo of the adding leave it new', () => {
  const { commands, actions, said } = open();
  commands.add('chain', nowhere);
  actions.undo();
  expect(said('agent:chain')).toEqual([]);
  actions.redo();
  expect(said('agent:chain')).toEqual(['hint missing-field']);
});
